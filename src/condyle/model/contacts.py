"""Declared contacts as rows: pairs, the roots they follow, their spots and laws.

Laws are called here as plain functions: compiling them to evaluate them once would take longer than the run.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from condyle._jit import plain
from condyle.contact import detection, forces
from condyle.contact.declarations import (
    ContactSpec,
    MaterialSpec,
    asked_restitution,
    friction_coefficient,
)
from condyle.contact.law_declarations import CoulombSpec, HertzSpec, KelvinVoigtSpec
from condyle.contact.roots import SMOOTH, Pose, facing_root
from condyle.contact.search import MAX_ROOTS, all_roots
from condyle.geometry.convexity import outline_is_convex
from condyle.geometry.curve import CIRCLE, LINE, PLACE_X, PLACE_Y, PlaneCurve, curve_table, shifted
from condyle.laws.contact import CONTACT_LAWS
from condyle.laws.stiffness import compliance, generalised_stiffness, relative_curvature
from condyle.mechanics.system import PAIRS, ROOTS, SPOTS, Array, Integers
from condyle.model.declarations import ModelSpec
from condyle.model.placement import Placement
from condyle.spec.errors import Problem, SpecError

# Roots followed by a pair that is not convex: enough to know which is the deepest of each overlap.
FOLLOWED_ROOTS = 6
# Spots of a pair that is not convex, unless the model says how many.
DEFAULT_SPOTS = 2


@dataclass(frozen=True)
class PairPlan:
    """One contact with all that is known before rows are given out."""

    name: str
    spec: ContactSpec
    curves: tuple[int, int]
    bodies: tuple[str, str]
    method: int
    convex: bool
    n_root: int
    n_spot: int
    size: float
    second_is_finer: bool
    stiffness: float
    radii: tuple[float, float]
    materials: tuple[MaterialSpec | None, MaterialSpec | None]

    @property
    def local_stiffness(self) -> bool:
        """Whether the stiffness follows the curvature at the contact."""
        return math.isnan(self.stiffness)

    @property
    def damped(self) -> bool:
        """Whether the law can pull."""
        return not isinstance(self.spec.law, HertzSpec)


@dataclass(frozen=True)
class CompiledContacts:
    """All contacts of a model; `curves` are the profiles, moved where an initial gap asks for it."""

    pairs: list[PairPlan]
    curves: dict[str, PlaneCurve]

    @property
    def n_root(self) -> int:
        """Roots followed in all."""
        return sum(pair.n_root for pair in self.pairs)

    @property
    def spot_names(self) -> list[str]:
        """Names of the spots: the contact's own, then contact/2 and so on."""
        return [
            pair.name if k == 0 else f"{pair.name}/{k + 1}" for pair in self.pairs for k in range(pair.n_spot)
        ]

    @property
    def spot_pairs(self) -> list[PairPlan]:
        """The contact each spot belongs to."""
        return [pair for pair in self.pairs for _ in range(pair.n_spot)]

    @property
    def spot_pulls(self) -> list[bool]:
        """Whether a spot's force may be clamped, so that the instants must be found."""
        return [pair.damped and _clamps(pair.spec) for pair in self.spot_pairs]

    def fill(self, body_rows: dict[str, int], layout: Integers, index: Integers, value: Array) -> None:
        """Fill the rows of all pairs."""
        root, spot = int(layout[ROOTS]), int(layout[SPOTS])
        for row, pair in enumerate(self.pairs, int(layout[PAIRS])):
            bodies = [body_rows[body] for body in pair.bodies]
            places = [*pair.curves, *bodies, root, pair.n_root, spot, pair.n_spot, pair.method, pair.convex]
            index[row, : len(places)] = places
            index[row, detection.SECOND_IS_FINER] = pair.second_is_finer
            value[row, detection.SIZE] = pair.size
            _fill_law(pair, index[row], value[row])
            _fill_friction(pair, index[row], value[row])
            root, spot = root + pair.n_root, spot + pair.n_spot


def _clamps(spec: ContactSpec) -> bool:
    return isinstance(spec.law, HertzSpec) or spec.law.tension == "clamp"


def compiled_contacts(
    model: ModelSpec, curves: dict[str, PlaneCurve], placement: Placement
) -> CompiledContacts:
    """Plans of all contacts, and the profiles where initial gaps put them."""
    moved = dict(curves)
    for name, contact in model.profile_contacts.items():
        if contact.initial_gap is not None:
            second = contact.between[1]
            moved[second] = _with_gap(name, model, contact, moved, placement)
    order = list(curves)
    return CompiledContacts([_plan(name, model, moved, order) for name in model.profile_contacts], moved)


def _plan(name: str, model: ModelSpec, curves: dict[str, PlaneCurve], order: list[str]) -> PairPlan:
    contact = model.profile_contacts[name]
    profiles = [model.profiles[profile] for profile in contact.between]
    first, second = (curves[profile] for profile in contact.between)
    method = _method(first, second)
    convex = outline_is_convex(first) and outline_is_convex(second)
    single = convex or method != detection.GENERAL
    spots = contact.spots or (1 if single else DEFAULT_SPOTS)
    materials = [model.materials[p.material] if p.material is not None else None for p in profiles]
    radii = [_radius(radius) for radius in contact.effective_radii(profiles[0], profiles[1])]
    return PairPlan(
        name=name,
        spec=contact,
        curves=(order.index(contact.between[0]), order.index(contact.between[1])),
        bodies=(profiles[0].body, profiles[1].body),
        method=method,
        convex=convex,
        n_root=1 if single else FOLLOWED_ROOTS,
        n_spot=1 if single else spots,
        size=smaller_size(first, second),
        second_is_finer=sample_spacing(second) < sample_spacing(first),
        stiffness=_stiffness(name, contact, materials, radii),
        radii=(radii[0], radii[1]),
        materials=(materials[0], materials[1]),
    )


def _method(first: PlaneCurve, second: PlaneCurve) -> int:
    methods = {
        (CIRCLE, CIRCLE): detection.CIRCLE_CIRCLE,
        (CIRCLE, LINE): detection.CIRCLE_LINE,
        (LINE, CIRCLE): detection.LINE_CIRCLE,
    }
    return methods.get((first.form, second.form), detection.GENERAL)


def smaller_size(first: PlaneCurve, second: PlaneCurve) -> float:
    """Size of the smaller outline [m]; a bare point has none."""
    return min(size for size in (curve_size(first), curve_size(second)) if size > 0.0)


def curve_size(curve: PlaneCurve) -> float:
    """Half the diagonal of the box around an outline [m]."""
    points = curve_table([curve]).sample[:, [PLACE_X, PLACE_Y]]
    return float(0.5 * np.hypot(*np.ptp(points, axis=0)))


def sample_spacing(curve: PlaneCurve) -> float:
    """Largest distance between neighbouring samples of an outline [m]."""
    points = curve_table([curve]).sample[:, [PLACE_X, PLACE_Y]]
    return float(np.hypot(*np.diff(points, axis=0).T).max())


def _radius(declared: float | str) -> float:
    """Radius [m]: infinite for flat, NaN where the profile's curvature is to be taken."""
    if isinstance(declared, str):
        return math.inf if declared == "flat" else math.nan
    return declared


def _stiffness(
    name: str, contact: ContactSpec, materials: list[MaterialSpec | None], radii: list[float]
) -> float:
    """Stiffness of a contact [N/m^exponent]; NaN where it depends on the curvature at the contact."""
    if contact.law.stiffness is not None:
        return contact.law.stiffness
    if any(math.isnan(radius) for radius in radii):
        return math.nan
    if not plain(relative_curvature)(radii[0], radii[1]) > 0.0:
        sides = f"the sides do not meet in a point: 1/{radii[0]:g} m + 1/{radii[1]:g} m is not above zero"
        message = f"{sides}; give a hollow side a larger radius, or the law a stiffness"
        raise SpecError([Problem(f"contacts.{name}.radii", message)])
    soft = [plain(compliance)(m.young, m.poisson) for m in materials if m is not None]
    return float(plain(generalised_stiffness)(soft[0], soft[1], radii[0], radii[1]))


def _fill_law(pair: PairPlan, index: Integers, value: Array) -> None:
    law = pair.spec.law
    entry = CONTACT_LAWS[law.kind]
    index[forces.LAW] = entry.kind
    index[forces.CLAMPED] = _clamps(pair.spec)
    index[forces.LOCAL_STIFFNESS] = pair.local_stiffness
    value[forces.STIFFNESS] = pair.stiffness
    value[forces.ONSET_FLOOR] = 1.0
    value[forces.RADIUS_I], value[forces.RADIUS_J] = pair.radii
    for column, material in zip((forces.COMPLIANCE_I, forces.COMPLIANCE_J), pair.materials, strict=True):
        value[column] = math.nan if material is None else plain(compliance)(material.young, material.poisson)
    if isinstance(law, KelvinVoigtSpec):
        value[forces.DAMPING] = law.damping
        return
    value[forces.EXPONENT] = law.exponent
    restitution = asked_restitution(law, *pair.materials)
    if not isinstance(law, HertzSpec) and entry.hysteresis_factor is not None and restitution is not None:
        value[forces.FACTOR] = entry.hysteresis_factor(restitution)
        value[forces.ONSET_FLOOR] = law.onset_floor


def _fill_friction(pair: PairPlan, index: Integers, value: Array) -> None:
    friction = pair.spec.friction
    index[forces.FRICTION] = forces.FRICTIONLESS
    columns = slice(forces.FRICTION_A, forces.FRICTION_D + 1)
    if isinstance(friction, CoulombSpec):
        index[forces.FRICTION] = forces.COULOMB
        value[columns] = friction_coefficient(friction, *pair.materials), friction.slow, friction.fast, 0.0
    elif friction is not None:
        index[forces.FRICTION] = forces.BROWN_MCPHEE
        value[columns] = friction.static, friction.dynamic, friction.viscous, friction.transition_speed


def _with_gap(
    name: str, model: ModelSpec, contact: ContactSpec, curves: dict[str, PlaneCurve], placement: Placement
) -> PlaneCurve:
    """The second profile, moved along the contact's normal until the least gap is as asked.

    Moving a curve along the common normal keeps the facing points facing; a second pass takes care of another root
    that comes nearer on the way, a third of round-off.
    """
    first, second = (curves[profile] for profile in contact.between)
    pose = _pose(model, contact, placement)
    for _ in range(3):
        table, size = curve_table([first, second]), smaller_size(first, second)
        found = np.empty((MAX_ROOTS, 4))
        if not all_roots(table, 0, 1, pose, size, found) or found[0, 0] != SMOOTH:
            message = "the two profiles do not face each other at the start, other than at an end"
            raise SpecError([Problem(f"contacts.{name}.initial_gap", message)])
        root = facing_root(table, 0, 1, pose, found[0, 1], found[0, 2], size)
        distance = root[3] - (contact.initial_gap or 0.0)
        second = shifted(second, distance * root[4], distance * root[5])
    return second


def _pose(model: ModelSpec, contact: ContactSpec, placement: Placement) -> Pose:
    """Pose of the first profile's body in the second's frame at the start."""
    first, second = (placement.poses[model.profiles[profile].body] for profile in contact.between)
    place = (first[0] - second[0]) * cmath.rect(1.0, -second[1])
    relative = first[1] - second[1]
    return place.real, place.imag, math.cos(relative), math.sin(relative)
