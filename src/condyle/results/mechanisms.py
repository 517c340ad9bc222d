"""What joints, drivers, springs and beams did, as labelled numbers."""

from __future__ import annotations

import numpy as np

from condyle.analysis.observe import beam_states
from condyle.mechanics import system
from condyle.mechanics.system import EQUATIONS, SPRINGS, Array
from condyle.multibody import equations, springs
from condyle.multibody.equations import EFFORT, IDLE, J_FIRST, J_SECOND
from condyle.results.observed import Observed

# Stations at which beams are told, at most.
MOST_STATIONS = 65


def joint_values(seen: Observed) -> dict[str, Array]:
    """Forces and torques of joints on their second bodies, where they act, and efforts of drivers."""
    model = seen.trajectory.model
    spec, rows = model.spec.model, model.rows(EQUATIONS)
    efforts = _efforts(seen)
    force, torque, point = (np.zeros((len(seen.work), len(spec.joints), 2)) for _ in range(3))
    driven = np.zeros((len(seen.work), len(spec.drivers)))
    names, drivers = list(spec.joints), list(spec.drivers)
    for k, (row, equation) in enumerate(zip(rows, model.equations, strict=True)):
        if equation.owner in drivers:
            driven[:, drivers.index(equation.owner)] = equation.sign * efforts[:, k]
            continue
        joint, body = names.index(equation.owner), int(model.arrays.link[row, equations.SECOND_FRAME])
        jacobian = seen.work[:, row, J_SECOND : J_SECOND + 3]
        frame = seen.work[:, body]
        x, y = equation.places[1]
        cos, sin = frame[:, system.COS], frame[:, system.SIN]
        arm = np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)
        point[:, joint] = frame[:, [system.PX, system.PY]] + arm
        push = efforts[:, [k]] * jacobian
        force[:, joint] += push[:, :2]
        torque[:, joint, 0] += push[:, 2] - (arm[:, 0] * push[:, 1] - arm[:, 1] * push[:, 0])
    return {
        "joint_force": force,
        "joint_torque": torque[:, :, 0],
        "joint_point": point,
        "driver_effort": driven,
    }


def _efforts(seen: Observed) -> Array:
    """Efforts of all equations, shape (n, n_equation); where some say the same, the least that do the same."""
    model = seen.trajectory.model
    rows = model.rows(EQUATIONS)
    efforts = seen.work[:, rows, EFFORT]
    for at in np.flatnonzero(seen.work[:, rows, IDLE].any(axis=1)):
        jacobian = np.zeros((len(rows), 3 * seen.work.shape[1]))
        for k, row in enumerate(rows):
            first, second = model.arrays.link[row, [equations.FIRST_FRAME, equations.SECOND_FRAME]]
            jacobian[k, 3 * first : 3 * first + 3] += seen.work[at, row, J_FIRST : J_FIRST + 3]
            jacobian[k, 3 * second : 3 * second + 3] += seen.work[at, row, J_SECOND : J_SECOND + 3]
        # What holds on to something fixed can take any effort, but no more than it needs.
        used = np.flatnonzero(jacobian.any(axis=0))
        efforts[at] = np.linalg.lstsq(jacobian[:, used].T, jacobian[:, used].T @ efforts[at], rcond=1e-10)[0]
    return np.asarray(efforts)


def spring_values(seen: Observed) -> dict[str, Array]:
    """Lengths or angles of springs, their efforts, and their ends."""
    ends = seen.of(SPRINGS, springs.FROM_X, springs.FROM_Y, springs.TO_X, springs.TO_Y)
    return {
        "spring_extent": seen.of(SPRINGS, springs.EXTENT),
        "spring_effort": seen.of(SPRINGS, springs.EFFORT),
        "spring_point": ends.reshape(*ends.shape[:2], 2, 2),
    }


def beam_values(seen: Observed) -> dict[str, Array]:
    """Places and strains along beams, NaN where one has fewer stations than the longest."""
    model, y = seen.trajectory.model, seen.trajectory.y
    stations = [station_parts(mesh.count) for mesh in model.meshes.values()]
    shape = (len(y), len(stations), max((len(parts) for parts in stations), default=0))
    place = np.full((*shape, 2), np.nan)
    names = ("axial_strain", "curvature", "axial_force", "bending_moment", "shear_force", "surface_strain")
    found = {name: np.full(shape, np.nan) for name in names}
    beams = model.spec.model.beams.values()
    for k, (beam, parts, (mesh, pairs, rates)) in enumerate(
        zip(beams, stations, beam_states(model, y), strict=True)
    ):
        at = (slice(None), k, slice(len(parts)))
        place[at], (strain, bend, slide, strain_rate, bend_rate, slide_rate) = mesh.seen_at(
            parts, pairs, rates
        )
        axial, bending, shear = beam.stiffness
        half = 0.0 if beam.section is None else 0.5 * beam.section.height
        found["axial_strain"][at], found["curvature"][at] = strain, bend
        found["axial_force"][at] = axial * (strain + beam.damping * strain_rate)
        found["bending_moment"][at] = bending * (bend + beam.damping * bend_rate)
        if beam.kind != "cable":
            found["shear_force"][at] = shear * (slide + beam.damping * slide_rate)
        found["surface_strain"][at] = np.abs(strain) + half * np.abs(bend)
    arcs = np.full(shape[1:], np.nan)
    for k, (parts, mesh) in enumerate(zip(stations, model.meshes.values(), strict=True)):
        arcs[k, : len(parts)] = parts * mesh.count * mesh.length
    return {"beam_position": place, "beam_arc": arcs} | {f"beam_{name}": v for name, v in found.items()}


def station_parts(count: int) -> Array:
    """Parts of a beam's length at which it is told: nodes and middles of elements, or fewer of very many."""
    return np.linspace(0.0, 1.0, min(2 * count + 1, MOST_STATIONS))
