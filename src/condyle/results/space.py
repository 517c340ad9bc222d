"""What a model in space did, as labelled numbers: the parts that differ from those of the plane."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from condyle.mechanics.space import FROM, PLACE, ROTATION, SPIN, TO, VELOCITY
from condyle.mechanics.system import EQUATIONS, LOADS, MEASURES, SPRINGS, Array
from condyle.model.space_placement import SpacePlacement
from condyle.multibody import equations, springs
from condyle.multibody.declarations import EffortSpec, display_factor
from condyle.multibody.equations import EFFORT, IDLE
from condyle.multibody.space_constraints import MEASURE_ROW
from condyle.multibody.space_elements import LOAD_FORCE, LOAD_POINT, LOAD_TORQUE
from condyle.multibody.space_measures import J_FIRST, J_SECOND, MEASURED
from condyle.results.observed import Observed


def three(first: int) -> list[int]:
    """Three columns side by side."""
    return [first + k for k in range(3)]


def ends(seen: Observed, family: int) -> Array:
    """Both ends of elements between two points [m], shape (n, n_element, 2, 3)."""
    found = seen.of(family, *three(FROM), *three(TO))
    return found.reshape(*found.shape[:2], 2, 3)


def body_values(seen: Observed) -> dict[str, Array]:
    """Places and motions of bodies."""
    model = seen.trajectory.model
    rows = list(model.body_rows.values())
    work = seen.work[:, rows]
    turns = work[:, :, ROTATION : ROTATION + 9].reshape(-1, 3, 3)
    return {
        "position": work[:, :, three(PLACE)],
        "orientation": parameters(turns).reshape(len(seen.work), len(rows), 4),
        "velocity": work[:, :, three(VELOCITY)],
        "angular_velocity": work[:, :, three(SPIN)],
    }


def parameters(turns: Array) -> Array:
    """Euler parameters of rotations (n, 3, 3), the first one not negative, shape (n, 4)."""
    return np.asarray(Rotation.from_matrix(turns).as_quat(canonical=True)[:, [3, 0, 1, 2]])


def joint_values(seen: Observed) -> dict[str, Array]:
    """Forces and torques of joints on their second bodies, where they act, and efforts of drivers."""
    model = seen.trajectory.model
    spec, rows = model.spec.model, model.rows(EQUATIONS)
    placement, efforts = SpacePlacement(spec), _efforts(seen)
    force, torque, point = (np.zeros((len(seen.work), len(spec.joints), 3)) for _ in range(3))
    driven = np.zeros((len(seen.work), len(spec.drivers)))
    names, drivers = list(spec.joints), list(spec.drivers)
    for k, joint in enumerate(spec.joints.values()):
        target = getattr(joint, "target", None)
        if target is not None:
            held = placement.held(target.body)
            frame = seen.work[:, model.body_rows[held.body]]
            turn = frame[:, ROTATION : ROTATION + 9].reshape(-1, 3, 3)
            point[:, k] = frame[:, three(PLACE)] + turn @ held.point(target.at)
    for k, (row, equation) in enumerate(zip(rows, model.equations, strict=True)):
        if equation.owner in drivers:
            driven[:, drivers.index(equation.owner)] = efforts[:, k]
            continue
        number, measure = names.index(equation.owner), int(model.arrays.link[row, MEASURE_ROW])
        body = int(model.arrays.link[row, equations.SECOND_FRAME])
        push = efforts[:, [k]] * seen.work[:, measure, three(J_SECOND)]
        moment = efforts[:, [k]] * seen.work[:, measure, three(J_SECOND + 3)]
        if getattr(spec.joints[equation.owner], "target", None) is None:
            point[:, number] = seen.work[:, body][:, three(PLACE)]
        arm = point[:, number] - seen.work[:, body][:, three(PLACE)]
        force[:, number] += push
        torque[:, number] += moment - np.cross(arm, push)
    return {"joint_force": force, "joint_torque": torque, "joint_point": point, "driver_effort": driven}


def _efforts(seen: Observed) -> Array:
    """Efforts of all equations, shape (n, n_equation); where some say the same, the least that do the same."""
    model = seen.trajectory.model
    rows = model.rows(EQUATIONS)
    efforts = seen.work[:, rows, EFFORT]
    measures = model.arrays.link[rows, MEASURE_ROW]
    for at in np.flatnonzero(seen.work[:, rows, IDLE].any(axis=1)):
        jacobian = np.zeros((len(rows), 6 * seen.work.shape[1]))
        for k, (row, measure) in enumerate(zip(rows, measures, strict=True)):
            for column, side in ((equations.FIRST_FRAME, J_FIRST), (equations.SECOND_FRAME, J_SECOND)):
                body = int(model.arrays.link[row, column])
                jacobian[k, 6 * body : 6 * body + 6] += seen.work[at, measure, side : side + 6]
        # What holds on to something fixed can take any effort, but no more than it needs.
        used = np.flatnonzero(jacobian.any(axis=0))
        efforts[at] = np.linalg.lstsq(jacobian[:, used].T, jacobian[:, used].T @ efforts[at], rcond=1e-10)[0]
    return np.asarray(efforts)


def spring_values(seen: Observed) -> dict[str, Array]:
    """Lengths or angles of springs, their efforts, and their ends, not a number for springs on a measure."""
    found = ends(seen, SPRINGS)
    on_measure = [spring.kind == "measure" for spring in seen.trajectory.model.spec.model.springs.values()]
    found[:, np.array(on_measure, dtype=bool)] = np.nan
    return {
        "spring_extent": seen.of(SPRINGS, springs.EXTENT),
        "spring_effort": seen.of(SPRINGS, springs.EFFORT),
        "spring_point": found,
    }


def load_values(seen: Observed) -> dict[str, Array]:
    """Loads in global axes and where they act; those along a measure have no place."""
    model = seen.trajectory.model
    force, torque = seen.of(LOADS, *three(LOAD_FORCE)), seen.of(LOADS, *three(LOAD_TORQUE))
    point = seen.of(LOADS, *three(LOAD_POINT))
    efforts = np.array(
        [isinstance(load, EffortSpec) for load in model.spec.model.forces.values()], dtype=bool
    )
    effort = np.where(efforts, force[..., 0], np.nan)
    force[:, efforts] = torque[:, efforts] = point[:, efforts] = np.nan
    return {"load": force, "load_point": point, "load_torque": torque, "load_effort": effort}


def measure_values(seen: Observed) -> Array:
    """Declared measures in their display units, shape (n, n_measure)."""
    declared = seen.trajectory.model.spec.model.measures.values()
    factors = np.array([display_factor(measure) for measure in declared])
    values = seen.of(MEASURES, MEASURED).reshape(len(seen.work), -1)
    return np.asarray(values[:, : len(factors)] * factors)
