"""Beams, frames, joints, drivers and springs of a model in one line each."""

from __future__ import annotations

import math
from collections.abc import Mapping

from condyle.beams.declarations import BeamSpec, FrameSpec
from condyle.model.declarations import ModelSpec, RunSpec
from condyle.model.describe_space import orientation_words
from condyle.multibody.declarations import AttachmentSpec, TableFields, is_angle
from condyle.multibody.joint_declarations import (
    ConstantSpeedSpec,
    DriverSpec,
    HarmonicSpec,
    HoldSpec,
    Joint,
    PolynomialSpec,
    RodSpec,
    SixDegreeSpec,
    TranslationalSpec,
    WeldSpec,
)
from condyle.multibody.joint_declarations import PointOnLineSpec as LineSpec
from condyle.multibody.spring_declarations import (
    MeasureSpringSpec,
    RotationalSpringSpec,
    Spring,
    TranslationalSpringSpec,
)

AS_PLACED = "as the file places them"


def mechanism_rows(model: ModelSpec) -> dict[str, Mapping[str, str]]:
    """A sentence for each of them, by section."""
    return {
        "beams": {name: _beam(beam) for name, beam in model.beams.items()},
        "frames": {name: _frame(frame) for name, frame in model.frames.items()},
        "joints": {name: _joint(joint, model) for name, joint in model.joints.items()},
        "drivers": {name: _driver(driver, model) for name, driver in model.drivers.items()},
        "springs": {name: _spring(spring, model) for name, spring in model.springs.items()},
    }


def stabilization(model: ModelSpec) -> dict[str, str]:
    """What keeps joints and drivers together in a run; nothing where there are none."""
    return {"joints": _kept(model.run)} if model.joints or model.drivers else {}


def _kept(run: RunSpec) -> str:
    if run.stabilization == "projection":
        return f"kept together by projection where they drift by more than {run.drift_tolerance:g}"
    if run.stabilization == "baumgarte":
        return f"kept together by Baumgarte's method, alpha = beta = {run.baumgarte_rate:g} 1/s"
    return "not kept from drifting"


def length(metres: float) -> str:
    """A length in mm, or in m from one metre on."""
    return f"{1e3 * metres:g} mm" if abs(metres) < 1.0 else f"{metres:g} m"


def degrees(radians: float) -> str:
    """An angle in degrees."""
    return f"{math.degrees(radians):g} deg"


def vector(values: tuple[float, ...]) -> str:
    """Two or three numbers in brackets."""
    return f"({', '.join(f'{value:g}' for value in values)})"


def place(attachment: AttachmentSpec) -> str:
    """A point on a body or frame."""
    return f"{attachment.body} {vector(attachment.at)}"


def _beam(beam: BeamSpec) -> str:
    if beam.start is not None and beam.end is not None:
        shape = f"straight, {length(math.dist(beam.start, beam.end))}"
    else:
        shape = f"curved through {len(beam.points or ())} points"
    axial, bending, shear = beam.stiffness
    parts = [f"{shape} in {beam.elements} {beam.kind} elements", f"EA = {axial:g} N, EI = {bending:g} N m^2"]
    parts += [f"kGA = {shear:g} N"] if math.isfinite(shear) else []
    parts.append(f"{beam.line_density:g} kg/m")
    parts += [f"damping time {beam.damping:g} s"] if beam.damping else []
    parts += [f"starts with {vector(beam.velocity)} m/s"] if beam.velocity != (0.0, 0.0) else []
    parts += [f"turns with {beam.angular_velocity:g} rad/s"] if beam.angular_velocity else []
    return ", ".join(parts)


def _frame(frame: FrameSpec) -> str:
    if frame.body is not None:
        return f"axes at {vector(frame.at)} m of {frame.body}{orientation_words(frame.orientation)}"
    known = {0.0: "the beginning", 1.0: "the end", 0.5: "the middle"}
    return f"{known.get(frame.along or 0.0, f'{frame.along:g} of the length')} of {frame.beam}"


def _joint(joint: Joint, model: ModelSpec) -> str:
    if isinstance(joint, HoldSpec):
        shown = degrees if is_angle(model.measures[joint.measure]) else length
        return f"holds {joint.measure} {AS_PLACED if joint.value is None else f'at {shown(joint.value)}'}"
    parts = [f"{joint.kind}, {place(joint.origin)} and {place(joint.target)}"]
    if isinstance(joint, TranslationalSpec | LineSpec):
        parts.append(f"along {vector(joint.direction)} of {joint.origin.body}")
    if isinstance(joint, SixDegreeSpec):
        parts.append(f"angles {joint.sequence}, holds {', '.join(joint.held) or 'nothing'}")
    axis = getattr(joint, "axis", None) or getattr(joint, "normal", None)
    parts += [f"about {vector(axis)} of {joint.origin.body}"] if axis is not None else []
    if isinstance(joint, TranslationalSpec | WeldSpec) and joint.angle is not None:
        parts.append(f"turned by {degrees(joint.angle)}")
    if isinstance(joint, RodSpec):
        parts.append(f"apart {AS_PLACED}" if joint.length is None else f"{length(joint.length)} apart")
    return ", ".join(parts)


def _driver(driver: DriverSpec, model: ModelSpec) -> str:
    motion, turns = driver.motion, is_angle(model.measures[driver.measure])
    shown = degrees if turns else length
    if isinstance(motion, ConstantSpeedSpec):
        start = "" if motion.start is None else f" from {shown(motion.start)}"
        return f"{driver.measure} at {shown(motion.speed)}/s{start}"
    if isinstance(motion, HarmonicSpec):
        phase = f", phase {degrees(motion.phase)}" if motion.phase else ""
        about = f"to and fro by {shown(motion.amplitude)} about {shown(motion.mean)}"
        return f"{driver.measure} {about}, {motion.frequency:g} Hz{phase}"
    if isinstance(motion, PolynomialSpec):
        return f"{driver.measure} as a polynomial of time of degree {len(motion.coefficients) - 1}"
    return f"{driver.measure} through {table_words(motion, motion.times)}"


def table_words(table: TableFields, times: list[float] | None) -> str:
    """Where a table comes from, and whether it repeats."""
    rows = f"a table of {len(times or ())} instants"
    source = rows if table.file is None else f"column {table.column} of {table.file}"
    return f"{source}, cycle by cycle" if table.repeat else source


def _spring(spring: Spring, model: ModelSpec) -> str:
    if isinstance(spring, MeasureSpringSpec):
        turns = is_angle(model.measures[spring.measure])
    else:
        turns = isinstance(spring, RotationalSpringSpec)
    unit, damping = ("N m/rad", "N m s/rad") if turns else ("N/m", "N s/m")
    if isinstance(spring, MeasureSpringSpec):
        stiffness = "" if spring.stiffness is None else f", {spring.stiffness:g} {unit}"
        loss = f", damping {spring.damping:g} {damping}" if spring.damping else ""
        return f"on {spring.measure}{stiffness}{loss}"
    parts = [_between(spring)]
    parts += [f"{spring.stiffness:g} {unit}"] if spring.stiffness is not None else []
    if spring.table is not None:
        parts.append(
            f"a table of {len(spring.table.model_dump()['angles' if turns else 'elongations'])} values"
        )
    parts += [f"damping {spring.damping:g} {damping}"] if spring.damping else []
    if spring.stops is not None:
        bounds = [
            degrees(x) if turns else length(x)
            for x in (spring.stops.least, spring.stops.most)
            if x is not None
        ]
        parts.append(f"stops at {' and '.join(bounds)}")
    rest = spring.rest_angle if isinstance(spring, RotationalSpringSpec) else spring.rest_length
    if spring.stiffness is not None or spring.table is not None:
        at = AS_PLACED if rest is None else f"at {degrees(rest) if turns else length(rest)}"
        parts.append(f"without effort {at}")
    return ", ".join(parts)


def _between(spring: TranslationalSpringSpec | RotationalSpringSpec) -> str:
    if isinstance(spring, TranslationalSpringSpec):
        return f"{place(spring.origin)} to {place(spring.target)}"
    return f"angle from {spring.origin} to {spring.target}"
