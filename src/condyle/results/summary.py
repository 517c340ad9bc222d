"""What to read first about a run: peaks, ranges, the audit's verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.results.audit import Audit
from condyle.results.peaks import (
    BeamPeaks,
    ContactPeaks,
    EffortRange,
    JointPeaks,
    LigamentPeaks,
    MeasureRange,
    Restitution,
    beam_peaks,
    contact_peaks,
    effort_range,
    joint_peaks,
    labels,
    ligament_peaks,
    measure_range,
    touched_or_first,
)
from condyle.results.tables import (
    Section,
    beam_section,
    contact_section,
    effort_section,
    joint_section,
    ligament_section,
    measure_section,
    text_table,
)

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Section", "Summary", "summarised"]


@dataclass(frozen=True)
class Summary:
    """The numbers a person looks for first; `print` shows them as a table, `as_dict` gives them to a script."""

    title: str
    status: str
    complete: bool
    duration: float
    samples: int
    wall_time: float
    ligaments: tuple[LigamentPeaks, ...]
    contacts: tuple[ContactPeaks, ...]
    measures: tuple[MeasureRange, ...]
    audit: Audit
    joints: tuple[JointPeaks, ...] = ()
    drivers: tuple[EffortRange, ...] = ()
    springs: tuple[EffortRange, ...] = ()
    beams: tuple[BeamPeaks, ...] = ()

    @property
    def verdict(self) -> str:
        """Whether the run can be trusted, in one line."""
        audit = self.audit
        if not self.complete or not audit.finished:
            return "FAILED: the run did not reach its end"
        balance = f"energy residual {audit.relative_residual:.2g} of the energy exchanged"
        if audit.unbalanced is not None:
            balance = f"forces unbalanced by {audit.unbalanced:.2g} of the largest"
        return f"{'passed' if audit.passed else 'FAILED'}: {balance}, allowed {audit.tolerance:.2g}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences a reader should see: why a run stopped, ligaments past their bounds, notes of the audit."""
        stopped = () if self.complete or not self.status else (self.status,)
        ligaments = tuple(f"ligament {row.name} {row.state}" for row in self.ligaments if row.state)
        clamped = tuple(
            f"contact {name} would have pulled for {time:.3g} s: clamped to zero, work {self._clamped_work(name):.3g} J"
            for name, time in self.audit.clamped_time.items()
            if time > 0.0
        )
        return stopped + ligaments + clamped + tuple(self.audit.notes)

    def _clamped_work(self, name: str) -> float:
        return self.audit.clamped_work.get(name, 0.0)

    def sections(self) -> tuple[Section, ...]:
        """The run in words, then the tables that have rows."""
        tables = (
            ligament_section(self.ligaments),
            contact_section(self.contacts),
            joint_section(self.joints),
            effort_section("Drivers", self.drivers),
            effort_section("Springs", self.springs),
            beam_section(self.beams),
            measure_section(self.measures),
        )
        return (self._run_section(), *(table for table in tables if table.rows))

    def _run_section(self) -> Section:
        audit = self.audit
        rejected = f", {audit.rejected_steps} rejected" if audit.rejected_steps else ""
        rows = (
            ("simulated", f"{self.duration:.6g} s"),
            ("steps", f"{audit.steps}{rejected}; {audit.events} events; {audit.evaluations} evaluations"),
            ("audit", self.verdict),
            ("wall time", f"{self.wall_time:.3g} s"),
        )
        return Section("", ("", ""), rows)

    def as_dict(self) -> dict[str, Any]:
        """Plain values by name: SI units, measures in their own; a bound not set is NaN, null in JSON."""
        tables = {
            "ligaments": {row.name: _without_name(row) | {"state": row.state} for row in self.ligaments},
        }
        others = ("contacts", "joints", "drivers", "springs", "beams", "measures")
        tables |= {name: {row.name: _without_name(row) for row in getattr(self, name)} for name in others}
        names = ("title", "status", "complete", "duration", "samples", "wall_time")
        own = {name: getattr(self, name) for name in names}
        verdict = {"audit": self.audit.as_dict(), "verdict": self.verdict, "warnings": list(self.warnings)}
        return own | tables | verdict

    def __str__(self) -> str:
        warnings = ["\n".join(f"! {warning}" for warning in self.warnings)] if self.warnings else []
        return "\n\n".join([self.title, *map(text_table, self.sections()), *warnings])


def summarised(
    dataset: xr.Dataset,
    audit: Audit,
    restitutions: Mapping[str, Restitution],
    complete: bool = True,
    status: str = "",
    wall_time: float = 0.0,
) -> Summary:
    """The summary of a run; true peaks where the run tracked them at every step, else those of the output."""
    time = np.asarray(dataset["time"].values, dtype=float)
    contacts = (contact_peaks(dataset, name, restitutions) for name in labels(dataset, "contact"))
    return Summary(
        title=str(dataset.attrs.get("title", "")),
        status=status,
        complete=complete,
        duration=float(time[-1] - time[0]) if len(time) else 0.0,
        samples=len(time),
        wall_time=wall_time,
        ligaments=tuple(ligament_peaks(dataset, name) for name in labels(dataset, "ligament")),
        contacts=tuple(row for row in contacts if touched_or_first(row.name, row.depth)),
        measures=tuple(measure_range(dataset, name) for name in labels(dataset, "measure")),
        audit=audit,
        joints=tuple(joint_peaks(dataset, name) for name in labels(dataset, "joint")),
        drivers=tuple(effort_range(dataset, "driver", name) for name in labels(dataset, "driver")),
        springs=tuple(effort_range(dataset, "spring", name) for name in labels(dataset, "spring")),
        beams=tuple(beam_peaks(dataset, name) for name in labels(dataset, "beam")),
    )


def _without_name(row: Any) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "name"}
