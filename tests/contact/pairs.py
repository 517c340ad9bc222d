"""Two outlines at any relative pose, and what the detection sees of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from condyle.contact.detection import (
    GAP,
    GENERAL,
    LABEL,
    METHOD,
    MODE,
    NORMAL_X,
    ROOT_I,
    ROOT_J,
    fill_roots,
)
from condyle.contact.forces import root_of_spot
from condyle.contact.roots import NONE, Pose, facing_root
from condyle.geometry.curve import PlaneCurve
from condyle.mechanics.system import PAIRS, ROOTS, SPOTS
from condyle.model.compiled import CompiledModel, compiled
from contact.oracle import Found
from small_models import circle, hertz, line, model, run

Array = NDArray[np.float64]

KINDS = ("cubic", "akima", "shape-preserving", "pchip")


@dataclass(frozen=True)
class Sight:
    """What the detection sees: kind of root, gap [m], unit normal out of the second curve, facing points."""

    mode: int
    gap: float
    normal: complex
    first: complex
    second: complex


class PairOfCurves:
    """A pair in its compiled model; `look` follows from where it looked last, `fresh` forgets that first."""

    def __init__(self, first: dict[str, Any], second: dict[str, Any], **contact: Any) -> None:
        spec = model(
            {"mover": {"mass": 1.0, "inertia": 1.0}, "base": {"fixed": True}},
            run(1.0),
            profiles={"first": {"body": "mover", **first}, "second": {"body": "base", **second}},
            contacts={"pair": {"between": ["first", "second"], "law": hertz(), **contact}},
        )
        self.model: CompiledModel = compiled(spec)
        self.row = self.model.rows(PAIRS)[0]
        self.work = self.model.work.copy()
        self.first: PlaneCurve = self.model.curves["first"]
        self.second: PlaneCurve = self.model.curves["second"]
        self.size = self.model.contacts.pairs[0].size

    def look(self, place: complex, angle: float) -> Sight:
        """The deepest root at a pose of the first body in the second's frame, followed from the last look."""
        arrays = self.model.arrays
        fill_roots(arrays, self.row, pose_of(place, angle), self.work)
        self.work[self.model.rows(ROOTS), LABEL] = (
            0.0  # a root belongs to nobody, as if the pose had been accepted
        )
        root = root_of_spot(arrays, self.row, self.model.rows(SPOTS)[0], -1, self.model.memory, self.work)
        row = self.work[root]
        if root < 0 or row[MODE] == NONE:
            return Sight(NONE, math.inf, 0j, 0j, 0j)
        normal, first, second = (complex(*row[k : k + 2]) for k in (NORMAL_X, ROOT_I, ROOT_J))
        return Sight(int(row[MODE]), float(row[GAP]), normal, first, second)

    def fresh(self, place: complex, angle: float) -> Sight:
        """The same by a search without a guess."""
        self.work = self.model.work.copy()
        return self.look(place, angle)

    def use_newton(self) -> None:
        """Leave the closed forms of circles and lines aside."""
        arrays = self.model.arrays
        link = arrays.link.copy()
        link[self.row, METHOD] = GENERAL
        self.model = replace(self.model, arrays=arrays._replace(link=link))

    def newton(self, place: complex, angle: float, u: float, v: float) -> float:
        """Gap of the root that Newton's method finds from a guess [m]; infinite where it finds none."""
        return float(facing_root(self.model.arrays.curves, 0, 1, pose_of(place, angle), u, v, self.size)[3])


def pose_of(place: complex, angle: float) -> Pose:
    """A pose as the kernels take it."""
    return place.real, place.imag, math.cos(angle), math.sin(angle)


def apart(sight: Sight, truth: Found | Sight) -> float:
    """Largest difference in gap and facing points along the normal [m]."""
    along = (sight.second - truth.second) * truth.normal.conjugate()
    return max(abs(sight.gap - truth.gap), abs(along.real))


def ellipse(a: float, b: float, centre: complex = 0j, count: int = 48) -> Array:
    """Points on an ellipse [m], shape (count, 2)."""
    angle = 2.0 * np.pi * np.arange(count) / count
    return np.stack([centre.real + a * np.cos(angle), centre.imag + b * np.sin(angle)], axis=1)


def polar(points: Array, kind: str, **more: Any) -> dict[str, Any]:
    """A polar profile through points, without its body."""
    return {"outline": {"points": points.tolist()}, "interpolation": kind, "form": "polar", **more}


def bumpy(radius: float, height: float, lobes: int, count: int = 90) -> Array:
    """Points on r = radius + height cos(lobes angle) [m], shape (count, 2)."""
    angle = 2.0 * np.pi * np.arange(count) / count
    r = radius + height * np.cos(lobes * angle)
    return np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1)


def bowl(radius: float, half_angle: float, kind: str = "cubic", samples: int = 41) -> dict[str, Any]:
    """A hollow arc, open to above, its lowest point at the origin of its body."""
    x, y = radius * math.sin(half_angle), radius * (1.0 - math.cos(half_angle))
    arc = {"center": [0.0, radius], "to": [x, y]}
    return {
        "outline": {"path": {"start": [-x, y], "pieces": [{"arc": arc}], "samples": samples}},
        "interpolation": kind,
        "form": "plain",
        "outward": [0.0, 1.0],
    }


def without_body(profile: dict[str, Any]) -> dict[str, Any]:
    """A profile whose body is said elsewhere."""
    return {key: value for key, value in profile.items() if key != "body"}


def round_disc(radius: float, **more: Any) -> dict[str, Any]:
    """A circle without its body, exact unless said otherwise."""
    return without_body(circle("", radius, **more))


def flat(half: float, **more: Any) -> dict[str, Any]:
    """A straight line through the origin, open to above, without its body."""
    return without_body(line("", (-half, 0.0), (half, 0.0))) | more
