"""Mechanisms as data for the tests, with the numbers of the references in `reference/`."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.model.spec import Spec
from reference.mechanisms import (
    A_PIVOT,
    B_PIVOT,
    C_END,
    DRIVE,
    O_PIVOT,
    SPRING_LENGTH,
    SPRING_STIFFNESS,
    SQUEEZER,
    SQUEEZER_JOINTS,
    START_BETA,
    squeezer_poses,
    turning,
)
from small_models import Section, model

Pair = tuple[float, float]
GROUND: Section = {"ground": {"fixed": True}}


def pin(first: str, at_first: Pair, second: str, at_second: Pair) -> Section:
    """A revolute joint."""
    return joint("revolute", first, at_first, second, at_second)


def joint(kind: str, first: str, at_first: Pair, second: str, at_second: Pair, **more: Any) -> Section:
    """A joint between points of two bodies."""
    ends = {"from": {"body": first, "at": at_first}, "to": {"body": second, "at": at_second}}
    return {"kind": kind, **ends, **more}


def bar(length: float, mass: float, start: complex, angle: float, **more: Any) -> Section:
    """A uniform bar that begins somewhere; its frame is in its middle."""
    middle = start + 0.5 * length * np.exp(1j * angle)
    inertia = mass * length**2 / 12.0
    return {"mass": mass, "inertia": inertia, "position": pair(middle), "angle": angle, **more}


def pair(place: complex) -> Pair:
    """Coordinates of a point of the plane."""
    return float(place.real), float(place.imag)


def simple_pendulum_model(settings: Section) -> Spec:
    """IFToMM A01: 1 kg on a rod of 1 m without mass, released from the left."""
    bodies = {**GROUND, "bob": {"mass": 1.0, "inertia": 0.3, "position": [-1.0, 0.0]}}
    joints = {"rod": joint("distance", "ground", (0.0, 0.0), "bob", (0.0, 0.0))}
    return model(bodies, settings, gravity=[0.0, -9.81], joints=joints)


def many_four_bars_model(windows: int, settings: Section) -> Spec:
    """IFToMM A02: upright cranks and level couplers of 1 m and 1 kg, whose upper ends set out at 1 m/s along +x."""
    bodies: Section = {**GROUND}
    joints: Section = {}
    half = 0.5
    for k in range(windows + 1):
        bodies[f"crank{k}"] = bar(
            1.0, 1.0, complex(k), np.pi / 2, velocity=[half, 0.0], angular_velocity=-1.0
        )
        joints[f"A{k}"] = pin("ground", (float(k), 0.0), f"crank{k}", (-half, 0.0))
    for k in range(windows):
        bodies[f"coupler{k}"] = bar(1.0, 1.0, k + 1j, 0.0, velocity=[1.0, 0.0])
        joints[f"B{k}"] = pin(f"crank{k}", (half, 0.0), f"coupler{k}", (-half, 0.0))
        joints[f"C{k}"] = pin(f"coupler{k}", (half, 0.0), f"crank{k + 1}", (half, 0.0))
    return model(bodies, settings, gravity=[0.0, -9.81], joints=joints)


def squeezer_model(settings: Section) -> Spec:
    """Andrews' squeezing mechanism at rest, put together by its reference."""
    poses = squeezer_poses(turning(START_BETA, 0.0))
    bodies: Section = {**GROUND}
    for name, body in SQUEEZER.items():
        pose = poses[name]
        place, angle = complex(pose.at(body.centre).place), float(pose.turn.angle)
        bodies[name] = {"mass": body.mass, "inertia": body.inertia, "position": pair(place), "angle": angle}
    pivots = {"O": O_PIVOT, "A": A_PIVOT, "B": B_PIVOT}
    joints = {}
    for first, second, point in SQUEEZER_JOINTS:
        held = pivots[point] if first == "ground" else SQUEEZER[first].from_centre(point)
        ends = first, pair(held), second, pair(SQUEEZER[second].from_centre(point))
        joints[f"{point}-{second}"] = pin(*ends)
    hook = {"body": "K3", "at": pair(SQUEEZER["K3"].from_centre("D"))}
    spring: Section = {"kind": "translational", "from": {"body": "ground", "at": pair(C_END)}, "to": hook}
    spring |= {"stiffness": SPRING_STIFFNESS, "rest_length": SPRING_LENGTH}
    drive = {"kind": "torque", "body": "K1", "amplitude": DRIVE}
    return model(bodies, settings, joints=joints, springs={"spring": spring}, forces={"drive": drive})


def parallelogram_model(bars: int, platform: float, settings: Section) -> Spec:
    """A level platform of 2 m and a mass on parallel cranks of 1 m and 1 kg, upright, moving at 1 m/s along +x."""
    places = np.linspace(-1.0, 1.0, bars)
    bodies: Section = {**GROUND, "platform": bar(2.0, platform, -1.0 + 1j, 0.0, velocity=[1.0, 0.0])}
    joints = {}
    for k, x in enumerate(map(float, places)):
        bodies[f"crank{k}"] = bar(1.0, 1.0, complex(x), np.pi / 2, velocity=[0.5, 0.0], angular_velocity=-1.0)
        joints[f"A{k}"] = pin("ground", (x, 0.0), f"crank{k}", (-0.5, 0.0))
        joints[f"B{k}"] = pin(f"crank{k}", (0.5, 0.0), "platform", (x, 0.0))
    return model(bodies, settings, gravity=[0.0, -9.81], joints=joints)
