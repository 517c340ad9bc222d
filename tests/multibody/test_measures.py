"""Measures: values by complex numbers, Jacobians by differences, and what the results show of them."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

import condyle
from condyle.multibody.measures import angle_between, coordinate_of, distance_between
from condyle.testing import assert_gradient
from small_models import Section, held, model, run

Array = NDArray[np.float64]
Measure = Callable[[Array, Array], tuple[Array, Array]]

AT_FIRST, AT_SECOND = (0.3, -0.2), (-0.1, 0.4)
FIRST, SECOND = np.array([0.5, 1.2, 0.7]), np.array([-0.8, 0.3, -2.1])


def placed(pose: Array, at: tuple[float, float]) -> complex:
    """A body's point in the global frame."""
    return complex(pose[0], pose[1]) + cmath.exp(1j * pose[2]) * complex(*at)


def seen(pose: Array, point: complex) -> complex:
    """A global point in a body's frame."""
    return (point - complex(pose[0], pose[1])) * cmath.exp(-1j * pose[2])


# How Condyle finds a measure, and how it is found here.
MEASURES: dict[str, tuple[Measure, Callable[[Array, Array], float]]] = {
    "angle": (angle_between, lambda a, b: float(b[2] - a[2])),
    "distance": (
        lambda a, b: distance_between(a, AT_FIRST, b, AT_SECOND),
        lambda a, b: abs(placed(b, AT_SECOND) - placed(a, AT_FIRST)),
    ),
    "global x": (lambda _, b: coordinate_of(b, AT_SECOND, 0, None), lambda _, b: placed(b, AT_SECOND).real),
    "global y": (lambda _, b: coordinate_of(b, AT_SECOND, 1, None), lambda _, b: placed(b, AT_SECOND).imag),
    "x in a body's frame": (
        lambda a, b: coordinate_of(b, AT_SECOND, 0, a),
        lambda a, b: seen(a, placed(b, AT_SECOND)).real,
    ),
    "y in a body's frame": (
        lambda a, b: coordinate_of(b, AT_SECOND, 1, a),
        lambda a, b: seen(a, placed(b, AT_SECOND)).imag,
    ),
}


@pytest.mark.parametrize("name", MEASURES)
def test_value_and_jacobian(name: str) -> None:
    """For a batch of poses, each row by itself."""
    found, expected = MEASURES[name]
    rng = np.random.default_rng(1)
    poses = rng.normal(size=(5, 2, 3)) + np.stack([FIRST, SECOND])
    values, jacobians = found(poses[:, 0], poses[:, 1])
    assert (values.shape, jacobians.shape) == ((5,), (5, 2, 3))
    for row, pair in enumerate(poses):
        assert values[row] == pytest.approx(expected(*pair), abs=1e-14)
        assert_gradient(
            lambda x: float(found(x[None, :3], x[None, 3:])[0][0]),
            partial(flat, jacobians[row]),
            pair.ravel(),
            tolerance=1e-8,
        )


def flat(jacobian: Array, _: Array) -> Array:
    """A Jacobian that is known already, as a function of the point."""
    return jacobian.ravel()


def test_points_that_coincide_have_no_direction() -> None:
    pose = np.array([[0.1, 0.2, 0.3]])
    length, jacobian = distance_between(pose, AT_FIRST, pose, AT_FIRST)
    assert length[0] == 0.0
    assert (jacobian == 0.0).all()


def test_declared_measures_in_the_results() -> None:
    """Offset, sign and unit of every kind, on two bodies that fly past each other and turn more than once round."""
    measures: Section = {
        "turn": {"kind": "angle", "from": "a", "to": "b", "offset": 0.2, "sign": -1, "unit": "deg"},
        "apart": {
            "kind": "distance",
            "from": held("a", *AT_FIRST),
            "to": held("b", *AT_SECOND),
            "offset": -0.05,
            "unit": "cm",
        },
        "x": {"kind": "coordinate", "of": held("b", *AT_SECOND), "axis": "x", "offset": 0.01, "unit": "m"},
        "y_in_a": {
            "kind": "coordinate",
            "of": held("b", *AT_SECOND),
            "axis": "y",
            "in": "a",
            "sign": -1,
            "offset": 0.02,
        },
        "x_in_a": {"kind": "coordinate", "of": held("b", *AT_SECOND), "axis": "x", "in": "a"},
    }
    bodies: Section = {
        name: {
            "mass": 1.0,
            "inertia": 1.0,
            "position": list(pose[:2]),
            "angle": pose[2],
            "velocity": list(velocity),
            "angular_velocity": spin,
        }
        for name, pose, velocity, spin in (("a", FIRST, (0.3, -0.1), 4.0), ("b", SECOND, (-0.2, 0.5), -9.0))
    }
    found = condyle.simulate(model(bodies, run(1.0, 1e-2), measures=measures)).dataset
    for k, time in enumerate(found["time"].values):
        a = np.array([FIRST[0] + 0.3 * time, FIRST[1] - 0.1 * time, FIRST[2] + 4.0 * time])
        b = np.array([SECOND[0] - 0.2 * time, SECOND[1] + 0.5 * time, SECOND[2] - 9.0 * time])
        point, other = placed(b, AT_SECOND), placed(a, AT_FIRST)
        expected = {
            "turn": math.degrees(0.2 - (b[2] - a[2])),
            "apart": 100.0 * (abs(point - other) - 0.05),
            "x": point.real + 0.01,
            "y_in_a": 1e3 * (0.02 - seen(a, point).imag),
            "x_in_a": 1e3 * seen(a, point).real,
        }
        row = found["measure_value"][k]
        for name, value in expected.items():
            assert float(row.sel(measure=name)) == pytest.approx(value, abs=1e-9)
