"""Newton's method on Machado 2010, Eqs. 20-21: the Jacobian is the derivative, and convergence is quadratic."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle.contact.detection import U_FIRST, U_SECOND
from condyle.contact.roots import Pose, facing_equations, placed_point
from condyle.geometry.curve import Curves, PlaneCurve, curve_point
from condyle.mechanics.system import ROOTS, Array
from condyle.testing import assert_gradient
from contact.pairs import PairOfCurves, bowl, ellipse, flat, polar, pose_of, round_disc

angles, parts, inner = st.floats(-3.1, 3.1), st.floats(0.0, 0.999), st.floats(0.1, 0.9)
PAIRS = {
    "polar and polar": PairOfCurves(
        polar(ellipse(0.06, 0.04, 0.005 + 0.003j), "cubic"), polar(ellipse(0.03, 0.05), "akima")
    ),
    "circle and plain": PairOfCurves(round_disc(0.04), bowl(0.07, 1.2)),
    "line and polar": PairOfCurves(flat(0.3), polar(ellipse(0.06, 0.04), "shape-preserving")),
}


def equations(curves: Curves, pose: Pose, u: float, v: float) -> tuple[float, ...]:
    """Both equations and their Jacobian at two parameters."""
    return facing_equations(placed_point(curves, 0, u, pose), curve_point(curves, 1, v))


def inside(curve: PlaneCurve, piece: float, share: float) -> tuple[float, float]:
    """A parameter inside one piece of a curve, where all is smooth, and how far it is to the piece's ends."""
    k = int(piece * (len(curve.breaks) - 1))
    width = float(curve.breaks[k + 1] - curve.breaks[k])
    return float(curve.breaks[k]) + share * width, min(share, 1.0 - share) * width


@pytest.mark.parametrize("name", PAIRS)
@given(angle=angles, pieces=st.tuples(parts, parts), shares=st.tuples(inner, inner))
def test_jacobian(name: str, angle: float, pieces: tuple[float, float], shares: tuple[float, float]) -> None:
    """Against differences, at any pose and any two points."""
    pair = PAIRS[name]
    curves, pose = pair.model.arrays.curves, pose_of(0.06 + 0.05j, angle)
    (u, room_u), (v, room_v) = (
        inside(curve, piece, share)
        for curve, piece, share in zip((pair.first, pair.second), pieces, shares, strict=True)
    )

    def values(at: Array) -> list[float]:
        return list(equations(curves, pose, at[0], at[1])[:2])

    def jacobian(at: Array) -> Array:
        return np.reshape(equations(curves, pose, at[0], at[1])[2:], (2, 2))

    assert_gradient(values, jacobian, [u, v], step=0.5 * min(room_u, room_v), tolerance=1e-6)


@pytest.mark.parametrize("name", PAIRS)
def test_convergence_is_quadratic(name: str) -> None:
    """A start off by 1e-3 of the size: one step leaves 1e-6 of it, the next 1e-12. The Jacobian is exact."""
    pair = PAIRS[name]
    place = {"circle and plain": 0.001 + 0.032j, "line and polar": -0.045j}.get(name, 0.085 + 0.03j)
    curves, pose = pair.model.arrays.curves, pose_of(place, 0.1)
    truth = pair.fresh(place, 0.1)
    assert truth.gap < 0.05
    row = pair.work[pair.model.rows(ROOTS)[0]]
    at, errors = np.array([row[U_FIRST] + 3e-4, row[U_SECOND] + 2e-4]), []
    for _ in range(4):
        found = equations(curves, pose, *at)
        errors.append(math.hypot(*found[:2]))
        at = at - np.linalg.solve(np.reshape(found[2:], (2, 2)), found[:2])
    assert errors[0] > 1e-8
    assert errors[2] < 1e-5 * errors[1] + 1e-18
