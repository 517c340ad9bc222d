"""Every kernel of the laws gives the numbers of the Python function it was made from."""

from __future__ import annotations

import importlib
import itertools
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import condyle.laws
from condyle._jit import plain
from condyle.laws.foundation.layers import Layers

TABLE = (np.array([0.0, 0.1, 0.1, 0.4]), np.array([1.0, 2.0, -1.0, 0.5]))
DEPTHS, RATES, EXPONENTS = (-1e-3, 0.0, 1e-9, 2e-3), (-0.7, 0.0, 0.3), (1.0, 1.5, 2.0 / 3.0)

LAYERED = tuple(Layers(kind, 2e9, 8e-3, 3e7, 3e-3) for kind in (0, 1, 2))
PRESSED = (-1e-3, 0.0, 1e-6, 4e-3, 9e-3)

# What each kernel is called with: all combinations of these arguments.
CASES: dict[str, tuple[tuple[Any, ...], ...]] = {
    "hertz.depth_power": ((1e-9, 2e-3, 3.0), EXPONENTS),
    "hertz.hertz_energy": ((8e5,), EXPONENTS, DEPTHS),
    "hertz.hertz_force": ((8e5,), EXPONENTS, DEPTHS),
    "hertz.hertz_stiffness": ((8e5,), EXPONENTS, DEPTHS),
    "hysteresis.bounded_rate_ratio": (RATES, (0.0, 1e-4, 0.2), (1e-3,)),
    "hysteresis.hysteresis_force": ((8e5,), EXPONENTS, (0.0, 1.6), DEPTHS, (-1.5, 0.0, 1.0)),
    "hysteresis.hysteresis_power": ((8e5,), EXPONENTS, (0.0, 1.6), DEPTHS, RATES, (-1.5, 1.0)),
    "kelvin_voigt.kelvin_voigt_energy": ((3e4,), DEPTHS),
    "kelvin_voigt.kelvin_voigt_force": ((3e4,), (60.0,), DEPTHS, RATES),
    "kelvin_voigt.kelvin_voigt_stiffness": ((3e4,), DEPTHS),
    "kelvin_voigt.kelvin_voigt_power": ((3e4,), (60.0,), DEPTHS, RATES),
    "coulomb.coulomb_force": ((-5.0, 100.0), (0.45,), (1e-4,), (1e-4, 1e-3), (-1.0, -5e-4, 0.0, 5e-5, 5e-4)),
    "coulomb.coulomb_power": ((-5.0, 100.0), (0.45,), (1e-4,), (1e-4, 1e-3), (-1.0, -5e-4, 0.0, 5e-5, 5e-4)),
    "brown_mcphee.brown_mcphee_force": (
        (-5.0, 100.0),
        (0.6,),
        (0.4,),
        (0.0, 0.3),
        (1e-3,),
        (-1.0, 0.0, 5e-4),
    ),
    "brown_mcphee.brown_mcphee_power": (
        (-5.0, 100.0),
        (0.6,),
        (0.4,),
        (0.0, 0.3),
        (1e-3,),
        (-1.0, 0.0, 5e-4),
    ),
    "quadratic.quadratic_energy": ((3.5e7,), (0.04,), (0.03, 0.04, 0.045)),
    "quadratic.quadratic_force": ((3.5e7,), (0.04,), (0.03, 0.04, 0.045)),
    "quadratic.quadratic_stiffness": ((3.5e7,), (0.04,), (0.03, 0.04, 0.045)),
    "toe_linear.toe_linear_energy": ((5e3,), (0.0, 0.03), (0.04,), (0.03, 0.04, 0.041, 0.045)),
    "toe_linear.toe_linear_force": ((5e3,), (0.0, 0.03), (0.04,), (0.03, 0.04, 0.041, 0.045)),
    "toe_linear.toe_linear_stiffness": ((5e3,), (0.0, 0.03), (0.04,), (0.03, 0.04, 0.041, 0.045)),
    "linear.linear_energy": ((2e9,), (8e-3,), PRESSED),
    "linear.linear_pressure": ((2e9,), (8e-3,), PRESSED),
    "linear.linear_stiffness": ((2e9,), (8e-3,), PRESSED),
    "volume.volume_energy": ((1e10,), PRESSED),
    "volume.volume_pressure": ((1e10,), PRESSED),
    "volume.volume_stiffness": ((1e10,), PRESSED),
    "logarithmic.layer_depth": ((2e9,), (8e-3,), (0.0, 1e6, 1e11)),
    "logarithmic.layer_compliance": ((2e9,), (8e-3,), (0.0, 1e6, 1e11)),
    "logarithmic.layer_energy": ((2e9,), (8e-3,), (0.0, 1e8, 1e11)),
    "logarithmic.logarithmic_energy": ((2e9,), (8e-3,), (3e7,), (0.0, 3e-3), (-1e-3, 0.0, 4e-3, 9e-3)),
    "logarithmic.logarithmic_pressure": ((2e9,), (8e-3,), (3e7,), (0.0, 3e-3), PRESSED),
    "logarithmic.logarithmic_stiffness": ((2e9,), (8e-3,), (3e7,), (0.0, 3e-3), PRESSED),
    "choice.foundation_energy": (LAYERED, (-1e-3, 0.0, 4e-3, 9e-3)),
    "choice.foundation_pressure": (LAYERED, PRESSED),
    "choice.foundation_stiffness": (LAYERED, PRESSED),
    "constant.constant": ((7.5,), (0.0, 3.0)),
    "harmonic.harmonic": ((0.1,), (0.3,), (5.0,), (0.4,), (0.0, 0.01, 0.7)),
    "decaying_sine.decaying_sine": ((50.0,), (0.05,), (4.73,), (0.0, 0.01, 0.07)),
    "tabulated.tabulated": ((TABLE[0],), (TABLE[1],), (-1.0, 0.05, 0.1, 0.3, 0.4, 2.0)),
    "stiffness.compliance": ((5e6, np.inf), (0.0, 0.46)),
    "stiffness.relative_curvature": ((0.04, np.inf), (-0.05, np.inf)),
    "stiffness.generalised_stiffness": ((1e-7,), (0.0, 1.6e-7), (0.04,), (-0.05, 0.1, np.inf)),
}


def kernels() -> dict[str, Callable[..., float]]:
    """All kernels under ``condyle.laws``, by the last part of their module and their own name."""
    found = {}
    for info in pkgutil.walk_packages(condyle.laws.__path__, "condyle.laws."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            origin = getattr(value, "__module__", None)
            if (
                origin == info.name
                and callable(value)
                and not name.startswith("_")
                and hasattr(module, "kernel")
            ):
                found[f"{info.name.rpartition('.')[2]}.{name}"] = value
    return found


def test_every_kernel_has_a_case() -> None:
    assert set(kernels()) == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_compiled_is_plain(name: str) -> None:
    compiled = kernels()[name]
    values = []
    for arguments in itertools.product(*CASES[name]):
        expected = plain(compiled)(*arguments)
        assert compiled(*arguments) == pytest.approx(expected, rel=5e-15, abs=1e-300), arguments
        values.append(expected)
    assert len(set(values)) > 1 or name == "constant.constant"
    if signatures := getattr(compiled, "signatures", None):
        assert len(signatures) == 1
