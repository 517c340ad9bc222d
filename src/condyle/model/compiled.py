"""From declarations to arrays: every element gets its row, every name its place.

The order of rows is the order of families in `mechanics/system.py`; within a family it is that of the model file,
but for bodies, where the free ones come first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from condyle.beams.mesh import BeamMesh
from condyle.contact import forces
from condyle.contact.foundation.pairs import BORDER_AT
from condyle.geometry.curve import PlaneCurve, curve_table
from condyle.mechanics import frames, system
from condyle.mechanics.space import GRAVITY_Z, N_BODY_COORDINATE, N_BODY_RATE, SPACE_WIDTH
from condyle.mechanics.system import (
    BODIES,
    EQUATIONS,
    FRAMES,
    LIGAMENTS,
    N_LAYOUT,
    N_SPACE_WORK,
    N_WORK,
    PATCHES,
    SPOTS,
    SWITCHES,
    WIDTH,
    Array,
    Integers,
    Model,
)
from condyle.model.contacts import CompiledContacts, compiled_contacts
from condyle.model.declarations import ModelSpec
from condyle.model.flexible import beam_meshes, beam_start, fill_beams
from condyle.model.joints import (
    GROUND,
    Equation,
    couplings,
    fill_couplings,
    fill_equations,
    model_equations,
)
from condyle.model.loads import fill_loads
from condyle.model.memory import check_memory
from condyle.model.placement import Placement
from condyle.model.pool import Pool
from condyle.model.profiles import profile_curves
from condyle.model.space import (
    fill_measure_rows,
    fill_space_bodies,
    fill_space_loads,
    fill_space_poses,
    fill_space_springs,
    fill_space_strands,
    space_start,
)
from condyle.model.space_measures import SpaceMechanism
from condyle.model.space_placement import SpacePlacement
from condyle.model.spec import Spec
from condyle.model.springs import fill_springs
from condyle.model.surfaces import SpaceSurfaces, fill_patches
from condyle.multibody import equations, ligaments, space_measures
from condyle.multibody.ligament_declarations import QuadraticLigamentSpec, Strand
from condyle.spec.errors import Problem, SpecError


@dataclass(frozen=True)
class CompiledModel:
    """A model ready to run.

    arrays : what the kernels read.
    spec : the declarations it comes from.
    body_rows : row of each body, in the order of the file, then of each frame; free_bodies : names of the bodies that
    move, in the order of the state.
    start : state as the file places it, shape (2 n_coordinate + 4,): coordinates, rates, work integrals.
    work, memory : tables as they are before the first evaluation, shape (n_row, 16).
    spot_names : of the contact spots, in the order of their rows; spot_pairs : the contact each belongs to.
    curves : outline of each profile, in its body's frame, in the order of the file.
    stops : instants at which a load has a kink [s].
    meshes : of the beams, by name; equations : of joints and drivers, in the order of their rows.
    courses : when the table of each load that has one ends [s].
    surfaces : of a model in space, with what contacts they make; None in the plane.
    """

    arrays: Model
    spec: Spec
    body_rows: dict[str, int]
    free_bodies: list[str]
    start: Array
    work: Array
    memory: Array
    contacts: CompiledContacts
    curves: dict[str, PlaneCurve]
    stops: Array
    meshes: dict[str, BeamMesh]
    equations: list[Equation]
    courses: dict[str, float]
    surfaces: SpaceSurfaces | None = None

    @property
    def dimensions(self) -> int:
        """2 in the plane, 3 in space."""
        return self.spec.model.dimensions

    @property
    def n_coordinate(self) -> int:
        """Coordinates of the free bodies and of the beams."""
        return int(self.arrays.layout[system.N_COORDINATE])

    @property
    def n_rate(self) -> int:
        """Rates of the free bodies and of the beams; in the plane as many as coordinates."""
        return int(self.arrays.layout[system.N_RATE])

    @property
    def rates(self) -> slice:
        """Where in a state the rates are."""
        return slice(self.n_coordinate, self.n_coordinate + self.n_rate)

    def works(self, y: Array) -> Array:
        """Work integrals [J] of a state or of several, shape (..., 4)."""
        return y[..., self.rates.stop :]

    def rows(self, family: int) -> range:
        """Rows of a family of elements."""
        return range(int(self.arrays.layout[family]), int(self.arrays.layout[family + 1]))


def compiled(spec: Spec) -> CompiledModel:
    """The arrays of a model, as it is before its first step."""
    return _in_space(spec) if spec.model.dimensions == 3 else _in_the_plane(spec)


def _in_the_plane(spec: Spec) -> CompiledModel:
    model = spec.model
    curves, meshes, pool = profile_curves(spec), beam_meshes(model), Pool()
    placement = Placement(model, meshes)
    strands, found = model.strands(), model_equations(spec, placement)
    contacts = compiled_contacts(model, curves, placement)
    watched = _watched(strands, contacts)
    free = [name for name, body in model.bodies.items() if not body.fixed]
    order = free + [name for name in model.bodies if name not in free]
    # Measures of the global frame count from a body that is only there for them.
    order += [GROUND] if any(GROUND in equation.bodies for equation in found) else []
    border = len(found) * math.ceil(len(found) / WIDTH)
    counts = [1, len(order), len(model.frames), len(strands), len(model.springs), len(model.forces)]
    counts += [len(model.profile_contacts), contacts.n_root, len(contacts.spot_names), len(watched)]
    coupled = couplings(found, model)
    counts += [len(model.beams), 0, 0, len(found), len(coupled), border]
    n_coordinate = 3 * len(free) + sum(mesh.coordinates.size for mesh in meshes.values())
    layout = _layout(counts, len(free), n_coordinate, n_coordinate)
    n_row = int(layout[system.N_ROW])
    check_memory(model.run, n_row, WIDTH, 2 * n_coordinate + N_WORK)
    index, value = np.full((n_row, WIDTH), -1, dtype=np.int64), np.zeros((n_row, WIDTH))
    rows = {name: int(layout[BODIES]) + k for k, name in enumerate(order)}
    rows |= {name: int(layout[FRAMES]) + k for k, name in enumerate(model.frames)}
    body_rows = {name: rows[name] for name in (*model.bodies, *model.frames)}
    value[system.TOTALS, :2] = model.gravity
    _fill_stabilization(model, value)
    _fill_bodies(model, body_rows, value)
    _fill_strands(strands, body_rows, int(layout[LIGAMENTS]), index, value)
    fill_springs(model, placement, rows, layout, index, value, pool)
    fill_beams(model, meshes, 3 * len(free), layout, index, value, pool)
    fill_equations(found, rows, layout, index, value, pool)
    fill_couplings(coupled, found, rows, layout, index)
    courses = fill_loads(spec, body_rows, layout, index, value, pool)
    contacts.fill(body_rows, layout, index, value)
    _fill_switches(watched, layout, index)
    _fill_rest_lengths(strands, placement, int(layout[LIGAMENTS]), value)
    has_mechanism = model.springs or model.beams or found
    curves, mechanism = contacts.curves, np.zeros(0) if has_mechanism else None
    table = curve_table(list(curves.values()))
    arrays = Model(layout, index, value, table, courses.table, pool.joined(), mechanism, np.zeros(0), None)
    work, memory = np.zeros((n_row, WIDTH)), np.zeros((n_row, WIDTH))
    _fill_fixed_poses(model, rows, work)
    _fill_peaks(arrays, memory)
    for name in model.frames:
        memory[rows[name], frames.LAST_ANGLE] = placement.poses[name][1]
    start = _start(model, free, meshes)
    _freeze(arrays)
    stops, ends = courses.stops(model.run.duration), courses.ends
    return CompiledModel(
        arrays, spec, body_rows, free, start, work, memory, contacts, curves, stops, meshes, found, ends
    )


def _layout(counts: list[int], n_free: int, n_coordinate: int, n_rate: int) -> Integers:
    """Where each family of rows begins, and how many free bodies, coordinates and rates there are."""
    layout = np.zeros(N_LAYOUT, dtype=np.int64)
    layout[: len(counts) + 1] = list(accumulate(counts, initial=0))
    layout[system.N_FREE], layout[system.N_COORDINATE], layout[system.N_RATE] = n_free, n_coordinate, n_rate
    return layout


def _freeze(arrays: Model) -> None:
    for array in (arrays.layout, arrays.link, arrays.value, arrays.course, arrays.pool, *arrays.curves):
        array.setflags(write=False)


def _in_space(spec: Spec) -> CompiledModel:
    model = spec.model
    placement, pool = SpacePlacement(model), Pool()
    mechanism, strands = SpaceMechanism(spec, placement), model.strands()
    surfaces = SpaceSurfaces(spec, placement)
    found, contacts = mechanism.equations, CompiledContacts([], {})
    watched = _watched(strands, contacts)
    free = [name for name, body in model.bodies.items() if not body.fixed]
    order = [*free, *(name for name in model.bodies if name not in free), GROUND]
    border = len(found) * math.ceil(len(found) / WIDTH)
    coupled = couplings(found, model)
    counts = [1, len(order), 0, len(strands), len(model.springs), len(model.forces), 0, 0, 0, len(watched)]
    counts += [0, len(mechanism.measures), surfaces.n_patch, len(found), len(coupled), border]
    layout = _layout(counts, len(free), N_BODY_COORDINATE * len(free), N_BODY_RATE * len(free))
    n_row = int(layout[system.N_ROW])
    check_memory(model.run, n_row, SPACE_WIDTH, 13 * len(free) + N_SPACE_WORK, surfaces.n_side_face)
    index, value = np.full((n_row, SPACE_WIDTH), -1, dtype=np.int64), np.zeros((n_row, SPACE_WIDTH))
    rows = {name: int(layout[BODIES]) + k for k, name in enumerate(order)}
    value[system.TOTALS, [system.GRAVITY_X, system.GRAVITY_Y, GRAVITY_Z]] = model.gravity
    _fill_stabilization(model, value)
    fill_space_bodies(model, rows, value)
    _fill_strand_laws(strands, int(layout[LIGAMENTS]), index, value)
    fill_space_strands(strands, placement, rows, int(layout[LIGAMENTS]), index, value)
    fill_space_springs(model, mechanism, rows, layout, index, value, pool)
    mechanism.fill_measures(rows, layout, index, value)
    fill_equations(found, rows, layout, index, value, pool)
    fill_measure_rows(found, layout, index)
    sides = space_measures.J_FIRST, space_measures.J_SECOND
    fill_couplings(coupled, found, rows, layout, index, sides)
    courses = fill_space_loads(spec, mechanism, rows, layout, index, value, pool)
    _fill_switches(watched, layout, index)
    _fill_rest_lengths(strands, placement, int(layout[LIGAMENTS]), value)
    fill_patches(surfaces, model, rows, layout, index, value)
    arrays = Model(
        layout, index, value, curve_table([]), courses.table, pool.joined(), None, None, surfaces.space()
    )
    work, memory = np.zeros((n_row, SPACE_WIDTH)), np.zeros((n_row, SPACE_WIDTH))
    fill_space_poses(placement, rows, work)
    mechanism.fill_memory(layout, memory)
    _fill_peaks(arrays, memory)
    _freeze(arrays)
    body_rows = {name: rows[name] for name in model.bodies}
    start = np.concatenate([space_start(model, free), np.zeros(N_SPACE_WORK)])
    stops, ends = courses.stops(model.run.duration), courses.ends
    return CompiledModel(
        arrays, spec, body_rows, free, start, work, memory, contacts, {}, stops, {}, found, ends, surfaces
    )


def _fill_stabilization(model: ModelSpec, value: Array) -> None:
    """Baumgarte's method where it is asked for; its two rates are one, so that what has drifted comes back without
    swinging.
    """
    rate = model.run.baumgarte_rate if model.run.stabilization == "baumgarte" else 0.0
    value[system.TOTALS, equations.MISS_DAMPING] = 2.0 * rate
    value[system.TOTALS, equations.MISS_STIFFNESS] = rate**2


def _fill_bodies(model: ModelSpec, body_rows: dict[str, int], value: Array) -> None:
    for name, body in model.bodies.items():
        row = body_rows[name]
        # A fixed body's mass moves nothing.
        value[row, system.MASS] = body.mass or 0.0
        value[row, system.INERTIA] = body.inertia or 0.0


def _fill_fixed_poses(model: ModelSpec, rows: dict[str, int], work: Array) -> None:
    if GROUND in rows:
        work[rows[GROUND], system.COS] = 1.0
    for name, body in model.bodies.items():
        row = rows[name]
        work[row, system.PX], work[row, system.PY] = body.position
        work[row, system.COS], work[row, system.SIN] = math.cos(body.angle), math.sin(body.angle)
        work[row, system.ANGLE] = body.angle


def _fill_strands(
    strands: dict[str, Strand], body_rows: dict[str, int], first: int, index: Integers, value: Array
) -> None:
    _fill_strand_laws(strands, first, index, value)
    for row, strand in enumerate(strands.values(), first):
        index[row, ligaments.ORIGIN_BODY] = body_rows[strand.origin.body]
        index[row, ligaments.INSERTION_BODY] = body_rows[strand.insertion.body]
        value[row, ligaments.ORIGIN_X : ligaments.ORIGIN_Y + 1] = strand.origin.at
        value[row, ligaments.INSERTION_X : ligaments.INSERTION_Y + 1] = strand.insertion.at


def _fill_strand_laws(strands: dict[str, Strand], first: int, index: Integers, value: Array) -> None:
    for row, strand in enumerate(strands.values(), first):
        quadratic = isinstance(strand.law, QuadraticLigamentSpec)
        index[row, ligaments.LAW] = ligaments.QUADRATIC if quadratic else ligaments.TOE_LINEAR
        value[row, ligaments.STIFFNESS] = strand.law.stiffness
        value[row, ligaments.DAMPING] = strand.damping
        if not isinstance(strand.law, QuadraticLigamentSpec):
            value[row, ligaments.LINEAR_STRAIN] = strand.law.linear_strain
        value[row, ligaments.ALLOWED_STRAIN] = _or_infinite(strand.allowed_strain)
        value[row, ligaments.ALLOWED_FORCE] = _or_infinite(strand.allowed_force)


def _or_infinite(limit: float | None) -> float:
    return math.inf if limit is None else limit


def _fill_rest_lengths(
    strands: dict[str, Strand], placement: Placement | SpacePlacement, first: int, value: Array
) -> None:
    """Rest lengths as given, or so that the strain at the start is the reference strain (none given: zero)."""
    problems = []
    for row, (name, strand) in enumerate(strands.items(), first):
        apart = placement.distance(strand.origin, strand.insertion)
        at_start = apart / (1.0 + (strand.reference_strain or 0.0))
        value[row, ligaments.REST] = strand.rest_length if strand.rest_length is not None else at_start
        if not value[row, ligaments.REST] > 0.0:
            place = f"ligaments.{name.replace('/', '.bundles.')}.rest_length"
            problems.append(
                Problem(place, "missing; its ends meet at the start, so that it has no length to rest at")
            )
    if problems:
        raise SpecError(problems)


def _watched(strands: dict[str, Strand], contacts: CompiledContacts) -> list[tuple[int, int, int, int]]:
    """Switches to watch: (kind, family of the owner, its number, column where the owner keeps the switch's row)."""
    switches = []
    for spot, pulls in enumerate(contacts.spot_pulls):
        switches.append((system.GAP_SWITCH, SPOTS, spot, forces.GAP_CLOSES))
        if pulls:
            switches.append((system.PULL_SWITCH, SPOTS, spot, forces.PULL_BEGINS))
        if contacts.spot_pairs[spot].n_root > 1:
            switches.append((system.JUMP_SWITCH, SPOTS, spot, forces.ROOT_JUMPS))
    for number, strand in enumerate(strands.values()):
        switches.append((system.SLACK_SWITCH, LIGAMENTS, number, ligaments.SLACK))
        if not isinstance(strand.law, QuadraticLigamentSpec):
            switches.append((system.TOE_SWITCH, LIGAMENTS, number, ligaments.TOE))
        if strand.damping > 0.0:
            switches.append((system.LIMP_SWITCH, LIGAMENTS, number, ligaments.LIMP))
        if strand.breaks:
            switches.append((system.TEAR_SWITCH, LIGAMENTS, number, ligaments.TEAR))
    return switches


def _fill_switches(watched: list[tuple[int, int, int, int]], layout: Integers, index: Integers) -> None:
    for row, (kind, family, number, column) in enumerate(watched, int(layout[SWITCHES])):
        owner = int(layout[family]) + number
        index[row, system.SWITCH_KIND], index[row, system.OWNER] = kind, owner
        index[owner, column] = row


def _fill_peaks(arrays: Model, memory: Array) -> None:
    """Nothing has been seen yet: peaks are below all values."""
    for row in range(arrays.layout[LIGAMENTS], arrays.layout[LIGAMENTS + 1]):
        memory[row, ligaments.PEAK_LENGTH] = memory[row, ligaments.PEAK_TENSION] = -math.inf
        memory[row, ligaments.TORN_AT] = math.nan
    for row in range(arrays.layout[PATCHES], arrays.layout[PATCHES + 1]):
        memory[row, BORDER_AT] = math.nan
    for row in range(arrays.layout[EQUATIONS], arrays.layout[EQUATIONS + 1]):
        memory[row, equations.IDLE_SINCE] = math.nan
    for row in range(arrays.layout[SPOTS], arrays.layout[SPOTS + 1]):
        memory[row, forces.PEAK_DEPTH] = memory[row, forces.PEAK_FORCE] = -math.inf
        memory[row, forces.SLOWEST_ONSET] = memory[row, forces.SHORTEST] = math.inf
        memory[row, forces.LOST_AT] = math.nan


def _start(model: ModelSpec, free: list[str], meshes: dict[str, BeamMesh]) -> Array:
    bodies = [model.bodies[name] for name in free]
    places = [(*body.position, body.angle) for body in bodies]
    speeds = [(*body.velocity, body.angular_velocity) for body in bodies]
    beam_places, beam_speeds = beam_start(model, meshes)
    return np.concatenate([np.ravel(places), beam_places, np.ravel(speeds), beam_speeds, np.zeros(N_WORK)])
