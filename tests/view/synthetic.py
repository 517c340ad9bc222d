"""Runs made without the engine: results that look like its own, small and quick, for the tests of what is looked at.

The knee is Machado 2010's (Tables 1-3, Hertz contact of a circle and a plane), integrated here by SciPy; the ball is
the closed form of a bounce off a spring; the chain is any number of bodies that nothing touches.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from condyle.model.spec import parse
from condyle.results import Audit, Results
from results import mechanisms

Array = NDArray[np.float64]

LIGAMENTS = {  # femoral end, tibial end [m], rest length [m], stiffness [N/m^2], allowed strain
    "MCL": ((-0.023, -0.014), (0.163, 0.008), 0.0784, 15e6, 0.17),
    "LCL": ((-0.025, -0.019), (0.178, 0.025), 0.0562, 15e6, np.nan),
    "ACL": ((-0.033, -0.017), (0.213, -0.009), 0.0438, 35e6, 0.22),
    "PCL": ((-0.019, -0.014), (0.210, 0.035), 0.0332, 30e6, 0.19),
}
MASS, INERTIA, RADIUS, PLATEAU, STIFFNESS = 3.75, 0.165, 0.04, 0.2255590813, 8.45594e5
AXES = ["x", "y", "z"]
MODEL = """\
condyle: 1
title: %(title)s
description: Tibia released from 54.79° of flexion under a decaying pulse.
bodies:
  femur:
    fixed: true
    drawing: [[[-0.03, 0.026], [-0.014, 0.2], [0.014, 0.2], [0.036, 0.017]]]
  tibia:
    position: [-0.2016 m, -0.1749 m] # Table 1
    angle: 35.21 deg
    mass: 3.75 kg
    inertia: 0.165 kg m^2
    drawing: [%(drawing)s]
profiles:
  condyle: {body: femur, outline: {circle: {radius: 40 mm}}}
  plateau: {body: tibia, outline: {line: {from: [0.2255590813, -0.036], to: [0.2255590813, 0.04]}}}
contacts:
  tibiofemoral: {between: [condyle, plateau], law: {kind: hertz, stiffness: 845594}}
ligaments:
%(ligaments)s
forces:
  pulse:
    body: tibia
    direction: [1, 0]
    frame: body
    amplitude: 150 N
    course: {kind: decaying-sine, duration: 0.05}
measures:
  flexion: {kind: angle, from: femur, to: tibia, offset: 90 deg, sign: -1, unit: deg}
run: {duration: 0.5}
"""
BALL = """\
condyle: 1
title: Bouncing ball
bodies:
  ball: {position: [0, 1.1], mass: 1, inertia: 0.004}
  ground: {fixed: true}
profiles:
  ball: {body: ball, outline: {circle: {radius: 0.1}}}
  floor: {body: ground, outline: {line: {from: [-5, 0], to: [5, 0]}}, outward: [0, 1]}
contacts:
  bounce: {between: [ball, floor], law: {kind: gonthier, stiffness: 4e8, restitution: 0.8}}
run: {duration: 2}
"""


def knee_results(title: str = "Planar knee", samples: int = 501, **changes: Any) -> Results:
    """The knee's first half second; `changes` are fields of the results."""
    dataset = knee_dataset(samples)
    audit = Audit(
        energy_residual=3.1e-11,
        energy_throughput=4.7,
        tolerance=1e-6,
        deepest_penetration={"tibiofemoral": float(dataset["contact_depth"].max())},
        clamped_time={"tibiofemoral": 0.0},
        clamped_work={"tibiofemoral": 0.0},
        steps=50_000,
        events=4,
        evaluations=200_016,
    )
    spec = parse(knee_model(title), "planar-knee")
    given: dict[str, Any] = {
        "audit": audit,
        "spec": spec,
        "status": "reached the end",
        "wall_time": 0.21,
    } | changes
    return Results(dataset, **given)


def knee_model(title: str = "Planar knee") -> str:
    """The knee's model file."""
    shaft = [(-0.2, -0.012), (0.15, -0.014), (0.2, -0.03), (PLATEAU, -0.036), (PLATEAU, 0.04)]
    shaft += [(0.2, 0.032), (0.15, 0.014), (-0.2, 0.012), (-0.2, -0.012)]
    ligaments = [
        f"  {name}:\n    from: {{body: femur, at: {list(femoral)}}}\n    to: {{body: tibia, at: {list(tibial)}}}\n"
        f"    law: {{kind: quadratic, stiffness: {stiffness}}}\n    rest_length: {rest}"
        + (f"\n    allowed_strain: {allowed}" if np.isfinite(allowed) else "")
        for name, (femoral, tibial, rest, stiffness, allowed) in LIGAMENTS.items()
    ]
    written = {"title": json.dumps(title), "drawing": json.dumps(shaft), "ligaments": "\n".join(ligaments)}
    return MODEL % written


def _tensions(z: complex, turn: complex) -> dict[str, tuple[complex, complex, float, float]]:
    """Ends, length and tension of every ligament; the plane as complex numbers."""
    found = {}
    for name, (femoral, tibial, rest, stiffness, _) in LIGAMENTS.items():
        start, end = complex(*femoral), z + turn * complex(*tibial)
        length = abs(end - start)
        found[name] = (start, end, length, stiffness * max(length - rest, 0.0) ** 2)
    return found


def _pulse(time: Any, amplitude: float = 150.0, lasting: float = 0.05) -> Any:
    return (
        amplitude * np.exp(-4.73 * (time / lasting) ** 2) * np.sin(np.pi * time / lasting)
    )  # Machado 2010, Eq. 30


def _rates(time: float, state: Array) -> list[float]:
    z, phi, v, spin = complex(state[0], state[1]), state[2], complex(state[3], state[4]), state[5]
    turn = np.exp(1j * phi)
    force, moment = -9.81j * MASS + _pulse(time) * turn, 0.0
    for start, end, length, tension in _tensions(z, turn).values():
        pull = tension * (start - end) / length
        force += pull
        moment += ((end - z).conjugate() * pull).imag
    depth = PLATEAU + RADIUS + (z * turn.conjugate()).real
    if depth > 0.0:
        push, point = -STIFFNESS * depth**1.5 * turn, -RADIUS * turn
        force += push
        moment += ((point - z).conjugate() * push).imag
    return [v.real, v.imag, spin, force.real / MASS, force.imag / MASS, moment / INERTIA]


def knee_dataset(samples: int) -> xr.Dataset:
    """The knee's motion with every variable the engine gives."""
    time = np.linspace(0.0, 0.5, samples)
    start = [-0.2016, -0.1749, np.deg2rad(35.21), 0.0, 0.0, 0.0]
    y = solve_ivp(_rates, (0.0, 0.5), start, t_eval=time, rtol=1e-7, atol=1e-9, max_step=2e-3).y
    z, turn = y[0] + 1j * y[1], np.exp(1j * y[2])
    bodies, sides, ends = ["femur", "tibia"], ["first", "second"], ["origin", "insertion"]
    ligaments = [_tensions(complex(a), complex(b)) for a, b in zip(z, turn, strict=True)]
    length = np.array([[row[name][2] for name in LIGAMENTS] for row in ligaments])
    tension = np.array([[row[name][3] for name in LIGAMENTS] for row in ligaments])
    points = np.array([[_plane(row[name][:2]) for name in LIGAMENTS] for row in ligaments])
    rest = np.array([given[2] for given in LIGAMENTS.values()])
    depth = PLATEAU + RADIUS + (z * turn.conj()).real
    normal_force = STIFFNESS * np.maximum(depth, 0.0) ** 1.5
    touch = -(RADIUS - depth / 2) * turn
    local = np.stack([_plane(touch), _plane((touch - z) * turn.conj())], axis=1)
    speed = y[3] + 1j * y[4]
    load = _pulse(time) * turn
    kinds, energy = _energies(time, y, length - rest, depth, (load * speed.conj()).real)
    still = np.zeros(samples)
    data: dict[str, Any] = {
        "position": (("time", "body", "axis"), np.stack([_plane(still * 1j), _plane(z)], axis=1)),
        "angle": (("time", "body"), np.stack([still, y[2]], axis=1)),
        "velocity": (("time", "body", "axis"), np.stack([_plane(still * 1j), _plane(speed)], axis=1)),
        "angular_velocity": (("time", "body"), np.stack([still, y[5]], axis=1)),
        "ligament_length": (("time", "ligament"), length),
        "ligament_strain": (("time", "ligament"), length / rest - 1.0),
        "ligament_force": (("time", "ligament"), tension),
        "ligament_point": (("time", "ligament", "end", "axis"), points),
        "contact_depth": (("time", "contact"), depth[:, None]),
        "contact_rate": (("time", "contact"), np.gradient(depth, time)[:, None]),
        "contact_normal_force": (("time", "contact"), normal_force[:, None]),
        "contact_friction": (("time", "contact"), still[:, None]),
        "contact_point": (("time", "contact", "axis"), _plane(touch)[:, None]),
        "contact_normal": (("time", "contact", "axis"), _plane(turn)[:, None]),
        "contact_point_local": (("time", "contact", "side", "axis"), local[:, None]),
        "load": (("time", "force", "axis"), _plane(load)[:, None]),
        "load_point": (("time", "force", "axis"), _plane(z)[:, None]),
        "measure_value": (("time", "measure"), 90.0 - np.rad2deg(y[2])[:, None]),
        "energy": (("time", "kind"), energy),
        "outline": (("profile", "vertex", "axis"), _outlines()),
        "ligament_allowed_strain": (("ligament",), np.array([given[4] for given in LIGAMENTS.values()])),
        "ligament_broken_time": (("ligament",), np.full(len(LIGAMENTS), np.nan)),
    }
    coords = {
        "time": time,
        "body": bodies,
        "axis": AXES,
        "ligament": list(LIGAMENTS),
        "contact": ["tibiofemoral"],
        "side": sides,
        "end": ends,
        "force": ["pulse"],
        "measure": ["flexion"],
        "kind": kinds,
        "profile": ["condyle", "plateau"],
        "measure_unit": ("measure", ["deg"]),
    }
    return xr.Dataset(data, coords)


def _plane(values: Any) -> Array:
    """Complex numbers as points with z = 0."""
    values = np.asarray(values)
    return np.stack([values.real, values.imag, np.zeros(values.shape)], axis=-1)


def _energies(time: Array, y: Array, stretch: Array, depth: Array, power: Array) -> tuple[list[str], Array]:
    kinetic = 0.5 * MASS * (y[3] ** 2 + y[4] ** 2) + 0.5 * INERTIA * y[5] ** 2
    stiffness = np.array([given[3] for given in LIGAMENTS.values()])
    ligament = (stiffness * np.maximum(stretch, 0.0) ** 3 / 3).sum(axis=1)
    contact = 0.4 * STIFFNESS * np.maximum(depth, 0.0) ** 2.5
    gravity = MASS * 9.81 * y[1]
    work = np.append(0.0, np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(time)))
    residual = 3e-11 * np.sin(40 * time) * time
    parts = {
        "kinetic": kinetic,
        "gravity": gravity,
        "ligament": ligament,
        "contact": contact,
        "load_work": work,
    }
    parts |= {"dissipated": np.zeros_like(time), "residual": residual}
    return list(parts), np.column_stack(list(parts.values()))


def _outlines() -> Array:
    outlines = np.full((2, 73, 3), np.nan)
    turn = np.linspace(-np.pi, np.pi, 73)
    outlines[0] = _plane(RADIUS * np.exp(1j * turn))
    outlines[1, :2] = [[PLATEAU, -0.036, 0.0], [PLATEAU, 0.04, 0.0]]
    return outlines


def ball_results(samples: int = 801) -> Results:
    """A ball bouncing on a line: no ligament, load or measure; micrometres deep, a metre apart."""
    time = np.linspace(0.0, 2.0, samples)
    height, depth = _bounces(time)
    still = np.zeros(samples)
    centre = _plane(1j * (0.1 + height))
    touch, up = _plane(1j * height)[:, None], _plane(np.full(samples, 1j))[:, None]
    outlines = np.full((2, 73, 3), np.nan)
    outlines[0] = _plane(0.1 * np.exp(1j * np.linspace(-np.pi, np.pi, 73)))
    outlines[1, :5, 0] = np.linspace(5.0, -5.0, 5)
    outlines[1, :5, 1:] = 0.0
    local = np.stack([touch - centre[:, None], touch], axis=2)
    energy = np.column_stack([0.5 * np.gradient(height, time) ** 2, 9.81 * height])
    data: dict[str, Any] = {
        "position": (("time", "body", "axis"), np.stack([centre, _plane(still * 1j)], axis=1)),
        "angle": (("time", "body"), np.zeros((samples, 2))),
        "contact_depth": (("time", "contact"), depth[:, None]),
        "contact_normal_force": (("time", "contact"), 4e8 * np.maximum(depth, 0.0)[:, None] ** 1.5),
        "contact_point": (("time", "contact", "axis"), touch),
        "contact_normal": (("time", "contact", "axis"), up),
        "contact_point_local": (("time", "contact", "side", "axis"), local),
        "energy": (("time", "kind"), energy),
        "outline": (("profile", "vertex", "axis"), outlines),
    }
    coords = {
        "time": time,
        "body": ["ball", "ground"],
        "axis": AXES,
        "contact": ["bounce"],
        "side": ["first", "second"],
        "kind": ["kinetic", "gravity"],
        "profile": ["ball", "floor"],
    }
    audit = Audit(0.0, 9.8, 1e-6, deepest_penetration={"bounce": float(depth.max())}, steps=200_000, events=6)
    return Results(xr.Dataset(data, coords), parse(BALL, "bouncing-ball"), audit)


def _bounces(time: Array) -> tuple[Array, Array]:
    """Height of the ball's lowest point [m] and depth [m]; every bounce lasts 2 ms and keeps 0.8 of the speed."""
    height, depth = np.zeros_like(time), np.zeros_like(time)
    start, speed, lasting = -np.sqrt(2.0 / 9.81), np.sqrt(2.0 * 9.81), 2e-3
    while start < time[-1]:
        flight = 2.0 * speed / 9.81
        since = time - start
        flying, touching = (since >= 0) & (since < flight), (since >= flight) & (since < flight + lasting)
        height[flying] = speed * since[flying] - 0.5 * 9.81 * since[flying] ** 2
        depth[flying] = -height[flying]
        depth[touching] = (
            speed * lasting / np.pi * 1e-2 * np.sin(np.pi * (since[touching] - flight) / lasting)
        )
        height[touching] = -depth[touching]
        start, speed = start + flight + lasting, 0.8 * speed
    return height, depth


def chain_results(count: int, samples: int = 41) -> Results:
    """A row of swinging bodies without contacts, ligaments, loads or measures."""
    time = np.linspace(0.0, 1.0, samples)
    names = [f"link{k}" for k in range(count)]
    angle = 0.3 * np.sin(6.0 * time[:, None] + np.arange(count))
    position = np.cumsum(_plane(0.1 * np.exp(1j * angle)), axis=1)
    data: dict[str, Any] = {
        "position": (("time", "body", "axis"), position),
        "angle": (("time", "body"), angle),
    }
    rod = "[[[-0.05, -0.005], [0.05, -0.005], [0.05, 0.005], [-0.05, 0.005], [-0.05, -0.005]]]"
    bodies = "".join(f"  {name}: {{mass: 1, inertia: 1, drawing: {rod}}}\n" for name in names)
    spec = parse(f"condyle: 1\ntitle: Chain\nbodies:\n{bodies}run: {{duration: 1}}\n", "chain")
    return Results(xr.Dataset(data, {"time": time, "body": names, "axis": AXES}), spec, Audit(0.0, 1.0, 1e-6))


def mechanism_results(model: str = mechanisms.MODEL, samples: int = 41) -> Results:
    """A crank with a beam on it: joints, a driver, springs and beams of two lengths."""
    return Results(mechanisms.dataset(samples), parse(model, "mechanism"), Audit(0.0, 1.0, 1e-6))
