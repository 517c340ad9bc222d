"""One contract for every law of the elastic foundation; a new law is one line in LAWS."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from condyle._jit import plain
from condyle.laws.foundation import FOUNDATION_LAWS, choice, layers, logarithmic
from condyle.laws.foundation.layers import (
    LINEAR,
    LOGARITHMIC,
    Layers,
    confined_modulus,
    layers_in_series,
    volume_law,
)
from condyle.testing import assert_gradient

K, H = 2.0e9, 8e-3
SOFT, THIN = 3.0e7, 3e-3
LAWS = {
    "linear": layers_in_series(LINEAR, [(K, H)]),
    "linear on linear": layers_in_series(LINEAR, [(K, H), (SOFT, THIN)]),
    "logarithmic": layers_in_series(LOGARITHMIC, [(K, H)]),
    "logarithmic on logarithmic": layers_in_series(LOGARITHMIC, [(K, H), (SOFT, THIN)]),
    "volume": volume_law(1e10),
}
EACH = pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
energy, pressure, stiffness = (
    plain(getattr(choice, f"foundation_{r}")) for r in ("energy", "pressure", "stiffness")
)


def test_the_registry_knows_every_kind_and_compiles_nothing() -> None:
    assert [law.kind for law in FOUNDATION_LAWS.values()] == [
        layers.LINEAR,
        layers.LOGARITHMIC,
        layers.VOLUME,
    ]
    assert all(law.name == name and law.title.endswith(".") for name, law in FOUNDATION_LAWS.items())
    code = "import sys, condyle.laws.foundation; sys.exit('numba' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


@EACH
@pytest.mark.parametrize("depth", [0.0, -0.0, -1e-9, -1.0])
def test_nothing_acts_before_touch(law: Layers, depth: float) -> None:
    assert (energy(law, depth), pressure(law, depth), stiffness(law, depth)) == (0.0, 0.0, 0.0)


@EACH
@pytest.mark.parametrize("part", [1e-3, 0.1, 0.5, 0.97, 1.2])
def test_pressure_is_the_slope_of_energy_and_stiffness_of_pressure(law: Layers, part: float) -> None:
    depth = part * THIN
    step = 1e-2 * min(depth, abs(THIN - depth))
    assert_gradient(lambda d: energy(law, d), lambda d: pressure(law, d), depth, step=step, tolerance=1e-7)
    assert_gradient(lambda d: pressure(law, d), lambda d: stiffness(law, d), depth, step=step, tolerance=1e-7)


@EACH
@given(a=st.floats(0.0, 0.02), b=st.floats(0.0, 0.02))
def test_pressure_never_pulls_and_never_falls(law: Layers, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert 0.0 <= pressure(law, low) <= pressure(law, high) < math.inf
    assert 0.0 <= energy(law, low) <= energy(law, high)


@pytest.mark.parametrize("kind", [LINEAR, LOGARITHMIC])
@pytest.mark.parametrize("depth", [1e-6, 1e-3, 5e-3, 7.9e-3])
def test_two_equal_layers_are_one_of_twice_the_thickness(kind: int, depth: float) -> None:
    one, two = layers_in_series(kind, [(K, 2 * H)]), layers_in_series(kind, [(K, H), (K, H)])
    assert pressure(two, depth) == pytest.approx(pressure(one, depth), rel=1e-14)
    # The same by the root, without the short cut for equal layers.
    by_root = Layers(kind, K, H, K * (1.0 + 1e-15), H) if kind == LOGARITHMIC else two
    assert pressure(by_root, depth) == pytest.approx(pressure(one, depth), rel=1e-12)
    assert energy(by_root, depth) == pytest.approx(energy(one, depth), rel=1e-9)


@pytest.mark.parametrize("depth", [1e-5, 1e-3, 4e-3, 9e-3, 10.9e-3])
def test_layers_in_series_bear_one_pressure_and_share_the_depth(depth: float) -> None:
    def single(share: float) -> float:
        one = pressure(layers_in_series(LOGARITHMIC, [(K, H)]), share)
        other = pressure(layers_in_series(LOGARITHMIC, [(SOFT, THIN)]), depth - share)
        return float(one - other)

    share = brentq(single, 0.0, min(depth, H), xtol=1e-17)
    both = layers_in_series(LOGARITHMIC, [(K, H), (SOFT, THIN)])
    expected = pressure(layers_in_series(LOGARITHMIC, [(SOFT, THIN)]), depth - share)
    assert pressure(both, depth) == pytest.approx(expected, rel=1e-9)


def test_logarithmic_as_printed_and_linear_where_it_is_shallow() -> None:
    law = layers_in_series(LOGARITHMIC, [(K, H)])
    assert pressure(law, 0.5 * H) == pytest.approx(K * math.log(2.0), rel=1e-14)
    assert pressure(law, 1e-6 * H) == pytest.approx(
        pressure(layers_in_series(LINEAR, [(K, H)]), 1e-6 * H), rel=1e-6
    )


@pytest.mark.parametrize("rung", [energy, pressure, stiffness])
def test_the_tangent_of_a_crushed_layer_joins(rung: object) -> None:
    law, limit = layers_in_series(LOGARITHMIC, [(K, H)]), (1.0 - logarithmic.LEFT) * H
    before, after = (rung(law, limit * (1.0 + side)) for side in (-1e-12, 1e-12))  # type: ignore[operator]
    assert before == pytest.approx(after, rel=1e-8)


def test_confined_modulus_of_polyethylene_and_of_cartilage() -> None:
    assert confined_modulus(463e6, 0.46) == pytest.approx(0.54 * 463e6 / (1.46 * 0.08), rel=1e-14)
    assert confined_modulus(10e6, 0.45) == pytest.approx(37.931e6, rel=1e-4)


@pytest.mark.parametrize(
    ("young", "poisson"), [(0.0, 0.3), (-1.0, 0.3), (1e6, 0.5), (1e6, -1.0), (math.nan, 0.3)]
)
def test_a_modulus_that_means_nothing_is_refused(young: float, poisson: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        confined_modulus(young, poisson)


def test_layers_that_mean_nothing_are_refused() -> None:
    for wrong in ([], [(K, H)] * 3, [(K, 0.0)], [(-K, H)], [(math.inf, H)]):
        with pytest.raises(ValueError, match=r"layers|positive"):
            layers_in_series(LINEAR, wrong)
    with pytest.raises(ValueError, match="volume_law"):
        layers_in_series(layers.VOLUME, [(K, H)])
    with pytest.raises(ValueError, match="positive"):
        volume_law(0.0)
