"""Beams, joints, drivers and springs of the moving picture, as data that the page draws.

beam      name, thick (height of the section [m]), x, y, strain (columns, one for each station)
joint     name, kind, x, y, fx, fy (columns of the force on the second body), torque (column or null),
          x0, y0 (columns of the other end of a rod), turn, along (column of the first body's angle [rad] or null, and
          the angle of the line that a slider follows in its frame)
driver    name, unit, effort (column), x, y (columns), and fx, fy of what is pushed; null where it turns
spring    name, unit, turns (whether it acts on an angle), extent, effort (columns), ends (columns x0, y0, x1, y1)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from condyle.multibody.declarations import AngleSpec, AttachmentSpec, CoordinateSpec, DistanceSpec
from condyle.multibody.joint_declarations import (
    HoldSpec,
    Joint,
    PointOnLineSpec,
    RevoluteSpec,
    RodSpec,
    TranslationalSpec,
)
from condyle.view.columns import Array
from condyle.view.run import Run, largest

Points = tuple[Array, Array]
# Stations by which all beams together are drawn, and the fewest of one.
STATIONS, FEWEST = 66, 9
# Torques below this part of the force [N m of N] are what rounding leaves.
ROUND_OFF = 1e-9


def mechanism(run: Run) -> dict[str, Any]:
    """What the picture needs of beams, joints, drivers and springs, with the scales of their colours and arrows."""
    joints = [joint for name in run.labels("joint") if (joint := _joint(run, name))]
    drivers = [driver for name in run.labels("driver") if (driver := _driver(run, name))]
    efforts = [run.values("driver_effort", one["name"]) for one in drivers if one["fx"] is not None]
    return {
        "beams": [_beam(run, name) for name in run.labels("beam") if stations(run, name)],
        "joints": joints,
        "drivers": drivers,
        "springs": [spring for name in run.labels("spring") if (spring := _spring(run, name))],
        "beam_strain": largest_strain(run),
        "joint_force": largest(*(joint_size(run, one["name"]) for one in joints)),
        "driver_force": largest(*efforts),
    }


def stations(run: Run, beam: str) -> list[str]:
    """Labels of the stations by which a beam is drawn: all it has, or fewer of many, both ends among them."""
    keys = [name for name in run.labels("station") if run.has(("beam_position", beam, name, "x"))]
    known = [name for name in keys if len(arcs(run, beam, [name]))]
    most = max(FEWEST, STATIONS // max(len(run.labels("beam")), 1))
    # An even step keeps to nodes or to the middles between them.
    step = math.ceil((len(known) - 1) / (most - 1)) if len(known) > most else 1
    return known[:-1:step] + known[-1:]


def arcs(run: Run, beam: str, labels: list[str]) -> Array:
    """Lengths along a beam at rest [m] at those of its stations that it has, shape (n,)."""
    if "beam_arc" not in run.dataset or not labels:
        return np.zeros(0)
    found = run.dataset["beam_arc"].sel(beam=beam, station=[int(name) for name in labels]).values
    return np.asarray(found[np.isfinite(found)], dtype=float)


def largest_strain(run: Run) -> float:
    """Top of the colour scale of beams: the largest strain at their surfaces."""
    if "beam_surface_strain" not in run.dataset:
        return 0.0
    return largest(np.asarray(run.dataset["beam_surface_strain"].values, dtype=float))


def joint_size(run: Run, joint: str) -> Array:
    """Magnitude of a joint's force [N], shape (n_time,)."""
    return np.hypot(*(run.values("joint_force", joint, axis) for axis in "xy"))


def turning_joints(run: Run) -> list[str]:
    """Joints with a torque that is more than what rounding leaves."""
    names = [name for name in run.labels("joint") if run.has(("joint_torque", name))]
    return [
        name
        for name in names
        if largest(run.values("joint_torque", name)) > ROUND_OFF * largest(joint_size(run, name))
    ]


def _beam(run: Run, name: str) -> dict[str, Any]:
    labels = stations(run, name)
    size = largest(*(run.values("beam_position", name, label, axis) for label in labels for axis in "xy"))
    place = {
        axis: [_follow(run, size, "beam_position", name, label, axis) for label in labels] for axis in "xy"
    }
    strain = [_follow(run, largest_strain(run), "beam_surface_strain", name, label) for label in labels]
    return {"name": name, "thick": run.facts.beam_height(name), "strain": strain} | place


def _follow(run: Run, size: float, *key: str) -> int:
    """A series that has no say in which samples are kept, to the digits that can be seen."""
    digits = 5 - math.floor(math.log10(size)) if size > 0.0 else 5
    return run.columns.follow(np.round(run.values(*key), digits), "seen", *key)


def _joint(run: Run, name: str) -> dict[str, Any]:
    """Nothing for a joint that holds a measure: it acts at no one place."""
    declared = run.facts.joint(name)
    keys = [(of, name, axis) for of in ("joint_point", "joint_force") for axis in "xy"]
    if declared is None or isinstance(declared, HoldSpec) or not run.has(*keys):
        return {}
    x, y, fx, fy = (run.columns.take(*key) for key in keys)
    turns = name in turning_joints(run)
    joint = {
        "name": name,
        "kind": declared.kind,
        "torque": run.columns.take("joint_torque", name) if turns else None,
    }
    return joint | {"x": x, "y": y, "fx": fx, "fy": fy} | _line(run, name, declared)


def _line(run: Run, name: str, joint: Joint) -> dict[str, Any]:
    """What gives a rod its other end and a slider its direction."""
    found: dict[str, Any] = {"x0": None, "y0": None, "turn": None, "along": 0.0}
    if isinstance(joint, RodSpec) and (start := held(run, joint.origin)):
        found["x0"], found["y0"] = (
            run.columns.add(part, "rod", name, axis) for part, axis in zip(start, "xy", strict=True)
        )
    if isinstance(joint, TranslationalSpec | PointOnLineSpec):
        found["along"] = math.atan2(joint.direction[1], joint.direction[0])
        if run.has(("angle", joint.origin.body)):
            found["turn"] = run.columns.take("angle", joint.origin.body)
    return found


def held(run: Run, place: AttachmentSpec) -> Points | None:
    """Where a point of a body or frame is [m]; None where its body has no motion."""
    body, (x, y) = place.body, place.at
    if not run.has(("position", body, "x"), ("position", body, "y"), ("angle", body)):
        return None
    cosine, sine = np.cos(run.values("angle", body)), np.sin(run.values("angle", body))
    px, py = (run.values("position", body, axis) for axis in "xy")
    return px + cosine * x - sine * y, py + sine * x + cosine * y


def pivot(run: Run, origin: str, target: str) -> Points | None:
    """Where two bodies turn about each other: their pin if they have one, else the centre of the second one."""
    for name in run.labels("joint"):
        joint = run.facts.joint(name)
        if isinstance(joint, RevoluteSpec) and {joint.origin.body, joint.target.body} == {origin, target}:
            return held(run, joint.target)
    return held(run, AttachmentSpec(body=target))


def _driver(run: Run, name: str) -> dict[str, Any]:
    measure = run.facts.driven(name)
    if measure is None or not run.has(("driver_effort", name)):
        return {}
    effort = measure.sign * run.values("driver_effort", name)
    push: Points | None = None
    if isinstance(measure, AngleSpec):
        at = pivot(run, measure.origin, measure.target)
    else:
        if not isinstance(measure, CoordinateSpec | DistanceSpec):
            return {}
        at = held(run, measure.of if isinstance(measure, CoordinateSpec) else measure.target)
        along = _direction(run, measure)
        push = None if along is None else (effort * along[0], effort * along[1])
        if push is None:
            return {}
    if at is None:
        return {}
    parts = {"effort": effort, "x": at[0], "y": at[1]}
    parts |= {} if push is None else {"fx": push[0], "fy": push[1]}
    taken = {key: run.columns.add(part, "driver", name, key) for key, part in parts.items()}
    return {"name": name, "unit": run.effort_unit("driver", name), "fx": None, "fy": None} | taken


def _direction(run: Run, measure: CoordinateSpec | DistanceSpec) -> Points | None:
    """Unit direction along which a point moves that makes a distance or coordinate grow."""
    if isinstance(measure, DistanceSpec):
        ends = held(run, measure.origin), held(run, measure.target)
        if ends[0] is None or ends[1] is None:
            return None
        x, y = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
        size = np.maximum(np.hypot(x, y), 1e-300)
        return x / size, y / size
    turn = np.zeros(len(run.values("time")))
    if measure.frame is not None:
        if not run.has(("angle", measure.frame)):
            return None
        turn = run.values("angle", measure.frame)
    quarter = 0.0 if measure.axis == "x" else np.pi / 2
    return np.cos(turn + quarter), np.sin(turn + quarter)


def _spring(run: Run, name: str) -> dict[str, Any]:
    keys = [("spring_point", name, end, axis) for end in ("origin", "insertion") for axis in "xy"]
    if not run.has(("spring_effort", name), ("spring_extent", name), *keys):
        return {}
    ends = [run.columns.take(*key) for key in keys]
    bodies = run.facts.turned_by_spring(name)
    if bodies is not None and (at := pivot(run, *bodies)) is not None:
        ends = [
            run.columns.add(part, "spring", name, axis) for part, axis in zip((*at, *at), "xyXY", strict=True)
        ]
    return {
        "name": name,
        "unit": run.effort_unit("spring", name),
        "turns": bodies is not None,
        "extent": run.columns.take("spring_extent", name),
        "effort": run.columns.take("spring_effort", name),
        "ends": ends,
    }
