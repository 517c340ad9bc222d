"""Table 2 and Figure 9 of Machado 2010: where the run starts, and what the choice of spline does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from condyle.reproduce.compare import difference, extent
from condyle.reproduce.findings import NEGLIGIBLE, Finding, figure
from condyle.reproduce.machado.cases import DENSE, DRAWS, SPARSE, SPLINES, Runs, digitised_name
from condyle.reproduce.machado.motion import Array, Motion
from condyle.reproduce.machado.panels import depths, paths
from condyle.view.plots import Figure

# What of a motion is compared: place along the plateau [mm], deformation [mm], flexion [deg].
QUANTITIES: tuple[Callable[[Motion], Array], ...] = (
    lambda m: m.along,
    lambda m: m.depth,
    lambda m: m.flexion,
)


def table_2(runs: Runs) -> Figure:
    """Rest lengths against the distances of the insertions in the pose of Table 1."""
    knee = runs["hertz"].results
    declared = knee.spec.model.ligaments
    printed = {name: 1e3 * (ligament.rest_length or np.nan) for name, ligament in declared.items()}
    start = 1e3 * knee.dataset["ligament_length"].isel(time=0).values
    pairs = list(zip(printed, start, strict=True))
    apart = max(abs(length - printed[name]) for name, length in pairs)
    told = ", ".join(f"{name} {length:.2f} mm for {printed[name]:.1f} mm" for name, length in pairs)
    findings = [
        Finding(
            "The insertions of Table 2 in the pose of Table 1 lie as far apart as the printed lengths, to "
            f"{apart:.2f} mm: {told}",
            apart < 0.1,
        ),
        Finding(
            "So it is with the femur's frame parallel to the global one, not turned by the 90 deg that "
            "Table 1 prints"
        ),
    ]
    paper = "The rest lengths of Table 2 are the lengths of the ligaments at 54.79 deg of flexion."
    return figure("Table 2: rest lengths of the ligaments", paper, findings, [])


def spread(runs: Runs, names: Sequence[str], quantity: Callable[[Motion], Array]) -> float:
    """Largest difference between any two of some runs, in the quantity's unit."""
    values = [quantity(runs[name]) for name in names]
    return max(difference(values[i], values[j]) for i in range(len(values)) for j in range(i))


def outline(draw: int, count: int = SPARSE) -> list[str]:
    """Names of the cases of one digitised outline, one for each spline."""
    return [digitised_name(spline, draw, count) for spline in SPLINES]


def between_splines(runs: Runs) -> list[float]:
    """Largest differences between splines over all draws of the outline, in the units of `QUANTITIES`."""
    return [max(spread(runs, outline(draw), quantity) for draw in DRAWS) for quantity in QUANTITIES]


def by_reading_error(runs: Runs) -> list[float]:
    """Largest differences of the digitised outlines from the circle, in the units of `QUANTITIES`."""
    names = [name for draw in DRAWS for name in outline(draw)]
    circle = runs["hertz"]
    return [
        max(difference(quantity(circle), quantity(runs[name])) for name in names) for quantity in QUANTITIES
    ]


def figure_9(runs: Runs) -> Figure:
    """The choice of spline."""
    circle = runs["hertz"]
    on_circle = spread(runs, ("cubic", "akima", "hertz"), lambda m: m.depth)
    between, error = between_splines(runs), by_reading_error(runs)
    parts = [apart / extent(quantity(circle)) for apart, quantity in zip(between, QUANTITIES, strict=True)]
    findings = [
        Finding(
            f"On the library's circle the deformations differ by {on_circle:.2g} mm: seen from its own "
            "centre a circle is a constant for every spline, which shows nothing"
        ),
        Finding(
            f"On the same circle read off at {SPARSE} points with an error of 0.1 mm, from a pole 18 mm off "
            f"its centre, in {len(DRAWS)} draws, the splines differ by at most {between[0]:.2f} mm in the "
            f"contact point's place along the plateau ({parts[0]:.1%} of the range), {between[1]:.3f} mm in "
            f"deformation ({parts[1]:.1%}) and {between[2]:.2f} deg in flexion ({parts[2]:.1%})",
            max(parts) < NEGLIGIBLE,
        ),
        Finding(
            f"The reading error moves them by up to {error[0]:.2f} mm, {error[1]:.2f} mm and {error[2]:.2f} "
            f"deg, {min(e / b for e, b in zip(error, between, strict=True)):.0f} times as much or more"
        ),
    ]
    paper = (
        "The choice of the cubic interpolation spline has no significant influence on the resulting motion."
    )
    motions = {"circle": circle} | _by_spline(runs, outline(DRAWS[0]))
    panels = [paths("(a) Tibia contact points", motions), depths("(b) Deformation", motions)]
    return figure("Figure 9: three splines", paper, findings, panels)


def bumps(runs: Runs) -> Figure:
    """The same outline read off more densely: not a figure of the paper, but where its conclusion ends."""
    names = outline(DRAWS[0], DENSE)
    sparse = [spread(runs, outline(DRAWS[0]), quantity) for quantity in QUANTITIES]
    dense = [spread(runs, names, quantity) for quantity in QUANTITIES]
    residual = max(runs[name].results.audit.relative_residual for name in names)
    findings = [
        Finding(
            f"At {DENSE} points, 4.7 mm apart, the same reading error dents the outline, which is no longer "
            "convex as the paper's method asks. Under its rule of one place of contact, that of the least "
            "gap, the contact point jumps from bump to bump. Between splines it differs by up to "
            f"{dense[0]:.2f} mm (at {SPARSE} points {sparse[0]:.2f} mm), the deformation by {dense[1]:.3f} "
            f"mm ({sparse[1]:.3f} mm), the flexion by {dense[2]:.2f} deg ({sparse[2]:.2f} deg)"
        ),
        Finding(
            "Where it jumps the force turns at once, between two places equally deep: the instants are located, "
            f"and the energy balance of these three runs closes to {residual:.0e}"
        ),
    ]
    paper = "Splines may make a difference where profiles are more complex; shape-preserving ones do not oscillate."
    motions = {"circle": runs["hertz"]} | _by_spline(runs, names)
    panels = [paths("Tibia contact points", motions), depths("Deformation", motions)]
    return figure("Beside Figure 9: read off too densely", paper, findings, panels)


def _by_spline(runs: Runs, names: Sequence[str]) -> dict[str, Motion]:
    """Runs by the names of splines that the legend shows."""
    return dict(zip(("cubic", "Akima", "shape-preserving"), (runs[name] for name in names), strict=True))
