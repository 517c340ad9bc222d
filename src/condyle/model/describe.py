"""What a model consists of, as rows of words for the terminal and for `print(spec)`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.contact.declarations import AnyContact, ContactSpec, ProfileSpec, asked_restitution
from condyle.contact.law_declarations import CoulombSpec, KelvinVoigtSpec
from condyle.contact.outline_declarations import OutlineSpec
from condyle.laws.contact import delivered
from condyle.model.declarations import FIXED_STEP, ModelSpec, RunSpec
from condyle.model.describe_mechanisms import degrees as _degrees
from condyle.model.describe_mechanisms import length as _length
from condyle.model.describe_mechanisms import mechanism_rows, stabilization, table_words
from condyle.model.describe_mechanisms import place as _at
from condyle.model.describe_mechanisms import vector as _vector
from condyle.model.describe_space import foundation_words, orientation_words, surface_words
from condyle.multibody.declarations import (
    AngleSpec,
    BodySpec,
    ConstantCourseSpec,
    CoordinateSpec,
    DecayingSineSpec,
    EffortSpec,
    ForceSpec,
    RotationSpec,
    TableSpec,
    TorqueSpec,
    is_angle,
)
from condyle.multibody.ligament_declarations import Strand, ToeLinearLigamentSpec
from condyle.spec.errors import shown

if TYPE_CHECKING:
    from condyle.model.spec import Spec


@dataclass(frozen=True)
class Section:
    """One part of a model: its title, and a name with a sentence for each thing in it."""

    title: str
    rows: tuple[tuple[str, str], ...]


def described(spec: Spec) -> str:
    """The sections as text."""
    sections = describe(spec)
    width = max((len(name) for section in sections for name, _ in section.rows), default=0)
    lines = [f"{spec.name}: {spec.model.title}"]
    for section in sections:
        lines += ["", section.title, *(f"  {name:{width}}  {words}" for name, words in section.rows)]
    return "\n".join(lines)


def describe(spec: Spec) -> list[Section]:
    """What the model consists of; parts it does not have are left out."""
    model = spec.model
    rows: dict[str, Mapping[str, str]] = {
        "bodies": {name: _body(body) for name, body in model.bodies.items()},
        "materials": {name: _material(model, name) for name in model.materials},
        "profiles": {name: _profile(profile) for name, profile in model.profiles.items()},
        "surfaces": {name: surface_words(surface) for name, surface in model.surfaces.items()},
        "contacts": {name: _any_contact(model, contact) for name, contact in model.contacts.items()},
        "ligaments": {name: _strand(strand) for name, strand in model.strands().items()},
        **mechanism_rows(model),
        "forces": {name: _load(model, load) for name, load in model.forces.items()},
        "measures": {name: _measure(measure) for name, measure in model.measures.items()},
        "run": _run(model.run) | stabilization(model) | {"gravity": f"{_vector(model.gravity)} m/s^2"},
        "variants": {name: _variant(changes) for name, changes in model.variants.items()},
        "changed": {path: _plain(value) for path, value in spec.overrides.items()},
    }
    return [Section(title, tuple(found.items())) for title, found in rows.items() if found]


def delivered_restitution(model: ModelSpec, contact: ContactSpec) -> tuple[float, float] | None:
    """Restitution asked and delivered in a free impact [-]; None where it follows from the damping."""
    if isinstance(contact.law, KelvinVoigtSpec):
        return None
    materials = [model.materials.get(model.profiles[name].material or "") for name in contact.between]
    asked = asked_restitution(contact.law, *materials)
    asked = 1.0 if asked is None else asked
    return asked, delivered(contact.law.kind, asked)


def _body(body: BodySpec) -> str:
    in_space = len(body.position) == 3
    turned = orientation_words(body.orientation) if in_space else f", {_degrees(body.angle)}"
    place = f"at {_vector(body.position)} m{turned}"
    if body.fixed:
        return f"fixed {place}"
    start = f", starts with {_vector(body.velocity)} m/s" if any(body.velocity) else ""
    spin = body.angular_velocity
    turn = f", turns with {_number_or_vector(spin)} rad/s" if np.any(spin) else ""
    return f"{body.mass:g} kg, {_inertia(body)} kg m^2, {place}{start}{turn}"


def _number_or_vector(value: float | tuple[float, ...]) -> str:
    return _vector(value) if isinstance(value, tuple) else f"{value:g}"


def _inertia(body: BodySpec) -> str:
    """A moment of inertia, or the diagonal of a tensor and whether there is more."""
    if not isinstance(body.inertia, tuple):
        return f"{body.inertia:g}"
    tensor = np.array(body.inertia)
    more = " and products" if np.count_nonzero(tensor - np.diag(np.diag(tensor))) else ""
    return f"{_vector(tuple(np.diag(tensor).tolist()))}{more}"


def _material(model: ModelSpec, name: str) -> str:
    material = model.materials[name]
    parts = [f"E = {material.young:g} Pa, nu = {material.poisson:g}"]
    if material.restitution is not None:
        parts.append(f"restitution {material.restitution:g}")
    if material.friction is not None:
        parts.append(f"friction {material.friction:g}")
    return ", ".join(parts)


def _profile(profile: ProfileSpec) -> str:
    made = profile.effective_interpolation
    how = "exact" if made == "exact" else f"{made} in {profile.effective_form} form"
    material = f", {profile.material}" if profile.material else ""
    return f"{_outline(profile.outline)} on {profile.body}, {how}{material}"


def _outline(outline: OutlineSpec) -> str:
    if outline.circle is not None:
        kind = "hollow circle" if outline.circle.hollow else "circle"
        return f"{kind} of radius {_length(outline.circle.radius)}"
    if outline.point is not None:
        return f"point {_vector(outline.point)}"
    if outline.line is not None:
        return f"line of {_length(math.dist(outline.line.start, outline.line.end))}"
    if outline.path is not None:
        return f"path of {len(outline.path.pieces)} pieces, {outline.path.samples} points"
    return f"{len(outline.points)} points" if outline.points is not None else f"points of {outline.file}"


def _any_contact(model: ModelSpec, contact: AnyContact) -> str:
    return _contact(model, contact) if isinstance(contact, ContactSpec) else foundation_words(contact)


def _contact(model: ModelSpec, contact: ContactSpec) -> str:
    law = contact.law
    parts = [f"{' and '.join(contact.between)}: {law.kind}", _restitution_words(model, contact)]
    first, second = (model.profiles[name] for name in contact.between)
    radii = " and ".join(_radius(radius) for radius in contact.effective_radii(first, second))
    unit = "N/m" if isinstance(law, KelvinVoigtSpec) else f"N/m^{law.exponent:g}"
    parts.append(
        f"K = {law.stiffness:g} {unit}" if law.stiffness is not None else f"K from the radii {radii}"
    )
    if contact.initial_gap is not None:
        parts.append(f"starts with a gap of {_length(contact.initial_gap)}")
    parts.append(_friction(contact))
    return ", ".join(parts)


def _restitution_words(model: ModelSpec, contact: ContactSpec) -> str:
    found = delivered_restitution(model, contact)
    if found is None:
        return "its restitution follows from damping, stiffness and mass"
    asked, given = found
    if contact.law.kind == "hertz":
        return "loses nothing"
    return f"restitution {asked:g} asked, {given:.2f} delivered"


def _friction(contact: ContactSpec) -> str:
    law = contact.friction
    if law is None:
        return "no friction"
    if isinstance(law, CoulombSpec):
        of = "that of the materials" if law.coefficient is None else f"{law.coefficient:g}"
        return f"coulomb friction {of}"
    return f"brown-mcphee friction {law.static:g} at rest, {law.dynamic:g} sliding"


def _strand(strand: Strand) -> str:
    toe = isinstance(strand.law, ToeLinearLigamentSpec)
    parts = [
        f"{_at(strand.origin)} to {_at(strand.insertion)}: {strand.law.kind}",
        f"{strand.law.stiffness:g} {'N per unit strain' if toe else 'N/m^2'}",
    ]
    if strand.rest_length is not None:
        parts.append(f"slack below {_length(strand.rest_length)}")
    else:
        parts.append(f"strain {strand.reference_strain or 0.0:g} at the start")
    if strand.damping:
        parts.append(f"damping {strand.damping:g} N s/m")
    limits = [] if strand.allowed_strain is None else [f"{100.0 * strand.allowed_strain:g} %"]
    limits += [] if strand.allowed_force is None else [f"{strand.allowed_force:g} N"]
    if limits:
        parts.append(f"{'breaks above' if strand.breaks else 'allowed'} {' or '.join(limits)}")
    return ", ".join(parts)


def _load(model: ModelSpec, load: ForceSpec | TorqueSpec | EffortSpec) -> str:
    course = _course(load.course)
    if isinstance(load, EffortSpec):
        unit = "N m" if is_angle(model.measures[load.measure]) else "N"
        return f"effort of {load.amplitude:g} {unit} along {load.measure}, {course}"
    if isinstance(load, TorqueSpec):
        about = "" if load.direction is None else f" about {_vector(load.direction)}"
        return f"torque of {load.amplitude:g} N m on {load.body}{about}, {course}"
    turning = ", turning with it" if load.frame == "body" else ""
    where = f"{load.body} at {_vector(load.at)} m"
    return f"{load.amplitude:g} N on {where} along {_vector(load.direction)}{turning}, {course}"


def _course(course: ConstantCourseSpec | DecayingSineSpec | TableSpec) -> str:
    if isinstance(course, DecayingSineSpec):
        return f"a decaying sine of {course.duration:g} s"
    if isinstance(course, TableSpec):
        return table_words(course, course.times)
    return "constant"


def _measure(measure: Any) -> str:
    sign = "-" if measure.sign < 0 else ""
    if isinstance(measure, AngleSpec):
        raw, offset = f"angle from {measure.origin} to {measure.target}", _degrees(measure.offset)
    elif isinstance(measure, RotationSpec):
        which = ("first", "second", "third")[measure.which - 1]
        raw = f"{which} angle of {measure.sequence} from {measure.origin} to {measure.target}"
        offset = _degrees(measure.offset)
    elif isinstance(measure, CoordinateSpec):
        frame = f" in {measure.frame}" if measure.frame else ""
        raw, offset = f"{measure.axis} of {_at(measure.of)}{frame}", _length(measure.offset)
    else:
        raw = f"distance from {_at(measure.origin)} to {_at(measure.target)}"
        offset = _length(measure.offset)
    shift = f"{offset} {sign or '+'} " if measure.offset else sign
    return f"{shift}{raw}, in {measure.unit}"


def _run(run: RunSpec) -> dict[str, str]:
    if run.integrator in FIXED_STEP:
        how = f"{run.integrator}, {run.steps():,} steps of {run.step:g} s"
    else:
        how = f"{run.method}, tolerances {run.relative_tolerance:g} relative, {run.absolute_tolerance:g} absolute"
    time = f"{run.duration:g} s, a row every {run.output_step:g} s"
    # Only motion under forces is integrated.
    return {"time": time, "method": how if run.analysis == "forward" else run.analysis}


def _variant(changes: Mapping[str, Any]) -> str:
    told = ", ".join(f"{path} = {_plain(value)}" for path, value in changes.items() if path != "about")
    about = changes.get("about")
    return f"{about} ({told})" if about else told


def _plain(value: object) -> str:
    return value if isinstance(value, str) and len(value) < 60 else shown(value)


def _radius(radius: float | str) -> str:
    return radius if isinstance(radius, str) else _length(radius)
