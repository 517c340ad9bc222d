"""Figures 17 to 19 of Machado 2010: free contact against a revolute joint with clearance."""

from __future__ import annotations

import numpy as np

from condyle.reproduce.compare import diagonal, difference, distance, extent, part
from condyle.reproduce.findings import NEGLIGIBLE, Finding, figure, listed
from condyle.reproduce.machado.cases import NEARLY_FLAT, RADII, Runs, bearing_name
from condyle.reproduce.machado.panels import (
    depths,
    flexions,
    motion_of_tibia,
    over_time,
    paths,
    strains,
    tensions,
)
from condyle.view.plots import Figure


def figure_17(runs: Runs) -> Figure:
    """The motion, in bearings of several radii."""
    free, joint, tight = runs["hertz"], runs[bearing_name(NEARLY_FLAT)], runs[bearing_name(min(RADII))]
    bearings = {bearing_name(radius): runs[bearing_name(radius)] for radius in RADII}
    ranges = {name: extent(motion.flexion) for name, motion in bearings.items()}
    away = {name: distance(free.path, motion.path) / diagonal(free.path) for name, motion in bearings.items()}
    told = ", ".join(f"{name} {value:.1%}" for name, value in away.items())
    findings = [
        Finding(
            f"Range of flexion within 0.5 s, in deg: free contact {extent(free.flexion):.1f}, "
            f"{listed(ranges)}",
            max(ranges.values()) < extent(free.flexion),
        ),
        Finding(
            "It is the range that is larger: at 0.5 s, on the way back, the flexion itself is "
            f"{free.flexion[-1]:.1f} deg with free contact and {joint.flexion[-1]:.1f} deg in the bearing "
            "of 1 m"
        ),
        Finding(
            f"Largest distance of the trajectories from the free one, in parts of its extent: {told}. The "
            "paper calls the bearing approximately plane and prints no radius; in one of 1 m, the one "
            "drawn, the contact points are practically the same",
            away[bearing_name(NEARLY_FLAT)] > NEGLIGIBLE,
        ),
    ]
    paper = (
        "In 0.5 s free contact reports a larger knee flexion angle than the clearance joint, which is "
        "approximately plane and limits the motion. The tibia contact points differ."
    )
    panels = [
        motion_of_tibia("(a) Bearing 1 m", joint),
        flexions("Knee flexion, other bearings", {"free contact": free} | bearings),
        paths(
            "(b) Tibia contact points",
            {"free contact": free, "bearing 1 m": joint, bearing_name(min(RADII)): tight},
        ),
    ]
    return figure("Figure 17: clearance joint, motion", paper, findings, panels)


def figure_18(runs: Runs) -> Figure:
    """The ligaments."""
    free, joint, tight = runs["hertz"], runs[bearing_name(NEARLY_FLAT)], runs[bearing_name(min(RADII))]
    apart = [part(free.tension[:, k], joint.tension[:, k]) for k in range(len(free.ligaments))]
    findings = [
        Finding(
            "Moment by moment the forces in the bearing of 1 m differ from those of free contact by up to "
            f"{min(apart):.0%} to {max(apart):.0%} of their range; the peaks, in N, are "
            f"{listed(joint.peak_tension, '.0f')} instead of {listed(free.peak_tension, '.0f')}",
            min(apart) > NEGLIGIBLE,
        ),
        Finding(f"In the {bearing_name(min(RADII))} the peaks are {listed(tight.peak_tension, '.0f')}"),
    ]
    paper = "As the motions are not equivalent, the dynamic response of the ligaments differs."
    panels = [
        strains("(a) Bearing 1 m: ligament strain", joint),
        tensions("(b) Bearing 1 m: ligament force", joint),
    ]
    return figure("Figure 18: clearance joint, ligaments", paper, findings, panels)


def figure_19(runs: Runs) -> Figure:
    """The contact."""
    free, joint = runs["hertz"], runs[bearing_name(NEARLY_FLAT)]
    depth, rate = part(free.depth, joint.depth), part(free.rate, joint.rate)
    speeds = [1e3 * episode.onset_speed for episode in free.episodes]
    findings = [
        Finding(
            "In the bearing of 1 m the deformation differs by up to "
            f"{difference(free.depth, joint.depth):.2f} mm ({depth:.1%} of the peak), its rate by up to "
            f"{1e3 * difference(free.rate, joint.rate):.0f} mm/s ({rate:.0%} of the range)",
            min(depth, rate) > NEGLIGIBLE,
        ),
        Finding(
            f"With free contact the bones meet {len(speeds)} times, at {min(speeds):.0f} to "
            f"{max(speeds):.0f} mm/s, and the deformation grows at up to {1e3 * np.nanmax(free.rate):.0f} "
            "mm/s"
        ),
    ]
    paper = "The deformation and the normal velocity of deformation of the two models diverge."
    motions = {"free contact": free, "bearing 1 m": joint}
    rates = {name: (motion, 1e3 * motion.rate) for name, motion in motions.items()}
    panels = [
        depths("(a) Deformation", motions),
        over_time("(b) Normal velocity of deformation", "Rate [mm/s]", rates),
    ]
    return figure("Figure 19: free contact and clearance joint, contact", paper, findings, panels)
