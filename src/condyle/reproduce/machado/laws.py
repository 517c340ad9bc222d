"""Figures 10 and 11 of Machado 2010: two contact laws."""

from __future__ import annotations

from math import sqrt

from condyle.reproduce.compare import correlation, diagonal, difference, distance, part
from condyle.reproduce.findings import NEGLIGIBLE, SIMILAR, Finding, figure
from condyle.reproduce.machado.cases import FLOORS, Runs, floor_name
from condyle.reproduce.machado.motion import Motion
from condyle.reproduce.machado.panels import depths, loops, over_time, paths
from condyle.view.plots import Figure

CONDYLE_RADIUS = 40.0  # [mm]
# An area of a loop that is zero up to the trapezoids it is summed by, in parts of the energy stored at the peak.
ZERO_AREA = 1e-4
SMALL_LOOPS = 1.2  # what is drawn once more, larger [mm]


def figure_10(runs: Runs) -> Figure:
    """Deformation and force over time."""
    hertz, lossy = runs["hertz"], runs["lankarani"]
    shapes, same, apart = _alike(hertz, lossy)
    patch = sqrt(CONDYLE_RADIUS * hertz.peak_depth)  # half the width of a Hertz contact
    findings = [
        Finding(f"Under Hertz's law deformation and force correlate by {shapes:.3f}", shapes > SIMILAR),
        Finding(
            f"The deformations under the two laws correlate by {same:.3f}; the peak is "
            f"{lossy.peak_depth:.2f} mm under Lankarani-Nikravesh instead of {hertz.peak_depth:.2f} mm, as "
            "the loss takes the ripple off the curve",
            same > SIMILAR,
        ),
        Finding(
            f"The forces, with peaks of {hertz.peak_force:.0f} N and {lossy.peak_force:.0f} N, differ by up "
            f"to {difference(hertz.force, lossy.force):.0f} N ({apart:.0%})",
            apart > NEGLIGIBLE,
        ),
        Finding(
            f"With a deformation of {hertz.peak_depth:.1f} mm the touching patch on a condyle of 40 mm "
            f"reaches {patch:.0f} mm to either side, which is not the small patch of Hertz's theory: "
            "deformation and force follow from the printed modulus of 5 MPa and are not those of a knee"
        ),
    ]
    paper = (
        "Hertz: deformation and normal force have curves of similar shapes. Lankarani-Nikravesh: a "
        "deformation similar to Hertz's, a normal force with some differences."
    )
    motions = {"Hertz": hertz, "Lankarani-Nikravesh": lossy}
    force = {name: (motion, motion.force) for name, motion in motions.items()}
    panels = [depths("(a) Deformation", motions), over_time("(b) Normal contact force", "Force [N]", force)]
    return figure("Figure 10: two contact laws over time", paper, findings, panels)


def _alike(hertz: Motion, lossy: Motion) -> tuple[float, float, float]:
    """Correlations of depth and force under Hertz's law and of the two depths; largest part by which forces differ."""
    return (
        correlation(hertz.depth, hertz.force),
        correlation(hertz.depth, lossy.depth),
        part(hertz.force, lossy.force),
    )


def figure_11(runs: Runs) -> Figure:
    """Loops of force over deformation, and the paths."""
    hertz, lossy = runs["hertz"], runs["lankarani"]
    findings = [
        Finding(
            "Under Hertz's law the area of the loops, the integral of F dδ along the curve, is "
            f"{hertz.loop_area:.0e} J, of {hertz.stored.max():.2f} J stored at the peak",
            abs(hertz.loop_area) < ZERO_AREA * hertz.stored.max(),
        ),
        Finding(
            f"Under Lankarani-Nikravesh it is {lossy.loop_area:.3f} J, and the energy balance of the run "
            f"says that {lossy.dissipated:.3f} J were lost",
            lossy.loop_area > NEGLIGIBLE * lossy.stored.max(),
        ),
        _phases(lossy),
        _trajectories(hertz, lossy),
        _onset(runs),
    ]
    paper = (
        "Hertz gives back what it stored. Lankarani-Nikravesh dissipates: a complete loading phase, an "
        "unloading phase cut short by the next loading, smaller hysteresis loops. The trajectories of the "
        "contact points show some minimal differences."
    )
    motions = {"Hertz": hertz, "Lankarani-Nikravesh": lossy}
    open_end = "The bones still touch at 0.5 s, where the curves end."
    panels = [
        loops("(a) Force over deformation", motions, open_end),
        loops("(a) The small loops", motions, f"The same up to {SMALL_LOOPS} mm.", SMALL_LOOPS),
        paths("(b) Tibia contact points", motions),
    ]
    return figure("Figure 11: force over deformation", paper, findings, panels)


def _phases(lossy: Motion) -> Finding:
    """Whether unloading is cut short by the next loading."""
    closed = [episode for episode in lossy.episodes if episode.finished and not episode.interruptions]
    cut = [episode for episode in lossy.episodes if episode.interruptions]
    text = f"Of {len(lossy.episodes)} contacts {len(closed)} load and unload completely"
    if closed:
        text += f", in small loops of {', '.join(f'{1e3 * episode.work:.2f}' for episode in closed)} mJ"
    for episode in cut[:1]:
        load, unload, again = (*episode.turns, lossy.depth[-1])[:3]
        text += (
            f"; {len(cut)} shows the two phases: loaded to {load:.2f} mm, unloaded to {unload:.2f} mm only, "
            f"loaded again to {again:.2f} mm"
        )
    return Finding(text, bool(cut and closed))


def _trajectories(hertz: Motion, lossy: Motion) -> Finding:
    """How far the contact points part."""
    away = distance(hertz.path, lossy.path)
    share = away / diagonal(hertz.path)
    return Finding(
        f"The trajectories part by up to {away:.2f} mm, {share:.1%} of their extent: the loss makes the "
        f"knee turn back at {lossy.flexion.min():.1f} deg of flexion instead of {hertz.flexion.min():.1f} "
        "deg, and its trajectory ends there",
        share < NEGLIGIBLE,
    )


def _onset(runs: Runs) -> Finding:
    """What the bound on the damping of slow contacts does."""
    lossy = runs["lankarani"]
    slowest = 1e3 * min(episode.onset_speed for episode in lossy.episodes)
    losses = ", ".join(
        f"{runs[floor_name(floor)].dissipated:.3f} J at {1e3 * floor:g} mm/s" for floor in FLOORS
    )
    return Finding(
        "Eq. 27 divides by the approach speed at onset, under which there is a floor of 1 mm/s here. It "
        "does not act: gravity parts the bones before the pulse has grown, and then they meet at "
        f"{slowest:.0f} mm/s or faster. Loss with other floors: {losses}"
    )
