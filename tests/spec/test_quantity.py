"""Numbers with and without units."""

from __future__ import annotations

import math
import time
from typing import Any

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from condyle.spec import quantity
from condyle.spec.quantity import DisplayUnit, Quantity
from condyle.spec.units import known_unit, unit_factor

# A random, wide sample of units, each with the SI unit of its kind.
UNITS = {
    "m": ["mm", "cm", "um", "µm", "km", "in", "m", "metre", "meter"],
    "kg": ["g", "kg", "t", "lb", "gram", "mg"],
    "s": ["ms", "s", "min", "h", "us"],
    "rad": ["deg", "rad", "degree", "turn", "mrad"],
    "rad/s": ["deg/s", "rpm", "rad/s", "turn/min"],
    "m/s": ["mm/s", "m/s", "km/h", "cm s^-1"],
    "m/s^2": ["mm/s^2", "m/s**2", "m/s²", "m s⁻²", "cm/s/s"],
    "N": ["kN", "N", "mN", "kg m/s^2"],
    "N m": ["N mm", "kN m", "N*m", "J"],
    "Pa": ["MPa", "kPa", "GPa", "N/mm^2", "N/mm2"],
    "N/m": ["N/mm", "kN/m", "N m^-1"],
    "N/m^2": ["N/mm^2", "N/m2"],
    "N/m^1.5": ["N/m^1.5", "N/mm^1.5", "kN/m^1.5"],
    "kg m^2": ["kg m^2", "g mm^2", "kg*cm**2", "kg·m²"],
    "N s/m": ["N s/m", "N*s/mm", "kg/s"],
    "": ["%", "percent"],
}
PAIRS = [(unit, base) for base, units in UNITS.items() for unit in units]


def read(kind: Any, value: object) -> Any:
    """A value as a field of that kind takes it."""
    return TypeAdapter(kind).validate_python(value)


def refusal(kind: Any, value: object) -> str:
    """The message for a value that a field of that kind must not take."""
    with pytest.raises(ValidationError) as caught:
        read(kind, value)
    return str(caught.value.errors()[0]["msg"])


@pytest.fixture(scope="module")
def full() -> Any:
    """Pint's own registry, with all its units."""
    return pint.UnitRegistry()


@pytest.mark.parametrize(("unit", "base"), PAIRS)
def test_factors_agree_with_pints_own_registry(full: Any, unit: str, base: str) -> None:
    """Two routes: our short list of definitions and Pint's long one, which knows no angle as a dimension."""
    plain_text = {"N/mm2": "N/mm^2", "N/m2": "N/m^2"}.get(unit, unit)
    wanted = full.Quantity(1.0, plain_text).to(base or "dimensionless").magnitude
    factor = unit_factor(unit, base)
    assert factor is not None
    assert float(factor) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (quantity.Length, "40 mm", 0.04),
        (quantity.Length, "0.1mm", 0.0001),
        (quantity.Length, "78.4 mm", 0.0784),
        (quantity.Mass, "3.75 kg", 3.75),
        (quantity.Stress, "5 MPa", 5e6),
        (quantity.PositiveStrain, "17 %", 0.17),
        (quantity.Angle, "180 deg", math.pi),
        (quantity.Angle, "35.21 deg", 0.6145304296272034),
        (quantity.Length, "  -2.5e1 mm ", -0.025),
        (quantity.Length, "0.04", 0.04),
        (quantity.Length, 3, 3.0),
    ],
)
def test_a_quantity_is_the_number_a_person_would_have_written(kind: Any, text: object, value: float) -> None:
    assert read(kind, text) == value


@given(st.decimals(-1000, 1000, places=4), st.sampled_from(PAIRS))
def test_a_unit_changes_the_number_not_the_quantity(number: object, pair: tuple[str, str]) -> None:
    unit, base = pair
    kind = Quantity("a thing", base, "1")
    factor = unit_factor(unit, base)
    assert factor is not None
    assert kind(f"{number} {unit}") == pytest.approx(
        float(str(number)) * float(factor), rel=1e-14, abs=1e-300
    )


def test_the_message_says_what_was_expected_and_what_came() -> None:
    assert refusal(quantity.Mass, "40 mm") == "expected a mass in kg, such as 3.75 or '3.75 kg'; got '40 mm'"
    assert refusal(quantity.Mass, -1) == "expected a mass in kg above 0, such as 3.75 or '3.75 kg'; got -1"
    assert refusal(quantity.Mass, "3 kgg").endswith("got '3 kgg' (no unit 'kgg' is known)")
    assert refusal(quantity.Stress, None).startswith(
        "expected a stress in Pa, such as 5e6 or '5 MPa'; got nothing"
    )
    assert "above -1 and at most 0.5" in refusal(quantity.Poisson, 0.51)


NO_TEXT = [
    True,
    False,
    None,
    [],
    [1],
    {},
    math.inf,
    math.nan,
    pytest.param(10**400, id="huge"),
    b"3",
    object(),
]
NO_MASS = [
    "",
    "kg",
    "3 m^2",
    "3 kg kg",
    "1e400 kg",
    "3,75 kg",
    "nan",
    "inf",
    "0x10",
    "1 2",
    "3 kg m",
    "--3 kg",
]


@pytest.mark.parametrize("value", [*NO_TEXT, *NO_MASS, "3 k g", "٣ kg"])
def test_what_is_no_mass_is_refused(value: object) -> None:
    assert "expected a mass in kg" in refusal(quantity.Mass, value)


def test_an_angle_is_no_pure_number_and_a_strain_no_angle() -> None:
    assert "expected an angle" in refusal(quantity.Angle, "5 %")
    assert "expected a strain" in refusal(quantity.Strain, "5 deg")


HOSTILE = ["9**9**9 m", "m^99999", "m^(9^9)", "(((((", "__import__", "m" * 200, "m " * 200]


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_unit_is_refused_at_once(unit: str) -> None:
    begun = time.process_time()
    assert "expected a length" in refusal(quantity.Length, f"1 {unit}")
    assert not known_unit(unit)
    assert time.process_time() - begun < 0.5


@given(st.text(max_size=60))
def test_any_text_is_a_length_or_an_error(text: str) -> None:
    try:
        value = read(quantity.Length, text)
    except ValidationError as refused:
        told = str(refused.errors()[0]["msg"])
    else:
        told = "expected a length" if math.isfinite(value) else "not finite"
    assert told.startswith("expected a length")


def test_a_pair_tells_which_of_its_numbers_is_wrong() -> None:
    assert read(quantity.Point, ["40 mm", 1]) == (0.04, 1.0)
    assert "expected two numbers [x, y] in m" in refusal(quantity.Point, [1, 2, 3])
    assert "expected two numbers [x, y] in m" in refusal(quantity.Point, "12")
    with pytest.raises(ValidationError) as caught:
        read(quantity.Point, [1, "2 kg"])
    assert [error["loc"] for error in caught.value.errors()] == [(1,)]


def test_units_of_display() -> None:
    angle = DisplayUnit("rad")
    assert angle("deg") == "deg"
    for wrong in ("mm", "", 3, None, "9**9**9"):
        with pytest.raises(ValueError, match="can stand for rad"):
            angle(wrong)
