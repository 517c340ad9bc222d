"""Sensitive directions, Figures 3 to 5 and the wear of Lin 2010, foundation side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from condyle.reproduce.compare import extent
from condyle.reproduce.findings import Finding, figure
from condyle.reproduce.lin.cases import FINER, NOMINAL, THIRD, Runs
from condyle.reproduce.lin.motion import (
    COORDINATES,
    LATERAL,
    MEDIAL,
    NET,
    ROTATIONS,
    TRANSLATIONS,
    Array,
    Motion,
)
from condyle.view.maps import Map
from condyle.view.plots import Figure, Panel, Series

# A direction is "highly sensitive" where its entry of s is this many times the others of its unit.
SENSITIVE = 10.0
# The volumes of Table 1, elastic foundation [mm^3]; the least and the largest of ten.
TABLE_1 = (17.10, 30.31)
# By how much wear by centres of pressure may differ from that by elements (section 3).
GAP = 0.02
PAPER_MINUTES = 17.0
# Instants of the course of s over the cycle.
INSTANTS = np.linspace(0.0, 1.0, 41)
NOT_DECIDED = "; shown as curves only, of an implant and under loads that are not printed."


def sensitive_directions(runs: Runs) -> Figure:
    """Section 2.3.1: which entries of s stand out."""
    motion = runs[NOMINAL]
    courses = {float(time): motion.sensitivity(float(time)) for time in INSTANTS}
    start = courses[0.0]
    findings = [
        *_standing_out(start, TRANSLATIONS, "y", "kN/m"),
        *_standing_out(start, ROTATIONS, "α", "kN m/rad"),
        Finding(
            "Over the cycle y is at least "
            f"{min(_ratio(s, TRANSLATIONS, 'y') for s in courses.values()):.0f} times, α at least "
            f"{min(_ratio(s, ROTATIONS, 'α') for s in courses.values()):.1f} times as sensitive as the next"
        ),
    ]
    paper = (
        "In a nominal pose with both sides barely touching, the net force F_y and the net torque T_α are highly "
        "sensitive to y and α (2.3.1); the four other directions are not."
    )
    panels = [
        _sizes("Translations", courses, TRANSLATIONS, "N/m"),
        _sizes("Rotations", courses, ROTATIONS, "N m/rad"),
    ]
    return figure("Sensitive directions: the vector s of Eq. 1", paper, findings, panels)


def _standing_out(
    s: dict[str, float], names: tuple[str, ...], sensitive: str, unit: str
) -> Iterator[Finding]:
    values = ", ".join(f"{name} {1e-3 * s[name]:.3g}" for name in names)
    ratio = _ratio(s, names, sensitive)
    yield Finding(
        f"At rest under the 168 N of swing, dQ/dc along its own coordinate, in {unit}: {values}; {sensitive} stands "
        f"out {ratio:.0f} times over the next",
        ratio > SENSITIVE,
    )


def _ratio(s: dict[str, float], names: tuple[str, ...], sensitive: str) -> float:
    return abs(s[sensitive]) / max(abs(s[name]) for name in names if name != sensitive)


def _sizes(title: str, courses: dict[float, dict[str, float]], names: tuple[str, ...], unit: str) -> Panel:
    times = list(courses)
    series: list[Series] = [
        {"name": name, "x": times, "y": [np.log10(abs(s[name])) for s in courses.values()]} for name in names
    ]
    return {"title": title, "x": "Time [s]", "y": f"log₁₀ of |s| in {unit}", "series": series}


def figure_3(runs: Runs) -> Figure:
    """The six coordinates."""
    motion = runs[NOMINAL]
    spans = ", ".join(
        f"{name} {extent(motion.value(name)):.{2 if one.unit == 'mm' else 1}f} {one.unit}"
        for name, one in COORDINATES.items()
    )
    third, last = runs[THIRD], slice(-len(motion.time), None)
    moved = {name: float(np.abs(third.value(name)[last] - motion.value(name)).max()) for name in COORDINATES}
    findings = [
        Finding(f"Ranges over the cycle: {spans}"),
        Finding(
            f"The insert goes {-motion.value('x').min():.1f} mm backwards and turns {-motion.value('β').min():.1f} deg "
            "inwards under loads with the extremes of ISO 14243-1, against bumpers of 28.96 N/mm"
        ),
        Finding(
            "The motions of a third cycle differ from those of the first most where that starts, at equilibrium: by "
            f"{max(moved[name] for name in TRANSLATIONS):.3f} mm and {max(moved[name] for name in ROTATIONS):.3f} deg"
        ),
    ]
    panels = [
        _over_cycle(f"{name}: {one.title}", f"{name} [{one.unit}]", motion, {name: motion.value(name)})
        for name, one in COORDINATES.items()
    ]
    paper = f"The six motions of the nominal simulation{NOT_DECIDED}"
    return figure("Figure 3: motions", paper, findings, panels)


def figure_4(runs: Runs) -> Figure:
    """Medial and lateral forces."""
    motion = runs[NOMINAL]
    medial, lateral = motion.compression.T
    loaded = medial + lateral
    share, at = float(medial.sum() / loaded.sum()), int(np.argmax(motion.peak_pressure))
    findings = [
        Finding(
            f"Peaks of {medial.max():.0f} N on the medial and {lateral.max():.0f} N on the lateral side; over the "
            f"cycle the medial side bears {share:.0%}: the axial load acts 5 mm to that side"
        ),
        Finding(f"The greatest pressure is {motion.peak_pressure.max():.1f} MPa, at {motion.time[at]:.3f} s"),
    ]
    panels = [_sides(motion, name, "N") for name in TRANSLATIONS]
    paper = f"Medial and lateral contact forces of the nominal simulation{NOT_DECIDED}"
    found = figure("Figure 4: contact forces", paper, findings, panels)
    found["maps"] = [
        _map(f"Pressure on the insert at {motion.time[at]:.3f} s", motion, motion.pressure(at), "MPa")
    ]
    return found


def figure_5(runs: Runs) -> Figure:
    """Medial and lateral torques."""
    motion = runs[NOMINAL]
    net = {name: float(np.abs(motion.load(name, NET)).max()) for name in ROTATIONS}
    sides = {name: float(np.abs(motion.load(name, MEDIAL)).max()) for name in ROTATIONS}
    findings = [
        Finding(
            "Largest net torques, in N m: "
            + ", ".join(f"T_{name} {value:.2f}" for name, value in net.items())
        ),
        Finding(
            "Largest ones of the medial side, in N m: "
            + ", ".join(f"T_{name} {value:.2f}" for name, value in sides.items())
            + ". T_α of the two sides have opposite signs and partly cancel: each is the side's force times its "
            "distance from the middle"
        ),
    ]
    panels = [_sides(motion, name, "N m") for name in ROTATIONS]
    paper = f"Medial and lateral contact torques of the nominal simulation{NOT_DECIDED}"
    return figure("Figure 5: contact torques", paper, findings, panels)


def wear(runs: Runs) -> Figure:
    """Table 1, and the gap between two ways of telling wear."""
    motion = runs[NOMINAL]
    gap = 1.0 - motion.wear_by_centre / motion.wear()
    low, high = TABLE_1
    findings = [
        Finding(
            f"{motion.wear():.2f} mm³ in 5 million cycles, {motion.wear(MEDIAL):.2f} on the medial and "
            f"{motion.wear(LATERAL):.2f} on the lateral side: the order of magnitude of Table 1, {low:.2f} to "
            f"{high:.2f} mm³ with the inputs at their extremes (its nominal value is not printed, nor is its implant)",
            low / np.sqrt(10.0) < motion.wear() < high * np.sqrt(10.0),
        ),
        Finding(
            f"By centres of pressure it is {motion.wear_by_centre:.2f} mm³, {gap:.1%} less than by triangles",
            0.0 <= gap <= GAP,
        ),
        Finding(
            f"The deepest worn triangle is {motion.worn.max():.0f} µm down; by triangles of 1 mm instead of 1.5 mm the "
            f"volume is {runs[FINER].wear():.2f} mm³, of a third cycle {runs[THIRD].wear():.2f} mm³"
        ),
        Finding(
            f"This cycle took {motion.results.wall_time:.1f} s on the machine that made this page; "
            f"{PAPER_MINUTES:.0f} min in the paper, on a Pentium IV of 3 GHz"
        ),
    ]
    paper = (
        "Table 1, elastic foundation, inputs at their extremes, in mm³: 28.44, 30.31, 18.14, 17.10, 29.76 (F_x, F_y, "
        "T_β, γ, all at their maxima) and 29.49, 30.19, 27.63, 27.08, 30.11 (minima). Wear by the centre of pressure "
        "is within 2 % of wear by elements."
    )
    found = figure("Table 1: wear", paper, findings, [])
    found["maps"] = [_map("Worn depth of the insert", motion, motion.worn, "µm")]
    return found


def _over_cycle(title: str, label: str, motion: Motion, curves: dict[str, Array]) -> Panel:
    series: list[Series] = [{"name": name, "x": motion.time, "y": values} for name, values in curves.items()]
    return {"title": title, "x": "Time [s]", "y": label, "series": series}


def _sides(motion: Motion, name: str, unit: str) -> Panel:
    """A load of both sides, as the paper draws them."""
    curves = {"medial": motion.load(name, MEDIAL), "lateral": motion.load(name, LATERAL)}
    load = COORDINATES[name].load
    return _over_cycle(f"{load}, conjugate to {name}", f"{load} [{unit}]", motion, curves)


def _map(title: str, motion: Motion, values: Array, unit: str) -> Map:
    sides = ("lateral", "medial")
    return {"title": title, "triangles": motion.triangles, "values": values, "unit": unit, "sides": sides}
