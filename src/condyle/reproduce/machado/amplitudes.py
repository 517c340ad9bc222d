"""Figures 12 to 15 of Machado 2010: pulses of 50 N and 150 N."""

from __future__ import annotations

import numpy as np

from condyle.reproduce.compare import difference, distance, extent, part
from condyle.reproduce.findings import NEGLIGIBLE, Finding, figure, listed
from condyle.reproduce.machado.cases import Runs
from condyle.reproduce.machado.motion import Array, Motion
from condyle.reproduce.machado.panels import depths, motion_of_tibia, paths, strains, tensions
from condyle.view.plots import Figure

COLLATERALS, CRUCIATES = ("MCL", "LCL"), ("ACL", "PCL")


def figure_12(runs: Runs) -> Figure:
    """The motion."""
    weak, strong = runs["hertz"], runs["strong"]
    pairs = [(weak.flexion, strong.flexion), *((weak.centre[:, k], strong.centre[:, k]) for k in (0, 1))]
    (bend, x, y), (bent, right, up) = ([measure(*pair) for pair in pairs] for measure in (difference, part))
    findings = [
        Finding(
            f"With 150 N the flexion differs by up to {bend:.2f} deg of {extent(weak.flexion):.1f} deg "
            f"({bent:.1%}), the centre of mass by {x:.1f} mm in x ({right:.1%}) and {y:.1f} mm in y "
            f"({up:.1%})",
            max(bent, right, up) < NEGLIGIBLE,
        ),
        Finding(
            "The pulse is meant to lead to 0 deg: with the printed data the knee extends to "
            f"{weak.flexion.min():.2f} deg, at {weak.time[weak.flexion.argmin()]:.3f} s (150 N: "
            f"{strong.flexion.min():.2f} deg), and bends again"
        ),
    ]
    paper = (
        "The tibia's centre of mass and the knee flexion angle are practically the same for 50 N and 150 N."
    )
    panels = [motion_of_tibia("(a) 50 N", weak), motion_of_tibia("(b) 150 N", strong)]
    return figure("Figure 12: 50 N and 150 N, motion", paper, findings, panels)


def collaterals_below(peaks: dict[str, float]) -> bool:
    """Whether the peak of every collateral is below that of every cruciate."""
    return max(peaks[name] for name in COLLATERALS) < min(peaks[name] for name in CRUCIATES)


def out_of_order(motion: Motion) -> tuple[float, float]:
    """Share of the extension [-] during which a collateral pulls more than a cruciate, and its least flexion [deg]."""
    columns = dict(zip(motion.ligaments, motion.tension.T, strict=True))
    most: Array = np.max([columns[name] for name in COLLATERALS], axis=0)
    least: Array = np.min([columns[name] for name in CRUCIATES], axis=0)
    extending = np.arange(len(motion.time)) <= motion.flexion.argmin()
    over = (most > least) & extending
    return float(over.sum() / extending.sum()), float(motion.flexion[over].min(initial=np.inf))


def figure_13(runs: Runs) -> Figure:
    """Ligaments at 50 N."""
    weak = runs["hertz"]
    share, down_to = out_of_order(weak)
    findings = [
        Finding(f"Peak strains in %: {listed(weak.peak_strain)}", collaterals_below(weak.peak_strain)),
        Finding(
            f"Peak forces in N: {listed(weak.peak_tension, '.0f')}", collaterals_below(weak.peak_tension)
        ),
        Finding(
            f"Moment by moment a collateral pulls more than a cruciate during {share:.0%} of the extension, "
            f"all of it above {down_to:.0f} deg of flexion, before the ligaments are taut"
        ),
    ]
    paper = "At 50 N, while the knee extends, strains and forces of MCL and LCL are lower than those of ACL and PCL."
    panels = [strains("(a) 50 N: ligament strain", weak), tensions("(b) 50 N: ligament force", weak)]
    return figure("Figure 13: ligaments at 50 N", paper, findings, panels)


def figure_14(runs: Runs) -> Figure:
    """Ligaments at 150 N."""
    weak, strong = runs["hertz"], runs["strong"]
    stretched = [strong.peak_strain[name] / weak.peak_strain[name] for name in weak.ligaments]
    pulled = [strong.peak_tension[name] / weak.peak_tension[name] for name in weak.ligaments]
    (share_weak, down_to_weak), (share, down_to) = out_of_order(weak), out_of_order(strong)
    kept = "keep" if collaterals_below(strong.peak_tension) else "lose"
    findings = [
        Finding(
            f"Peak strains in %: {listed(strong.peak_strain)}, {min(stretched):.2f} to {max(stretched):.2f} "
            "times those at 50 N",
            min(stretched) > 1.0,
        ),
        Finding(
            f"Peak forces in N: {listed(strong.peak_tension, '.0f')}, {min(pulled):.2f} to "
            f"{max(pulled):.2f} times",
            min(pulled) > 1.0,
        ),
        Finding(
            f"Peak contact force: {strong.peak_force:.0f} N instead of {weak.peak_force:.0f} N",
            strong.peak_force > weak.peak_force,
        ),
        Finding(
            f"A collateral pulls more than a cruciate during {share:.0%} of the extension instead of "
            f"{share_weak:.0%}, down to {down_to:.0f} deg of flexion instead of {down_to_weak:.0f} deg; the "
            f"peaks {kept} the order that they have at 50 N",
            share > share_weak and down_to_weak - down_to > NEGLIGIBLE * extent(weak.flexion),
        ),
    ]
    paper = (
        "At 150 N the strains and forces of the ligaments and the contact forces are larger, and some of "
        "the physiological behaviour reported for 50 N is not verified."
    )
    panels = [strains("(a) 150 N: ligament strain", strong), tensions("(b) 150 N: ligament force", strong)]
    return figure("Figure 14: ligaments at 150 N", paper, findings, panels)


def past_bounds(motion: Motion) -> list[str]:
    """Ligaments past their allowed strain or force (Machado 2010, Table 2)."""
    return [row.name for row in motion.results.summary().ligaments if row.state]


def figure_15(runs: Runs) -> Figure:
    """The contact."""
    weak, strong = runs["hertz"], runs["strong"]
    findings = [
        Finding(
            f"Peak deformation: {strong.peak_depth:.2f} mm instead of {weak.peak_depth:.2f} mm",
            strong.peak_depth > weak.peak_depth,
        ),
        _bearable(weak, strong),
    ]
    paper = (
        "At 150 N the deformation is larger, and the tibia contact points show a non-physiological scenario "
        "that the knee does not bear without damage."
    )
    motions = {"50 N": weak, "150 N": strong}
    panels = [depths("(a) Deformation", motions), paths("(b) Tibia contact points", motions)]
    return figure("Figure 15: 50 N and 150 N, contact", paper, findings, panels)


def _bearable(weak: Motion, strong: Motion) -> Finding:
    """Whether anything at 150 N is past what the paper itself says that a knee bears."""
    past = past_bounds(strong)
    rows = strong.results.summary().ligaments
    share, nearest = max((r.force / r.allowed_force, r.name) for r in rows if np.isfinite(r.allowed_force))
    return Finding(
        "The contact points do not show it: the trajectories lie within "
        f"{distance(weak.path, strong.path):.1f} mm of each other and cover {extent(strong.along):.1f} mm "
        f"of the plateau instead of {extent(weak.along):.1f} mm. {', '.join(past) or 'No ligament'} "
        f"{'go' if len(past) > 1 else 'goes'} past the bounds of Table 2 ({nearest} comes to {share:.0%} of "
        "its allowed force)",
        bool(past),
    )
