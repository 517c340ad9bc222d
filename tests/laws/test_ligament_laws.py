"""One contract for every ligament law; a new law is one line in LAWS."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle._jit import plain
from condyle.laws.ligament import quadratic, toe_linear
from condyle.testing import assert_gradient

REST = 0.04


class Ligament(NamedTuple):
    """A law with its parameters set: functions of the length."""

    energy: Callable[[float], float]
    force: Callable[[float], float]
    stiffness: Callable[[float], float]


def bound(module: object, name: str, *parameters: float) -> Ligament:
    """Bind a law's ladder to its parameters."""
    ladder = [plain(getattr(module, f"{name}_{rung}")) for rung in ("energy", "force", "stiffness")]
    return Ligament(*[lambda length, f=f: f(*parameters, REST, length) for f in ladder])


LAWS = {
    "quadratic": bound(quadratic, "quadratic", 3.5e7),
    "toe-linear": bound(toe_linear, "toe_linear", 5000.0, 0.03),
    "toe-linear without a toe": bound(toe_linear, "toe_linear", 5000.0, 0.0),
}
EACH = pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))


@EACH
@pytest.mark.parametrize("length", [REST, 0.999 * REST, 0.0])
def test_slack_ligament_does_nothing(law: Ligament, length: float) -> None:
    assert (law.energy(length), law.force(length), law.stiffness(length)) == (0.0, 0.0, 0.0)


@EACH
@pytest.mark.parametrize("strain", [0.01, 0.05, 0.059, 0.061, 0.2, 1.0])
def test_force_is_the_slope_of_energy_and_stiffness_of_force(law: Ligament, strain: float) -> None:
    length = REST * (1.0 + strain)
    step = 0.3 * REST * min(abs(strain - 0.06), strain)
    assert_gradient(law.energy, law.force, length, step=step, tolerance=1e-7)
    assert_gradient(law.force, law.stiffness, length, step=step, tolerance=1e-7)


@EACH
@given(a=st.floats(0.0, 0.1), b=st.floats(0.0, 0.1))
def test_ligament_never_pushes_and_never_softens(law: Ligament, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert 0.0 <= law.force(low) <= law.force(high)
    assert 0.0 <= law.energy(low) <= law.energy(high)
    assert 0.0 <= law.stiffness(low) <= law.stiffness(high)


def test_quadratic_as_printed() -> None:
    # Machado 2010, Eq. 28 for the anterior cruciate of Table 2, 2 mm longer than at rest.
    force = plain(quadratic.quadratic_force)(35e6, 0.0438, 0.0458)
    assert force == pytest.approx(140.0, rel=1e-12)


def test_toe_linear_as_printed() -> None:
    k, limit = 272.4, 0.03
    force = plain(toe_linear.toe_linear_force)
    for strain in (0.01, 0.03, 0.05):
        assert force(k, limit, REST, REST * (1.0 + strain)) == pytest.approx(
            k * strain**2 / (4.0 * limit), rel=1e-12
        )
    for strain in (0.06, 0.07, 0.5):
        assert force(k, limit, REST, REST * (1.0 + strain)) == pytest.approx(k * (strain - limit), rel=1e-12)


@pytest.mark.parametrize("rung", ["energy", "force", "stiffness"])
def test_toe_and_line_join_at_twice_the_linear_strain(rung: str) -> None:
    law = plain(getattr(toe_linear, f"toe_linear_{rung}"))
    before, after = (law(5000.0, 0.03, REST, REST * (1.06 + side)) for side in (-1e-9, 1e-9))
    assert before > 0.0
    assert before == pytest.approx(after, rel=1e-6)


def test_transition_strain_of_other_programs_is_twice_the_linear_strain() -> None:
    # Their form of the same curve: k e^2 / (2 e_t) below e_t, k (e - e_t / 2) above.
    transition = 0.06
    for strain, expected in ((0.03, 0.03**2 / 0.12), (0.06, 0.03), (0.09, 0.06)):
        force = plain(toe_linear.toe_linear_force)(1.0, 0.5 * transition, REST, REST * (1.0 + strain))
        assert force == pytest.approx(expected, rel=1e-12)
