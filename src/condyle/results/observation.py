"""From a trajectory to labelled numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from condyle.analysis.observe import gravity_energy, kinetic_energy, tables_of
from condyle.analysis.trajectory import Trajectory
from condyle.beams import columns
from condyle.contact import forces
from condyle.geometry.curve import PLACE_X, PLACE_Y, PlaneCurve, sampled
from condyle.mechanics import system
from condyle.mechanics.system import (
    BEAMS,
    DISSIPATED,
    DRIVER_WORK,
    LIGAMENTS,
    LOAD_WORK,
    LOADS,
    SPOTS,
    SPRINGS,
    STORED,
    Array,
)
from condyle.model.declarations import ModelSpec
from condyle.multibody import ligaments, loads, springs
from condyle.multibody.declarations import (
    AngleSpec,
    AnyMeasure,
    CoordinateSpec,
    DistanceSpec,
    display_factor,
    is_angle,
)
from condyle.multibody.measures import angle_between, coordinate_of, distance_between
from condyle.multibody.spring_declarations import AnySpring, MeasureSpringSpec
from condyle.results import space, surfaces
from condyle.results.mechanisms import beam_values, joint_values, spring_values
from condyle.results.observed import Observed
from condyle.results.variables import ENERGY_KINDS, Variable, variables_of

# Points by which an outline is drawn.
OUTLINE_POINTS = 256


# A run that left the finite numbers is shown as far as it went, without a warning at every number that is not.
@np.errstate(over="ignore", invalid="ignore")
def dataset_of(trajectory: Trajectory) -> xr.Dataset:
    """The labelled dataset of a trajectory; units and long names stand in `results/variables.py`."""
    seen = Observed(trajectory, *tables_of(trajectory))
    model, spec = trajectory.model, trajectory.model.spec.model
    in_space = model.dimensions == 3
    own = _in_space(seen) if in_space else _in_the_plane(seen)
    values = {**own, **_ligaments(seen), **beam_values(seen), "energy": _energies(seen)}
    coords = {
        "time": ("time", trajectory.time, {"units": "s", "long_name": "time"}),
        "body": list(model.body_rows),
        "axis": ["x", "y", "z"],
        "ligament": list(spec.strands()),
        "contact": surfaces.contact_names(model) if in_space else model.contacts.spot_names,
        "side": ["first", "second"],
        "end": ["origin", "insertion"],
        "quaternion": ["e0", "e1", "e2", "e3"],
        "joint": list(spec.joints),
        "driver": list(spec.drivers),
        "driver_unit": ("driver", [_effort_unit(spec.measures[d.measure]) for d in spec.drivers.values()]),
        "spring": list(spec.springs),
        "spring_unit": ("spring", [spring_unit(spec, spring) for spring in spec.springs.values()]),
        "beam": list(spec.beams),
        "station": np.arange(values["beam_arc"].shape[1]),
        "force": list(spec.forces),
        "measure": list(spec.measures),
        "kind": list(ENERGY_KINDS),
        "profile": list(spec.profiles),
        "measure_unit": ("measure", [measure.unit for measure in spec.measures.values()]),
        "profile_body": ("profile", [profile.body for profile in spec.profiles.values()]),
        "contact_body": (("contact", "side"), [pair.bodies for pair in model.contacts.spot_pairs]),
        **(surfaces.surface_labels(model) if in_space else {}),
    }
    return _labelled(values, coords, variables_of(in_space))


def _in_the_plane(seen: Observed) -> dict[str, Array]:
    return {
        **_bodies(seen),
        **_contacts(seen),
        **joint_values(seen),
        **spring_values(seen),
        **_loads(seen),
        "measure_value": _measures(seen),
        "outline": _outlines(seen.trajectory.model.curves),
    }


def _in_space(seen: Observed) -> dict[str, Array]:
    return {
        **space.body_values(seen),
        **space.joint_values(seen),
        **space.spring_values(seen),
        **space.load_values(seen),
        **surfaces.contact_values(seen),
        **surfaces.surface_values(seen),
        "measure_value": space.measure_values(seen),
    }


def _effort_unit(measure: AnyMeasure) -> str:
    """Unit of what drives a measure."""
    return "N m" if is_angle(measure) else "N"


def spring_unit(model: ModelSpec, spring: AnySpring) -> str:
    """Unit of a spring's extent."""
    on_angle = isinstance(spring, MeasureSpringSpec) and is_angle(model.measures[spring.measure])
    return "rad" if on_angle or spring.kind == "rotational" else "m"


def _labelled(
    values: dict[str, Array], coords: Mapping[str, Any], described: Mapping[str, Variable]
) -> xr.Dataset:
    """Variables with their dimensions, units and long names; what has no element is left out, axis z is filled in."""
    labelled: dict[str, Any] = {}
    for name, value in values.items():
        dims, units, long_name = described[name]
        filled = _with_z(value) if dims[-1] == "axis" and value.shape[-1] == 2 else value
        if filled.size:
            labelled[name] = (dims, filled, {"units": units, "long_name": long_name})
    used = {dim for dims, _, _ in labelled.values() for dim in dims}
    used |= (
        {"side"} & set(coords) if "contact" in used else set()
    )  # the bodies of contacts are told in any case
    kept = {name: coord for name, coord in coords.items() if _dims(name, coord) <= used}
    return xr.Dataset(labelled, kept)


def _with_z(plane: Array) -> Array:
    """Vectors in the plane as vectors in space: z is zero, or NaN where x is."""
    return np.concatenate([plane, 0.0 * plane[..., :1]], axis=-1)


def _dims(name: str, coord: Any) -> set[str]:
    """Dimensions of a coordinate: its own name, or what stands first beside its values."""
    dims = coord[0] if isinstance(coord, tuple) else name
    return {dims} if isinstance(dims, str) else set(dims)


def _bodies(seen: Observed) -> dict[str, Array]:
    rows = list(seen.trajectory.model.body_rows.values())
    work = seen.work[:, rows]
    return {
        "position": work[:, :, [system.PX, system.PY]],
        "angle": work[:, :, system.ANGLE],
        "velocity": work[:, :, [system.VX, system.VY]],
        "angular_velocity": work[:, :, system.TURN],
    }


def _ligaments(seen: Observed) -> dict[str, Array]:
    model, memory = seen.trajectory.model, seen.trajectory.final.memory
    rows = model.rows(LIGAMENTS)
    rest = model.arrays.value[rows, ligaments.REST]
    length = seen.of(LIGAMENTS, ligaments.LENGTH)
    if model.dimensions == 3:
        ends = space.ends(seen, LIGAMENTS)
    else:
        ends = seen.of(LIGAMENTS, ligaments.FROM_X, ligaments.FROM_Y, ligaments.TO_X, ligaments.TO_Y)
        ends = ends.reshape(*ends.shape[:2], 2, 2)
    strands = model.spec.model.strands().values()
    allowed = [(s.allowed_strain, s.allowed_force) for s in strands]
    limits = np.array([[np.nan if x is None else x for x in pair] for pair in allowed]).reshape(-1, 2)
    whole = seen.trajectory.memory[:, rows, ligaments.TORN] == 0.0
    tension = seen.of(LIGAMENTS, ligaments.TENSION)
    strain, strain_time = _peaks(seen, LIGAMENTS, ligaments.PEAK_LENGTH, np.where(whole, length, np.nan))
    force, force_time = _peaks(seen, LIGAMENTS, ligaments.PEAK_TENSION, tension)
    return {
        "ligament_length": length,
        "ligament_strain": length / rest - 1.0,
        "ligament_force": tension,
        "ligament_point": ends,
        "peak_ligament_force": force,
        "peak_ligament_force_time": force_time,
        "peak_ligament_strain": strain / rest - 1.0,
        "peak_ligament_strain_time": strain_time,
        "ligament_allowed_strain": limits[:, 0],
        "ligament_allowed_force": limits[:, 1],
        "ligament_broken_time": memory[rows, ligaments.TORN_AT],
    }


def _contacts(seen: Observed) -> dict[str, Array]:
    depth, normal_force = seen.of(SPOTS, forces.DEPTH), seen.of(SPOTS, forces.NORMAL_FORCE)
    places = seen.of(SPOTS, forces.FIRST_X, forces.FIRST_Y, forces.SECOND_X, forces.SECOND_Y)
    places = places.reshape(*depth.shape, 2, 2)
    normal = seen.of(SPOTS, forces.NX, forces.NY)
    away = ~np.isfinite(depth)
    places[away], normal[away] = np.nan, np.nan
    deepest, deepest_time = _peaks(seen, SPOTS, forces.PEAK_DEPTH, depth)
    strongest, strongest_time = _peaks(seen, SPOTS, forces.PEAK_FORCE, normal_force)
    return {
        "contact_depth": np.where(away, np.nan, depth),
        "contact_rate": np.where(away, np.nan, seen.of(SPOTS, forces.DEPTH_RATE)),
        "contact_normal_force": normal_force,
        "contact_friction": seen.of(SPOTS, forces.FRICTION_FORCE),
        "contact_point": places.mean(axis=2),
        "contact_normal": normal,
        "contact_point_local": _local_places(seen, places),
        "peak_contact_depth": deepest,
        "peak_contact_depth_time": deepest_time,
        "peak_contact_force": strongest,
        "peak_contact_force_time": strongest_time,
    }


def _peaks(seen: Observed, family: int, column: int, values: Array) -> tuple[Array, Array]:
    """Peaks of a quantity of all elements and their times [s]: those the run kept, or of its rows where that is more.

    Rows come from between the steps, so that one may lie above all steps. `values` (n, n_element) ; NaN is left out.
    """
    model, memory = seen.trajectory.model, seen.trajectory.final.memory
    rows = model.rows(family)
    peak, time = memory[rows, column], memory[rows, column + 1]
    shown = np.where(np.isfinite(values), values, -np.inf)
    at = shown.argmax(axis=0)
    highest = shown[at, np.arange(len(rows))]
    times = np.where(highest > peak, seen.trajectory.time[at], time)
    peak = np.maximum(highest, peak)
    return peak, np.where(np.isfinite(peak), times, np.nan)


def _local_places(seen: Observed, places: Array) -> Array:
    """Facing points in the frames of the bodies that carry them, shape (n, n_spot, 2, 2)."""
    model, local = seen.trajectory.model, np.full_like(places, np.nan)
    for spot, pair in enumerate(model.contacts.spot_pairs):
        for side, body in enumerate(pair.bodies):
            work = seen.work[:, model.body_rows[body]]
            offset = places[:, spot, side] - work[:, [system.PX, system.PY]]
            cos, sin = work[:, system.COS], work[:, system.SIN]
            local[:, spot, side, 0] = cos * offset[:, 0] + sin * offset[:, 1]
            local[:, spot, side, 1] = cos * offset[:, 1] - sin * offset[:, 0]
    return local


def _loads(seen: Observed) -> dict[str, Array]:
    return {
        "load": seen.of(LOADS, loads.LOAD_X, loads.LOAD_Y),
        "load_point": seen.of(LOADS, loads.AT_X, loads.AT_Y),
        "load_torque": seen.of(LOADS, loads.TORQUE),
    }


def _measures(seen: Observed) -> Array:
    """Declared measures in their display units, shape (n, n_measure)."""
    model = seen.trajectory.model
    poses = {
        name: seen.work[:, row][:, [system.PX, system.PY, system.ANGLE]]
        for name, row in model.body_rows.items()
    }
    columns = []
    for measure in model.spec.model.measures.values():
        if isinstance(measure, AngleSpec):
            raw, _ = angle_between(poses[measure.origin], poses[measure.target])
        elif isinstance(measure, DistanceSpec):
            first, second = measure.origin, measure.target
            raw, _ = distance_between(poses[first.body], first.at, poses[second.body], second.at)
        elif isinstance(measure, CoordinateSpec):
            frame = None if measure.frame is None else poses[measure.frame]
            raw, _ = coordinate_of(poses[measure.of.body], measure.of.at, "xy".index(measure.axis), frame)
        else:
            raise TypeError(measure.kind)
        columns.append((measure.offset + measure.sign * raw) * display_factor(measure))
    return np.stack(columns, axis=1) if columns else np.zeros((len(seen.work), 0))


def _energies(seen: Observed) -> Array:
    """Energies by kind [J], shape (n, n_kind): what the balance lacks, since the start, is the residual."""
    model, y = seen.trajectory.model, seen.trajectory.y
    works = model.works(y)
    stored = [
        kinetic_energy(model, y),
        gravity_energy(model, y),
        seen.of(LIGAMENTS, ligaments.ENERGY).sum(axis=1),
        seen.of(SPRINGS, springs.ENERGY).sum(axis=1),
        seen.of(BEAMS, columns.ENERGY).sum(axis=1),
        seen.of(SPOTS, forces.ENERGY).sum(axis=1) if model.dimensions == 2 else works[:, STORED],
    ]
    total = np.sum(stored, axis=0)
    spent = [works[:, LOAD_WORK], works[:, DRIVER_WORK], works[:, DISSIPATED]]
    residual = total - spent[0] - spent[1] + spent[2]
    return np.stack([*stored, *spent, residual - residual[0]], axis=1)


def _outlines(curves: dict[str, PlaneCurve]) -> Array:
    """Outlines as polylines, NaN where one has fewer points than the longest, shape (n_profile, n_vertex, 2)."""
    lines = [sampled(curve, OUTLINE_POINTS)[:, [PLACE_X, PLACE_Y]] for curve in curves.values()]
    table = np.full((len(lines), max((len(line) for line in lines), default=0), 2), np.nan)
    for k, line in enumerate(lines):
        table[k, : len(line)] = line
    return table
