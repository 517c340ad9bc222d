"""Figures 4, 5 and 7 of Kasai 2024."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from condyle.reproduce.compare import difference
from condyle.reproduce.findings import NEGLIGIBLE, Finding, figure, listed
from condyle.reproduce.kasai.cases import (
    FLEXIBLE,
    MODELS,
    OTHERS,
    RIGID,
    SPRING,
    Runs,
    other_name,
    printed_name,
)
from condyle.reproduce.kasai.motion import JOINTS, Array, Motion
from condyle.view.plots import Figure, Panel, Series

# Every how many-th output is drawn where five seconds are: 5 ms apart.
THINNED = 5
# What is drawn once more, larger: the first contact of Figure 5, right, and of Figure 7 [s].
ZOOM, TOUCHES = (1.0, 1.1), (1.0, 1.5)
WHERE = "Forces tremble with the bending and stretching of the rod, which nothing damps."


def figure_4(runs: Runs) -> Figure:
    """Each element of the integrated model over time."""
    motion = runs[SPRING]
    asked = -90.0 + np.rad2deg(0.4 * np.pi * motion.time)  # Eq. 14
    audit = motion.results.audit
    findings = [
        Finding(
            f"The crank follows Eq. 14 to {difference(motion.crank, asked):.0e} deg; the contact point moves "
            f"between {motion.contact_point.min():.1f} and {motion.contact_point.max():.1f} mm, the face between "
            f"{motion.face.min():.1f} and {motion.face.max():.1f} mm"
        ),
        Finding(
            f"The rod's middle is between {motion.deflection.min():.2f} and {motion.deflection.max():.2f} mm off "
            f"the line from A to B; the torque of the drive reaches {np.abs(motion.torque).max():.2f} N m"
        ),
        Finding(
            f"Largest joint forces: {listed({name: float(motion.reaction(name).max()) for name in JOINTS}, '.2f')} N"
        ),
        Finding(
            f"With steps of 1e-5 s by Runge-Kutta-Gill the energy balance closes to {audit.relative_residual:.0e} of "
            f"the energy exchanged, and joints drift apart by {audit.constraint_drift:.0e} m at most"
        ),
    ]
    paper = (
        "The results of each element of the integrated model, with a flexible rod and a face on a spring and a "
        "damper: shown as curves only, without a number or a sentence that numbers could decide."
    )
    return figure("Figure 4: the integrated slider-crank", paper, findings, _elements(motion))


def _elements(motion: Motion) -> list[Panel]:
    """Figure 4's panels: motion, deflection, torque and reactions."""
    places = {"contact point": motion.contact_point, "face": motion.face}
    return [
        _over_time("Crank", "Angle [deg]", {"crank": (motion, motion.crank)}),
        _over_time("Slider and face", "x [mm]", {name: (motion, values) for name, values in places.items()}),
        _over_time(
            "Deflection of the rod's middle", "Off the line A-B [mm]", {"rod": (motion, motion.deflection)}
        ),
        _over_time("Torque of the drive", "Torque [N m]", {"drive": (motion, motion.torque)}, WHERE),
        _over_time(
            "Forces of the joints",
            "Force [N]",
            {name: (motion, motion.reaction(name)) for name in JOINTS},
            WHERE,
        ),
        _over_time("Contact force", "Force [N]", {"contact": (motion, motion.force)}),
    ]


def figure_5(runs: Runs) -> Figure:
    """x of the contact point with and without flexible material."""
    rigid, flexible = runs[RIGID], runs[FLEXIBLE]
    before = rigid.time < rigid.onsets[0]
    together = rigid.time < rigid.released
    apart = float(np.abs(rigid.contact_point - flexible.contact_point)[together].max())
    sway = [float(np.abs(flexible.deflection[rows]).max()) for rows in (before, flexible.touching)]
    findings = [
        Finding(
            f"Until the first contact at {rigid.onsets[0]:.4f} s (flexible: {flexible.onsets[0]:.4f} s) the two move "
            f"alike, to {1e3 * float(np.abs(rigid.contact_point - flexible.contact_point)[before].max()):.0f} µm"
        ),
        Finding(
            f"Then they part by up to {apart:.2f} mm: the rigid rod drives the slider {rigid.peak_depth:.2f} mm into "
            f"the face, as far as the crank reaches, the flexible one {flexible.peak_depth:.2f} mm",
            apart > NEGLIGIBLE * rigid.peak_depth,
        ),
        Finding(
            f"The contact deforms the flexible rod: its middle goes {sway[1]:.2f} mm off the line from A to B while "
            f"the slider touches, {sway[0]:.2f} mm before",
            sway[1] > (1.0 + NEGLIGIBLE) * sway[0],
        ),
        Finding("The rod buckles, to the side to which it hangs: with these sizes its Euler load is 51 N"),
    ]
    paper = (
        "The x-coordinates of L2 with and without flexible material; on the right, they differ at the first contact. "
        "The viscoelastic contact causes the deformation of the flexible body."
    )
    curves = {name: (runs[name], runs[name].contact_point) for name in (RIGID, FLEXIBLE)}
    panels = [
        _over_time("(left) x of the contact point", "x [mm]", curves, "The face is at 595 mm."),
        _over_time("(right) At first contact", "x [mm]", curves, within=ZOOM),
        _over_time(
            "Deflection of the rod's middle",
            "Off the line A-B [mm]",
            {FLEXIBLE: (flexible, flexible.deflection)},
        ),
    ]
    return figure("Figure 5: the contact point with and without flexible material", paper, findings, panels)


def figure_7(runs: Runs) -> Figure:
    """Contact forces of the three models of Figure 6."""
    forces = {name: runs[name].peak_force for name in MODELS}
    depths = {name: runs[name].peak_depth for name in MODELS}
    rigid, flexible, spring = (runs[name] for name in MODELS)
    findings = [
        Finding(
            f"Deepest: {listed(depths, '.2f')} mm; the deflection of the rod and the yielding of the spring make the "
            "contact shallower",
            falls(list(depths.values())),
        ),
        Finding(f"Largest contact forces: {listed(forces, '.2f')} N", falls(list(forces.values()))),
        Finding(
            f"The rigid model touches from {rigid.onsets[0]:.3f} s to {rigid.released:.3f} s, the flexible one from "
            f"{flexible.onsets[0]:.3f} s to {flexible.released:.3f} s; the face on the spring is knocked away and "
            f"comes back, {len(spring.onsets)} contacts at {', '.join(f'{time:.3f}' for time in spring.onsets)} s"
        ),
        _with_printed_exponent(runs),
        _with_other_sizes(runs),
    ]
    paper = (
        "Three models: a) rigid, b) flexible, c) flexible with spring and damper. The deflection of the flexible body "
        "and the contraction of the spring-damper reduce the relative penetration, resulting in smaller contact forces "
        "than in the rigid model."
    )
    curves = {name: (runs[name], runs[name].force) for name in MODELS}
    panels = [
        _over_time("Contact force", "Force [N]", curves, within=TOUCHES),
        _over_time(
            "Face on a spring", "Force [N]", {SPRING: curves[SPRING]}, "The same, larger.", within=TOUCHES
        ),
    ]
    return figure("Figure 7: contact forces of the three models", paper, findings, panels)


def falls(values: list[float]) -> bool:
    """Whether each value is smaller than the one before by more than is negligible."""
    return all(after < (1.0 - NEGLIGIBLE) * before for before, after in pairwise(values))


def _with_printed_exponent(runs: Runs) -> Finding:
    """What the exponent of section 2.2 does."""
    forces = {name: runs[printed_name(name)].peak_force for name in MODELS}
    kept = "the same order" if falls(list(forces.values())) else "another order"
    return Finding(
        f"With the exponent 2/3 as section 2.2 and Eq. 15 print it, instead of Hertz's 3/2: {listed(forces, '.1f')} N, "
        f"{kept}"
    )


def _with_other_sizes(runs: Runs) -> Finding:
    """Whether the order of the forces hangs on sizes that are not printed."""
    parts = []
    for other in OTHERS:
        forces = [
            runs[name if other_name(name, other) not in runs else other_name(name, other)].peak_force
            for name in MODELS
        ]
        order = ", hardly apart" if forces == sorted(forces, reverse=True) else ", another order"
        order = "" if falls(forces) else order
        parts.append(f"{other} {' > '.join(f'{force:.1f}' for force in forces)} N{order}")
    return Finding(f"No sizes are printed; with others than ours: {'; '.join(parts)}")


def _over_time(
    title: str,
    label: str,
    curves: Mapping[str, tuple[Motion, Array]],
    note: str = "",
    within: tuple[float, float] | None = None,
) -> Panel:
    """Curves over time, by the names in the legend; what lies within a short time is drawn in full."""
    series: list[Series] = []
    for name, (motion, values) in curves.items():
        begin, end = within or (-np.inf, np.inf)
        shown = (motion.time >= begin) & (motion.time <= end)
        every = THINNED if within is None else 1
        series.append({"name": name, "x": motion.time[shown][::every], "y": values[shown][::every]})
    return {"title": title, "x": "Time [s]", "y": label, "series": series, "note": note}
