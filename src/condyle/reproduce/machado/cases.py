"""The runs behind the figures of Machado 2010, as changes of two models of the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from condyle.model.spec import Spec, load
from condyle.reproduce.machado.motion import Motion
from condyle.reproduce.running import run_all

SPLINES = ("cubic", "akima", "shape-preserving")

# Fine enough for the area of a loop of force over depth by trapezoids: the shortest contact lasts 14 ms.
OUTPUT_STEP = 2e-4

# --- The digitised outline of Figure 9 ---
# The points of the paper's outline are not printed, and a circle about its own centre is exact in polar form for every
# spline. So the femur's frame, and with it the pole of the spline, is moved away from the condyle's centre [m], and
# the condyle is read off with an error [m] in both coordinates. The knee stays the same.
POLE = (0.010, 0.015)
READING_ERROR = 1e-4
# The articular arc that is read off, as angles about the condyle's centre [deg]; the contact stays within 215 to 267.
ARC = (150.0, 310.0)
# The paper's method asks for a convex outline (its section 3), and an error of 0.1 mm dents an outline that is read
# off too densely: twelve points, 10 mm apart, stay convex in nearly every draw, 25 points, 4.7 mm apart, in none.
SPARSE, DENSE = 12, 25
DRAWS = (2010, 2011, 2012)

# --- Not printed either: the bearing's radius [m], and the floor under the onset speed [m/s], which is our own ---
# Where the bearing is touched at the start, xi on the tibia [m]; the model's initial gap of zero adds the last digits.
PLATEAU = 0.2255590813
RADII = (0.1, 0.3, 1.0, 3.0)
NEARLY_FLAT = 1.0
FLOORS = (1e-4, 1e-2, 1e-1)

Runs = Mapping[str, Motion]


def digitised_name(spline: str, draw: int, count: int = SPARSE) -> str:
    """Name of the case with a digitised outline."""
    return f"{count} points, draw {draw}, {spline}"


def bearing_name(radius: float) -> str:
    """Name of the case with a bearing of a radius [m]."""
    return f"bearing {radius:g} m"


def floor_name(floor: float) -> str:
    """Name of the case with a floor [m/s] under the onset speed."""
    return f"onset floor {1e3 * floor:g} mm/s"


def cases() -> dict[str, Spec]:
    """All cases by name."""
    knee = load("planar-knee").updated({"run.output_step": OUTPUT_STEP})
    bearing = load("planar-knee-clearance").updated({"run.output_step": OUTPUT_STEP})
    found = {"cubic": knee.variant("cubic"), "akima": knee.variant("akima"), "hertz": knee}
    for draw in DRAWS:
        found |= {digitised_name(spline, draw): digitised(knee, SPARSE, draw, spline) for spline in SPLINES}
    for spline in SPLINES:
        found[digitised_name(spline, DRAWS[0], DENSE)] = digitised(knee, DENSE, DRAWS[0], spline)
    found |= {"strong": knee.variant("strong-pulse"), "lankarani": knee.variant("lankarani")}
    for floor in FLOORS:
        found[floor_name(floor)] = found["lankarani"].updated(
            {"contacts.tibiofemoral.law.onset_floor": floor}
        )
    return found | {bearing_name(radius): in_bearing(bearing, radius) for radius in RADII}


def run_cases(told: Callable[[float], None] | None = None) -> dict[str, Motion]:
    """Run all cases; `told` hears the part that is done."""
    return {name: Motion(results) for name, results in run_all(cases(), told).items()}


def digitised(knee: Spec, count: int, draw: int, spline: str) -> Spec:
    """The knee with the condyle's outline read off point by point, seen from a pole off its centre."""
    pole = np.array(POLE)
    changes: dict[str, Any] = {
        "bodies.femur.position": pole.tolist(),
        "profiles.condyle.outline": {"points": readings(count, draw).tolist()},
        "profiles.condyle.interpolation": spline,
        # The paper takes the one place with the least gap; a bumpy outline may touch at more.
        "contacts.tibiofemoral.spots": 1,
    }
    for name, ligament in knee.model.strands().items():
        changes[f"ligaments.{name}.from.at"] = (np.array(ligament.origin.at) - pole).tolist()
    return knee.updated(changes)


def readings(count: int, draw: int) -> NDArray[np.float64]:
    """Points read off the condyle, evenly spaced but for the error, in the moved frame [m], shape (count, 2)."""
    angle = np.deg2rad(np.linspace(*ARC, count))
    circle = 0.04 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    error = READING_ERROR * np.random.default_rng(draw).standard_normal((count, 2))
    points: NDArray[np.float64] = circle - np.array(POLE) + error
    return points


def in_bearing(knee: Spec, radius: float) -> Spec:
    """The knee as a journal in a bearing of a radius [m], touched at the start where the plateau is."""
    circle, second = "profiles.plateau.outline.circle", "contacts.tibiofemoral.radii.1"
    return knee.updated({f"{circle}.radius": radius, f"{circle}.center.0": PLATEAU + radius, second: -radius})
