"""Quantities of a model file: a number in SI units, or a text with a unit such as `40 mm`.

A quantity is an annotated float: pydantic calls `Quantity` with what the file holds and gets the value in SI units
(angles in radians). Nothing else reads units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from condyle.spec.errors import shown
from condyle.spec.units import known_unit, unit_factor

_NUMBER = r"[-+]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,3})?"
_QUANTITY = re.compile(rf"\s*({_NUMBER})\s*(.{{0,40}}?)\s*")
_UNIT = re.compile(rf"^\s*{_NUMBER}\s*[^\s]")
# Above the one a product of some quantities is no number any more, and below the other it is zero.
_LARGEST, _SMALLEST = 1e60, 1e-60


def told(message: str, kind: str = "") -> PydanticCustomError:
    """An error whose message is final: a plain sentence that stays as it is on its way out.

    `kind` : of the declaration around it, with which there would be no error.
    """
    return PydanticCustomError("told", "{message}", {"message": message, "kind": kind})


@dataclass(frozen=True)
class Quantity:
    """A kind of quantity: its name with article, SI unit, an example, and the range it must lie in."""

    name: str
    unit: str
    example: str
    above: float | None = None
    least: float | None = None
    most: float | None = None
    below: float | None = None

    def __call__(self, value: Any) -> float:
        """The value in SI units, or an error that says what was expected."""
        number = self._number(value)
        if number is None:
            raise told(f"expected {self._expected('')}; got {shown(value)}{_unit_hint(value)}")
        if not math.isfinite(number):
            raise told(f"expected {self._expected(' that is finite')}; got {shown(value)}")
        if not self._in_range(number):
            raise told(f"expected {self._expected(self._range_words())}; got {shown(value)}")
        if abs(number) > _LARGEST or (self.above == 0.0 and number < _SMALLEST):
            size = f" of a size that can be computed with, {_SMALLEST:g} to {_LARGEST:g}"
            raise told(f"expected {self._expected(size)}; got {shown(value)}")
        return number

    def _expected(self, range_words: str) -> str:
        """What a person may write, with examples."""
        if not self.unit:
            return f"{self.name}{range_words}, such as {self.example}"
        with_unit = _SMALLER.get(self.example, f"{self.example} {self.unit}")
        return f"{self.name} in {self.unit}{range_words}, such as {self.example} or {with_unit!r}"

    def _number(self, value: Any) -> float | None:
        if isinstance(value, str):
            return self._measured(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        try:
            return float(value)
        except OverflowError:
            return math.inf

    def _measured(self, text: str) -> float | None:
        found = _QUANTITY.fullmatch(text)
        if found is None:
            return None
        number, unit = found.groups()
        # A number in quotes is the same number.
        factor = Decimal(1) if not unit else unit_factor(unit, self.unit)
        return None if factor is None else float(Decimal(number) * factor)

    def _in_range(self, number: float) -> bool:
        return (
            (self.above is None or number > self.above)
            and (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
            and (self.below is None or number < self.below)
        )

    def _range_words(self) -> str:
        low = f"above {self.above:g}" if self.above is not None else ""
        low = f"of at least {self.least:g}" if self.least is not None else low
        high = f"at most {self.most:g}" if self.most is not None else ""
        high = f"below {self.below:g}" if self.below is not None else high
        words = " and ".join(word for word in (low, high) if word)
        return f" {words}" if words else ""

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return quantity_schema(self.above, self.least, self.most, self.below)


def quantity_schema(
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
    below: float | None = None,
) -> dict[str, Any]:
    """JSON Schema of a quantity: a number within limits, or text that begins with a number."""
    limits = {"exclusiveMinimum": above, "minimum": least, "maximum": most, "exclusiveMaximum": below}
    number = {"type": "number"} | {key: limit for key, limit in limits.items() if limit is not None}
    return {"anyOf": [number, {"type": "string", "pattern": rf"^\s*{_NUMBER}\s*.{{0,40}}$"}]}


class Measured(float):
    """A number with the SI unit that the file gave it, or none where it is a bare number."""

    unit: str = ""


@dataclass(frozen=True)
class AnyOf:
    """A quantity of one of several kinds, such as an angle or a length; which one it must be is known elsewhere."""

    kinds: tuple[Quantity, ...]

    def __call__(self, value: Any) -> Measured:
        """The value in SI units, and in which one."""
        problems = []
        for kind in self.kinds:
            try:
                number = Measured(kind(value))
            except PydanticCustomError as error:
                problems.append(error.message())
                continue
            number.unit = kind.unit if isinstance(value, str) and _UNIT.search(value) else ""
            return number
        wanted = " or ".join(problem.split("; got")[0].removeprefix("expected ") for problem in problems)
        raise told(f"expected {wanted}; got {shown(value)}")

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return quantity_schema()


@dataclass(frozen=True)
class Pair:
    """Two quantities of one kind: a vector [x, y]."""

    quantity: Quantity

    def _two(self, value: Any) -> Any:
        if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
            return value
        unit = f" in {self.quantity.unit}" if self.quantity.unit else ""
        raise told(f"expected two numbers [x, y]{unit}, such as [0.1, 0]; got {shown(value)}")

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        item = handler.generate_schema(Annotated[float, self.quantity])
        return core_schema.no_info_before_validator_function(
            self._two, core_schema.tuple_schema([item, item])
        )


# What a field of vectors says by default; which vector that is depends on the model's dimensions.
BY_DEFAULT: tuple[float, ...] = ()


def dimensions_of(info: ValidationInfo) -> int:
    """Dimensions of the model that is checked: 3 where its file says so, else 2."""
    data = getattr(info.context, "data", None)
    return 3 if isinstance(data, Mapping) and data.get("dimensions") == 3 else 2


@dataclass(frozen=True)
class Vector:
    """Quantities of one kind, one for each dimension of the model: [x, y], or [x, y, z]."""

    quantity: Quantity
    default: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def _numbers(self, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        count = dimensions_of(info)
        if isinstance(value, Sequence) and not isinstance(value, str):
            if value == BY_DEFAULT and isinstance(value, tuple):
                return self.default[:count]
            if len(value) == count:
                return handler(tuple(value))
        unit = f" in {self.quantity.unit}" if self.quantity.unit else ""
        words = "three numbers [x, y, z]" if count == 3 else "two numbers [x, y]"
        example = "[0.1, 0, 0]" if count == 3 else "[0.1, 0]"
        raise told(f"expected {words}{unit}, such as {example}; got {shown(value)}")

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        item = handler.generate_schema(Annotated[float, self.quantity])
        return core_schema.with_info_wrap_validator_function(
            self._numbers, core_schema.tuple_variable_schema(item, min_length=2, max_length=3)
        )


@dataclass(frozen=True)
class ByDimension:
    """A quantity that is one number in the plane and a vector [x, y, z] in space."""

    quantity: Quantity

    def __call__(self, value: Any, info: ValidationInfo) -> float | tuple[float, ...]:
        """The number or the vector in SI units."""
        if dimensions_of(info) == 2:
            return self.quantity(value)
        if value == 0.0 and isinstance(value, float):
            return (0.0, 0.0, 0.0)
        if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 3:
            return tuple(self.quantity(part) for part in value)
        raise told(
            f"expected three numbers [x, y, z] in {self.quantity.unit}, such as [0, 0, "
            f"{self.quantity.example}]; got {shown(value)}"
        )

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        number = quantity_schema()
        return {"anyOf": [*number["anyOf"], {"type": "array", "items": number, "minItems": 3, "maxItems": 3}]}


@dataclass(frozen=True)
class DisplayUnit:
    """The name of a unit in which results are given; it must measure what `unit` measures."""

    unit: str

    def __call__(self, value: Any) -> str:
        """The name, or an error."""
        if isinstance(value, str) and unit_factor(value, self.unit) is not None:
            return value
        raise told(f"expected a unit that can stand for {self.unit}; got {shown(value)}")

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"type": "string"}


def _unit_hint(value: object) -> str:
    """Which part of a text is no unit at all, if that is what is wrong with it."""
    found = _QUANTITY.fullmatch(value) if isinstance(value, str) else None
    unit = found[2] if found is not None else ""
    return f" (no unit {unit!r} is known)" if unit and not known_unit(unit) else ""


# Examples a person would rather write with another unit than the SI one.
_SMALLER = {"0.04": "40 mm", "0.6": "35 deg", "5e6": "5 MPa", "0.05": "50 ms"}


def whole_number(value: Any) -> Any:
    """Counts are whole numbers, never text or truth values; 1e3 is one."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (isinstance(value, float) and value % 1)
    ):
        raise told(f"expected a whole number, such as 72; got {shown(value)}")
    return int(value)


Count = Annotated[int, BeforeValidator(whole_number)]

NUMBER = Quantity("a number", "", "1.5")
LENGTH = Quantity("a length", "m", "0.04")
ANGLE = Quantity("an angle", "rad", "0.6")
SPEED = Quantity("a speed", "m/s", "0.1")

Number = Annotated[float, NUMBER]
Positive = Annotated[float, Quantity("a number", "", "1.5", above=0.0)]
NonNegative = Annotated[float, Quantity("a number", "", "0.1", least=0.0)]
Tolerance = Annotated[float, Quantity("a number", "", "1e-8", above=0.0, below=1.0)]
Length = Annotated[float, LENGTH]
PositiveLength = Annotated[float, Quantity("a length", "m", "0.04", above=0.0)]
NonNegativeLength = Annotated[float, Quantity("a length", "m", "0.04", least=0.0)]
Angle = Annotated[float, ANGLE]
Mass = Annotated[float, Quantity("a mass", "kg", "3.75", above=0.0)]
Inertia = Annotated[float, Quantity("a moment of inertia", "kg m^2", "0.165", above=0.0)]
Time = Annotated[float, Quantity("a time", "s", "0.05")]
PositiveTime = Annotated[float, Quantity("a time", "s", "0.05", above=0.0)]
Speed = Annotated[float, SPEED]
PositiveSpeed = Annotated[float, Quantity("a speed", "m/s", "0.001", above=0.0)]
AngularSpeed = Annotated[float, Quantity("an angular speed", "rad/s", "2.5")]
Force = Annotated[float, Quantity("a force", "N", "50")]
PositiveForce = Annotated[float, Quantity("a force", "N", "50", above=0.0)]
Torque = Annotated[float, Quantity("a torque", "N m", "5")]
Stress = Annotated[float, Quantity("a stress", "Pa", "5e6", above=0.0)]
WearFactor = Annotated[float, Quantity("a wear factor", "m^3/N/m", "1e-16", above=0.0)]
PressureModulus = Annotated[float, Quantity("a pressure modulus", "N/m^3", "10e9", above=0.0)]
Stiffness = Annotated[float, Quantity("a stiffness", "N/m", "2e5", above=0.0)]
QuadraticStiffness = Annotated[float, Quantity("a stiffness", "N/m^2", "15e6", above=0.0)]
StrainStiffness = Annotated[float, Quantity("a stiffness", "N", "5e4", above=0.0)]
AngularStiffness = Annotated[float, Quantity("a stiffness", "N m/rad", "20", above=0.0)]
AngularDamping = Annotated[float, Quantity("a damping", "N m s/rad", "0.5", least=0.0)]
BendingStiffness = Annotated[float, Quantity("a bending stiffness", "N m^2", "0.8", above=0.0)]
ForcePerStrain = Annotated[float, Quantity("a stiffness", "N", "1e5", above=0.0)]
LineDensity = Annotated[float, Quantity("a mass per length", "kg/m", "0.12", above=0.0)]
Density = Annotated[float, Quantity("a density", "kg/m^3", "1200", above=0.0)]
Delay = Annotated[float, Quantity("a time", "s", "1e-4", least=0.0)]
Frequency = Annotated[float, Quantity("a frequency", "Hz", "1.5", above=0.0)]
Rate = Annotated[float, Quantity("a rate", "1/s", "100", above=0.0)]
Part = Annotated[float, Quantity("a part of the whole", "", "0.5", least=0.0, most=1.0)]
Effort = Annotated[float, AnyOf((Quantity("a force", "N", "50"), Quantity("a torque", "N m", "5")))]
AnyStiffness = Annotated[
    float,
    AnyOf(
        (
            Quantity("a stiffness", "N/m", "2e5", above=0.0),
            Quantity("a stiffness", "N m/rad", "20", above=0.0),
        )
    ),
]
AnyDamping = Annotated[
    float,
    AnyOf(
        (
            Quantity("a damping", "N s/m", "40", least=0.0),
            Quantity("a damping", "N m s/rad", "0.5", least=0.0),
        )
    ),
]
AngleOrLength = Annotated[float, AnyOf((ANGLE, LENGTH))]
AnySpeed = Annotated[float, AnyOf((Quantity("an angular speed", "rad/s", "2.5"), SPEED))]
Damping = Annotated[float, Quantity("a damping", "N s/m", "40", least=0.0)]
Slowness = Annotated[float, Quantity("an inverse speed", "s/m", "0.1", least=0.0)]
Poisson = Annotated[float, Quantity("Poisson's ratio", "", "0.46", above=-1.0, most=0.5)]
Restitution = Annotated[float, Quantity("a coefficient of restitution", "", "0.5", above=0.0, most=1.0)]
Strain = Annotated[float, Quantity("a strain", "", "0.17", above=-1.0)]
PositiveStrain = Annotated[float, Quantity("a strain", "", "0.17", above=0.0)]

Point = Annotated[tuple[float, float], Pair(LENGTH)]
Velocity = Annotated[tuple[float, float], Pair(SPEED)]
Acceleration = Annotated[tuple[float, float], Pair(Quantity("an acceleration", "m/s^2", "-9.81"))]
Direction = Annotated[tuple[float, float], Pair(NUMBER)]

# Vectors of the model's own dimensions; fields check their default too, so that it gets that length.
AnyPoint = Annotated[tuple[float, ...], Vector(LENGTH)]
AnyVelocity = Annotated[tuple[float, ...], Vector(SPEED)]
AnyDirection = Annotated[tuple[float, ...], Vector(NUMBER)]
Gravity = Annotated[
    tuple[float, ...], Vector(Quantity("an acceleration", "m/s^2", "-9.81"), (0.0, -9.81, 0.0))
]
AnySpin = Annotated[float | tuple[float, ...], ByDimension(Quantity("an angular speed", "rad/s", "2.5"))]
