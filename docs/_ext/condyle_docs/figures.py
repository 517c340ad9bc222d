"""How the gallery's figures look, and in which order its pages stand."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl

ORDER = (
    "plot_planar_knee",
    "plot_contact_laws",
    "plot_bouncing_ball",
    "plot_polycentric_femur",
    "plot_clearance",
    "plot_knee_replacement",
    "plot_orthosis",
    "plot_elements",
    "plot_noise_and_splines",
)
# The colours of the report, told apart by readers with any kind of colour vision.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b65c93", "#c98500", "#3f9fd6", "#444b50")
STYLE = {
    "axes.prop_cycle": mpl.cycler(color=COLOURS),
    "axes.edgecolor": "#9aa2a6",
    "axes.grid": True,
    "axes.labelcolor": "#1b2126",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "figure.dpi": 100,
    "font.size": 10,
    "grid.color": "#e6e9e8",
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "savefig.facecolor": "white",
    "xtick.color": "#5b656d",
    "ytick.color": "#5b656d",
}


def house_style(_configuration: dict[str, Any], _file: str | None) -> None:
    """Give every example the same look; sphinx-gallery calls this before each."""
    mpl.rcdefaults()
    mpl.use("agg")
    mpl.rcParams.update(STYLE)


def in_reading_order(file: str) -> int:
    """Place of an example's file; a file that is not listed is an error, not a surprise."""
    return ORDER.index(file.removesuffix(".py"))
