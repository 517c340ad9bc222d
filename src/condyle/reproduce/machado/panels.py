"""The panels that the figures of Machado 2010 are made of, each with the axes of its caption."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from condyle.reproduce.machado.motion import Array, Motion
from condyle.view.plots import Panel, Series

# Every how many-th output is drawn: a point each millisecond, sixteen to the shortest contact.
THINNED = 5

Motions = Mapping[str, Motion]


def over_time(title: str, label: str, curves: Mapping[str, tuple[Motion, Array]], note: str = "") -> Panel:
    """Curves over time, by the names in the legend."""
    series = [_series(name, motion.time, values) for name, (motion, values) in curves.items()]
    return {"title": title, "x": "Time [s]", "y": label, "series": series, "note": note}


def depths(title: str, motions: Motions, note: str = "") -> Panel:
    """Local deformation over time, as in Figures 9(b), 10(a), 15(a) and 19(a)."""
    return over_time(title, "Deformation [mm]", {name: (m, m.depth) for name, m in motions.items()}, note)


def paths(title: str, motions: Motions, note: str = "") -> Panel:
    """Contact points on the tibia in the global frame, as in Figures 9(a), 11(b), 15(b) and 17(b)."""
    series = [_series(name, m.path[:, 0], m.path[:, 1]) for name, m in motions.items()]
    return {"title": title, "x": "x [mm]", "y": "y [mm]", "series": series, "equal": True, "note": note}


def motion_of_tibia(title: str, motion: Motion) -> Panel:
    """Coordinates of the tibia's centre of mass and flexion in one panel, as in Figures 12 and 17(a)."""
    curves = {"x": motion.centre[:, 0], "y": motion.centre[:, 1], "flexion": motion.flexion}
    label = "x, y [mm], knee flexion [deg]"
    return over_time(title, label, {name: (motion, values) for name, values in curves.items()})


def flexions(title: str, motions: Motions) -> Panel:
    """Knee flexion over time."""
    return over_time(title, "Knee flexion [deg]", {name: (m, m.flexion) for name, m in motions.items()})


def strains(title: str, motion: Motion) -> Panel:
    """Ligament strain over flexion, as in Figures 13(a), 14(a) and 18(a)."""
    note = "Extension runs to the left. Below zero a ligament is slack."
    return _over_flexion(title, "Ligament strain [%]", motion, motion.strain, note)


def tensions(title: str, motion: Motion) -> Panel:
    """Ligament force over flexion, as in Figures 13(b), 14(b) and 18(b)."""
    return _over_flexion(title, "Ligament force [N]", motion, motion.tension, "Extension runs to the left.")


def loops(title: str, motions: Motions, note: str, up_to: float = np.inf) -> Panel:
    """Normal contact force over deformation, as in Figure 11(a), as far as a depth [mm].

    Not thinned, so that short contacts stay round.
    """
    series = []
    for name, motion in motions.items():
        # The samples just before and after a contact stay, so that a loop begins and ends on the axis.
        near = np.convolve(motion.touching, np.ones(3), mode="same") > 0
        shown = near & (motion.depth <= up_to)
        x, y = (np.where(shown, values, np.nan) for values in (motion.depth, motion.force))
        series.append(_series(name, x, y, every=1))
    label = "Normal contact force [N]"
    return {"title": title, "x": "Deformation [mm]", "y": label, "series": series, "note": note}


def _over_flexion(title: str, label: str, motion: Motion, values: Array, note: str) -> Panel:
    series = [_series(name, motion.flexion, values[:, k]) for k, name in enumerate(motion.ligaments)]
    return {"title": title, "x": "Knee flexion [deg]", "y": label, "series": series, "note": note}


def _series(name: str, x: Array, y: Array, every: int = THINNED) -> Series:
    return {"name": name, "x": x[::every], "y": y[::every]}
