"""Peaks and ranges of a run, one row for each ligament, contact, joint, driver, spring, beam and measure.

Those of ligaments and contacts are over all steps, the others over the rows of the results.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Restitution:
    """A contact's law by name, the restitution it was asked for, and the one it delivers in a free impact."""

    law: str
    asked: float | None = None
    delivered: float | None = None


@dataclass(frozen=True)
class LigamentPeaks:
    """Peaks of one ligament over all steps, each with its time [s].

    Forces [N]; strains in parts of the rest length; `allowed_*` is NaN where the model sets no bound; `broken_time` is
    None while the ligament holds.
    """

    name: str
    force: float
    force_time: float
    allowed_force: float
    strain: float
    strain_time: float
    allowed_strain: float
    broken_time: float | None

    @property
    def state(self) -> str:
        """Broken, past what it is allowed, or nothing to say."""
        if self.broken_time is not None:
            return f"broke at {self.broken_time:.4g} s"
        past = [
            name
            for name, peak, allowed in (
                ("strain", self.strain, self.allowed_strain),
                ("force", self.force, self.allowed_force),
            )
            if peak > allowed
        ]
        return f"past allowed {' and '.join(past)}" if past else ""


@dataclass(frozen=True)
class ContactPeaks:
    """Peaks of one contact over all steps: normal force [N], or the whole one between surfaces, and depth [m], each
    with its time [s]; between surfaces the peak pressure [Pa] and the largest area [m^2] over the rows of the results.
    """

    name: str
    force: float
    force_time: float
    depth: float
    depth_time: float
    restitution: Restitution
    pressure: float = math.nan
    pressure_time: float = math.nan
    area: float = math.nan


@dataclass(frozen=True)
class MeasureRange:
    """Least and greatest value of a measure, with the first and the last, in its own unit."""

    name: str
    unit: str
    least: float
    greatest: float
    first: float
    last: float


@dataclass(frozen=True)
class JointPeaks:
    """Largest magnitudes of a joint's force [N] and torque [N m], each with its time [s]."""

    name: str
    force: float
    force_time: float
    torque: float
    torque_time: float


@dataclass(frozen=True)
class EffortRange:
    """Least and greatest effort of a driver or spring in its unit, each with its time [s]."""

    name: str
    unit: str
    least: float
    least_time: float
    greatest: float
    greatest_time: float


@dataclass(frozen=True)
class BeamPeaks:
    """Largest surface strain [-] and bending moment [N m] of a beam by magnitude, each with its time [s] and its place
    along the beam at rest [m]; range of the axial force [N].
    """

    name: str
    strain: float
    strain_time: float
    strain_arc: float
    moment: float
    moment_time: float
    moment_arc: float
    least_force: float
    greatest_force: float


def labels(dataset: xr.Dataset, dimension: str) -> list[str]:
    return [str(name) for name in dataset[dimension].values] if dimension in dataset.coords else []


def ligament_peaks(dataset: xr.Dataset, name: str) -> LigamentPeaks:
    force, force_time = _peak(dataset, "ligament_force", "ligament", name)
    strain, strain_time = _peak(dataset, "ligament_strain", "ligament", name)
    broken = _constant(dataset, "ligament_broken_time", "ligament", name)
    return LigamentPeaks(
        name=name,
        force=force,
        force_time=force_time,
        allowed_force=_constant(dataset, "ligament_allowed_force", "ligament", name),
        strain=strain,
        strain_time=strain_time,
        allowed_strain=_constant(dataset, "ligament_allowed_strain", "ligament", name),
        broken_time=broken if math.isfinite(broken) else None,
    )


def contact_peaks(dataset: xr.Dataset, name: str, restitutions: Mapping[str, Restitution]) -> ContactPeaks:
    """Peaks of one contact, or of one of its spots, `contact/2`, which share its law."""
    series = "contact_normal_force" if "contact_normal_force" in dataset else "contact_force"
    force, force_time = _peak(dataset, "contact_force", "contact", name, series=series)
    depth, depth_time = _peak(dataset, "contact_depth", "contact", name)
    pressure, pressure_time, _ = _greatest(
        dataset, _series(dataset, "contact_peak_pressure", "contact", name)
    )
    area, _, _ = _greatest(dataset, _series(dataset, "contact_area", "contact", name))
    contact, _, _ = name.partition("/")
    law = restitutions.get(contact, Restitution(""))
    depth = max(depth, 0.0)
    return ContactPeaks(name, force, force_time, depth, depth_time, law, pressure, pressure_time, area)


def touched_or_first(name: str, depth: float) -> bool:
    """Whether a spot is worth a row: a pair may keep places for more spots than ever touch."""
    return "/" not in name or depth > 0.0


def measure_range(dataset: xr.Dataset, name: str) -> MeasureRange:
    values = _series(dataset, "measure_value", "measure", name)
    unit = (
        str(dataset["measure_unit"].sel(measure=name).item()) if "measure_unit" in dataset.variables else ""
    )
    finite = values[np.isfinite(values)]
    if not finite.size:
        return MeasureRange(name, unit, math.nan, math.nan, math.nan, math.nan)
    return MeasureRange(
        name, unit, float(finite.min()), float(finite.max()), float(finite[0]), float(finite[-1])
    )


def joint_peaks(dataset: xr.Dataset, name: str) -> JointPeaks:
    force, force_time, _ = _greatest(dataset, _sizes(_series(dataset, "joint_force", "joint", name)))
    torque, torque_time, _ = _greatest(
        dataset, np.abs(_sizes(_series(dataset, "joint_torque", "joint", name)))
    )
    return JointPeaks(name, force, force_time, torque, torque_time)


def effort_range(dataset: xr.Dataset, dimension: str, name: str) -> EffortRange:
    """The range of a driver's or spring's effort."""
    values = _series(dataset, f"{dimension}_effort", dimension, name)
    least, least_time, _ = _greatest(dataset, -values)
    greatest, greatest_time, _ = _greatest(dataset, values)
    unit = effort_unit(dataset, dimension, name)
    return EffortRange(name, unit, -least, least_time, greatest, greatest_time)


def effort_unit(dataset: xr.Dataset, dimension: str, name: str) -> str:
    """Unit of a driver's or spring's effort: `driver_unit` is that, `spring_unit` is the extent's."""
    unit = f"{dimension}_unit"
    told = str(dataset[unit].sel({dimension: name}).item()) if unit in dataset.variables else ""
    return {"m": "N", "rad": "N m"}.get(told, told)


def beam_peaks(dataset: xr.Dataset, name: str) -> BeamPeaks:
    series = {
        of: _series(dataset, f"beam_{of}", "beam", name)
        for of in ("surface_strain", "bending_moment", "axial_force")
    }
    strain, strain_time, strain_at = _greatest(dataset, np.abs(series["surface_strain"]))
    moment, moment_time, moment_at = _greatest(dataset, np.abs(series["bending_moment"]))
    arcs = _series(dataset, "beam_arc", "beam", name)
    strain_arc, moment_arc = (
        float(arcs[at]) if 0 <= at < len(arcs) else math.nan for at in (strain_at, moment_at)
    )
    force = series["axial_force"]
    least, greatest = -_greatest(dataset, -force)[0], _greatest(dataset, force)[0]
    return BeamPeaks(name, strain, strain_time, strain_arc, moment, moment_time, moment_arc, least, greatest)


def _greatest(dataset: xr.Dataset, values: Array) -> tuple[float, float, int]:
    """Greatest finite value of a series over time, its time [s] and place on the last axis; NaN and -1 without."""
    finite = np.isfinite(values)
    if not finite.any():
        return math.nan, math.nan, -1
    at = np.unravel_index(np.argmax(np.where(finite, values, -math.inf)), values.shape)
    return float(values[at]), float(dataset["time"].values[at[0]]), int(at[-1])


def _peak(
    dataset: xr.Dataset, name: str, dimension: str, label: str, series: str = ""
) -> tuple[float, float]:
    """Greatest value over all steps and its time, or of the rows where the run kept none; NaN without numbers."""
    peak, time = (_constant(dataset, f"peak_{name}{part}", dimension, label) for part in ("", "_time"))
    values, times = _sizes(_series(dataset, series or name, dimension, label)), dataset["time"].values
    # What a ligament does after it tore is no peak of it.
    counts = ~(times > _constant(dataset, f"{dimension}_broken_time", dimension, label))
    shown = np.where(np.isfinite(values) & counts[: len(values)], values, -math.inf)
    if np.isfinite(shown).any():
        at = int(np.argmax(shown))
        peak = peak if math.isfinite(peak) else float(shown[at])
        time = time if math.isfinite(time) else float(times[at])
    return peak, time


def _series(dataset: xr.Dataset, name: str, dimension: str, label: str) -> Array:
    return (
        np.asarray(dataset[name].sel({dimension: label}).values, dtype=float)
        if name in dataset
        else np.zeros(0)
    )


def _sizes(values: Array) -> Array:
    """Magnitudes of vectors (n_time, 3); numbers over time stay as they are."""
    return np.asarray(np.sqrt((values**2).sum(axis=-1))) if values.ndim > 1 else values


def _constant(dataset: xr.Dataset, name: str, dimension: str, label: str) -> float:
    return float(dataset[name].sel({dimension: label}).item()) if name in dataset else math.nan
