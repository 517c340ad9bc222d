"""Rows of numbers as tables of text, for a terminal or a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from condyle.results.peaks import (
    BeamPeaks,
    ContactPeaks,
    EffortRange,
    JointPeaks,
    LigamentPeaks,
    MeasureRange,
)

# Torques below this part of the force [N m of N] are what rounding leaves.
ROUND_OFF = 1e-9


@dataclass(frozen=True)
class Section:
    """A titled table of text; one that only pairs names with values has empty heads."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def to_right(self) -> tuple[bool, ...]:
        """Which columns hold numbers and so are aligned to the right."""
        return tuple(all(_is_number(row[k]) for row in self.rows) for k in range(len(self.columns)))


def ligament_section(ligaments: Sequence[LigamentPeaks]) -> Section:
    """Peak strain and force of every ligament, beside what it is allowed."""
    columns = ("Ligament", "peak strain [%]", "allowed", "at [s]", "peak force [N]", "allowed", "at [s]", "")
    rows = tuple(
        (
            row.name,
            _shown(row.strain, 100.0),
            _shown(row.allowed_strain, 100.0),
            _shown(row.strain_time),
            _shown(row.force),
            _shown(row.allowed_force),
            _shown(row.force_time),
            row.state,
        )
        for row in ligaments
    )
    return Section("Ligaments", columns, rows)


def contact_section(contacts: Sequence[ContactPeaks]) -> Section:
    """Peak force and depth of every contact; between surfaces pressure and area, else what its law makes of the
    restitution it was asked for.
    """
    if any(math.isfinite(row.pressure) for row in contacts):
        return _surface_contact_section(contacts)
    columns = (
        "Contact",
        "peak force [N]",
        "at [s]",
        "peak depth [mm]",
        "law",
        "restitution asked",
        "delivered",
    )
    rows = tuple(
        (
            row.name,
            _shown(row.force),
            _shown(row.force_time),
            _shown(row.depth, 1e3),
            row.restitution.law,
            _shown(row.restitution.asked),
            _shown(row.restitution.delivered),
        )
        for row in contacts
    )
    return Section("Contacts", columns, rows)


def _surface_contact_section(contacts: Sequence[ContactPeaks]) -> Section:
    columns = (
        "Contact",
        "peak force [N]",
        "at [s]",
        "peak pressure [MPa]",
        "at [s]",
        "largest area [mm²]",
        "peak depth [mm]",
    )
    rows = tuple(
        (
            row.name,
            _shown(row.force),
            _shown(row.force_time),
            _shown(row.pressure, 1e-6),
            _shown(row.pressure_time),
            _shown(row.area, 1e6),
            _shown(row.depth, 1e3),
        )
        for row in contacts
    )
    return Section("Contacts", columns, rows)


def joint_section(joints: Sequence[JointPeaks]) -> Section:
    """Largest force and torque of every joint; a torque that is none but for round-off is left out."""
    columns = ("Joint", "largest force [N]", "at [s]", "largest torque [N m]", "at [s]")
    rows = []
    for row in joints:
        # A pin's torque is what rounding leaves of its force times an arm of at most metres.
        turns = row.torque > ROUND_OFF * row.force
        torque = (_shown(row.torque), _shown(row.torque_time)) if turns else ("-", "-")
        rows.append((row.name, _shown(row.force), _shown(row.force_time), *torque))
    if all(row[3] == "-" for row in rows):
        return Section("Joints", columns[:3], tuple(row[:3] for row in rows))
    return Section("Joints", columns, tuple(rows))


def effort_section(title: str, efforts: Sequence[EffortRange]) -> Section:
    """Range of the effort of every driver or spring."""
    columns = (title.removesuffix("s"), "least effort", "at [s]", "greatest effort", "at [s]", "unit")
    rows = tuple(
        (
            row.name,
            _shown(row.least),
            _shown(row.least_time),
            _shown(row.greatest),
            _shown(row.greatest_time),
            row.unit,
        )
        for row in efforts
    )
    return Section(title, columns, rows)


def beam_section(beams: Sequence[BeamPeaks]) -> Section:
    """Largest strain and bending moment of every beam with time and place, and the range of its axial force."""
    columns = (
        "Beam",
        "surface strain [%]",
        "at [s]",
        "at [mm]",
        "bending moment [N m]",
        "at [s]",
        "at [mm]",
        "axial force [N]",
    )
    rows = tuple(
        (
            row.name,
            _shown(row.strain, 100.0),
            _shown(row.strain_time),
            _shown(row.strain_arc, 1e3),
            _shown(row.moment),
            _shown(row.moment_time),
            _shown(row.moment_arc, 1e3),
            f"{_shown(row.least_force)} to {_shown(row.greatest_force)}",
        )
        for row in beams
    )
    return Section("Beams", columns, rows)


def measure_section(measures: Sequence[MeasureRange]) -> Section:
    """Range of every measure in its own unit."""
    columns = ("Measure", "least", "greatest", "first", "last", "unit")
    rows = tuple(
        (row.name, _shown(row.least), _shown(row.greatest), _shown(row.first), _shown(row.last), row.unit)
        for row in measures
    )
    return Section("Measures", columns, rows)


def text_table(section: Section) -> str:
    """Columns as wide as their widest entry, a rule under the heads."""
    heads = [section.columns] if any(section.columns) else []
    widths = [max(len(line[k]) for line in [*heads, *section.rows]) for k in range(len(section.columns))]
    rule = [tuple("-" * width for width in widths)] if heads else []
    return "\n".join(_line(line, widths, section.to_right) for line in [*heads, *rule, *section.rows])


def _line(entries: Sequence[str], widths: Sequence[int], to_right: Sequence[bool]) -> str:
    columns = zip(entries, widths, to_right, strict=True)
    return "  ".join(text.rjust(w) if right else text.ljust(w) for text, w, right in columns).rstrip()


def _shown(value: float | None, factor: float = 1.0) -> str:
    return "-" if value is None or not math.isfinite(value) else f"{value * factor:.4g}"


def _is_number(text: str) -> bool:
    if text == "-":
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True
