"""Units by name, read by Pint with the short list of definitions that mechanics of joints needs.

Pint is imported when a text with a unit is first met, and its own list of a thousand units, which takes thirty times as
long to load as this one, never. Factors are decimal, so that `40 mm` and 0.04 are the same number to the last bit.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pint import UnitRegistry

# Few short names joined by spaces, dots, strokes; small powers. Pint never sees a power tower or an endless text.
_NAME = r"[A-Za-zµμ°%]{1,20}(?:(?:\^|\*\*)?-?[0-3](?:\.5)?|[²³]|⁻[¹²³])?"
_UNIT = re.compile(rf"{_NAME}(?:\s*(?:\*|/|·|\s)\s*{_NAME}){{0,7}}")
# Powers without a sign, as in m2: Pint wants m^2.
_BARE_POWER = re.compile(r"(?<=[A-Za-zµμ°%])(?=-?[0-9])")

_DEFINITIONS: Final = (
    "micro- = 1e-6 = µ- = μ- = u-",
    "milli- = 1e-3 = m-",
    "centi- = 1e-2 = c-",
    "kilo- = 1e3 = k-",
    "mega- = 1e6 = M-",
    "giga- = 1e9 = G-",
    "meter = [length] = m = metre",
    "second = [time] = s = sec",
    "kilogram = [mass] = kg",
    # An angle is a dimension of its own here, so that 3 deg is no strain and 3 % no angle.
    "radian = [angle] = rad",
    "gram = 1e-3 * kilogram = g",
    "tonne = 1e3 * kilogram = t",
    "minute = 60 * second = min",
    "hour = 3600 * second = h",
    "degree = 0.0174532925199432957692369076848861271 * radian = deg = °",
    "revolution = 6.2831853071795864769252867665590057684 * radian = rev = turn",
    "rpm = revolution / minute",
    "hertz = 1 / second = Hz",
    "newton = kilogram * meter / second ** 2 = N",
    "pascal = newton / meter ** 2 = Pa",
    "joule = newton * meter = J",
    "inch = 0.0254 * meter = in",
    "pound = 0.45359237 * kilogram = lb",
    "percent = 0.01 = %",
)


@lru_cache(maxsize=1)
def _registry() -> UnitRegistry[Decimal]:
    from pint import UnitRegistry

    registry: UnitRegistry[Decimal] = UnitRegistry(None, non_int_type=Decimal)
    registry.load_definitions(_DEFINITIONS)
    return registry


@lru_cache(maxsize=1024)
def unit_factor(unit: str, target: str) -> Decimal | None:
    """How many `target` units one `unit` is, or None if it is not a unit of that kind. Both empty: a pure number."""
    if unit == target:
        return Decimal(1)
    if not _UNIT.fullmatch(unit):
        return None
    from pint import DimensionalityError, OffsetUnitCalculusError, UndefinedUnitError

    registry = _registry()
    try:
        one = registry.Quantity(Decimal(1), registry.parse_units(_pint_text(unit)))
        return Decimal(one.to(registry.parse_units(_pint_text(target))).magnitude)
    except (UndefinedUnitError, DimensionalityError, OffsetUnitCalculusError):
        return None


def known_unit(unit: str) -> bool:
    """Whether a text is a unit at all, of whatever kind."""
    if not _UNIT.fullmatch(unit):
        return False
    from pint import UndefinedUnitError

    try:
        _registry().parse_units(_pint_text(unit))
    except UndefinedUnitError:
        return False
    return True


def _pint_text(unit: str) -> str:
    return _BARE_POWER.sub("^", unit)
