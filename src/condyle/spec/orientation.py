"""Orientations and inertia tensors, as a model file in space says them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from scipy.spatial.transform import Rotation

from condyle.spec.declaration import Declaration, Fault
from condyle.spec.errors import shown
from condyle.spec.quantity import (
    Angle,
    AnyDirection,
    Number,
    Quantity,
    dimensions_of,
    quantity_schema,
    told,
)
from condyle.spec.reference import Context

# Rotations about the axes named, one after the other, each about the axis as the earlier ones have turned it.
Sequence3 = Literal[
    "xyz", "yzx", "zxy", "xzy", "yxz", "zyx", "xyx", "yzy", "zxz", "xzx", "yxy", "zyz"
]  # fmt: skip
_MOMENT = Quantity("a moment of inertia", "kg m^2", "0.165")
_WAYS = "one of angles (with sequence), axis (with angle) or euler_parameters"


class OrientationSpec(Declaration):
    """How a frame is turned against the one it stands in, said in one of three ways."""

    sequence: Sequence3 | None = Field(
        None, description="Axes about which angles turn, one after the other, each turned by those before."
    )
    angles: tuple[Angle, Angle, Angle] | None = Field(None, description="The three angles [rad].")
    axis: AnyDirection | None = Field(None, description="Axis of a single rotation [x, y, z].")
    angle: Angle | None = Field(None, description="Angle of the single rotation [rad].")
    euler_parameters: tuple[Number, Number, Number, Number] | None = Field(
        None, description="Euler parameters [e0, e1, e2, e3]: cos(angle/2), then axis times sin(angle/2)."
    )

    def faults(self, _context: Context) -> Iterator[Fault]:
        """One way, whole."""
        ways = [self.angles is not None, self.axis is not None, self.euler_parameters is not None]
        if sum(ways) != 1:
            yield (), f"expected {_WAYS}"
        elif (self.angles is None) != (self.sequence is None):
            yield ("sequence",), "angles go with a sequence such as zxy, and nothing else does"
        elif (self.axis is None) != (self.angle is None):
            yield ("angle",), "an axis goes with an angle, and nothing else does"
        if self.axis is not None and not any(self.axis):
            yield ("axis",), "expected a direction such as [0, 0, 1]; got one that points nowhere"
        if self.euler_parameters is not None and abs(math.hypot(*self.euler_parameters) - 1.0) > 1e-3:
            size = math.hypot(*self.euler_parameters)
            yield ("euler_parameters",), f"their squares must sum to 1; the root of the sum is {size:.6g}"

    def rotation(self) -> Rotation:
        """The rotation that takes coordinates in the frame to coordinates in the one it stands in."""
        if self.angles is not None and self.sequence is not None:
            return Rotation.from_euler(self.sequence.upper(), self.angles)
        if self.axis is not None and self.angle is not None:
            return Rotation.from_rotvec(self.angle * np.array(self.axis) / math.hypot(*self.axis))
        e0, *rest = self.euler_parameters or (1.0, 0.0, 0.0, 0.0)
        return Rotation.from_quat([*rest, e0])


class _Inertia:
    """A moment of inertia in the plane; in space three principal moments or a symmetric tensor of three rows."""

    def __call__(self, value: Any, info: ValidationInfo) -> Any:
        if dimensions_of(info) == 2:
            return Quantity("a moment of inertia", "kg m^2", "0.165", above=0.0)(value)
        rows = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []
        try:
            if len(rows) == 3 and all(isinstance(row, Sequence) and not isinstance(row, str) for row in rows):
                tensor = np.array([[_MOMENT(entry) for entry in row] for row in rows])
            elif len(rows) == 3:
                tensor = np.diag([_MOMENT(entry) for entry in rows])
            else:
                tensor = np.zeros((0, 0))
        except PydanticCustomError as error:
            raise told(error.message()) from None
        except ValueError:  # rows of different lengths
            tensor = np.zeros((0, 0))
        if tensor.shape != (3, 3):
            raise told(
                "expected three moments of inertia [x, y, z] in kg m^2, or a tensor of three rows with "
                f"three numbers each; got {shown(value)}"
            )
        _check_tensor(tensor)
        return tuple(map(tuple, tensor.tolist()))

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        number = quantity_schema()
        three: dict[str, Any] = {"type": "array", "items": number, "minItems": 3, "maxItems": 3}
        return {"anyOf": [*number["anyOf"], three, {**three, "items": three}]}


def _check_tensor(tensor: np.ndarray[Any, Any]) -> None:
    """Refuse what no body has: a tensor that is not symmetric, has a moment that is not positive, or one that is
    larger than the other two together.
    """
    scale = float(np.abs(tensor).max())
    if np.abs(tensor - tensor.T).max() > 1e-9 * scale:
        raise told("a tensor of inertia is symmetric; its entries across the diagonal differ")
    moments = np.linalg.eigvalsh(tensor)
    words = ", ".join(f"{moment:.6g}" for moment in moments)
    if not moments[0] > 0.0:
        raise told(f"its principal moments must be positive; they are {words} kg m^2")
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9):
        raise told(
            f"no body has such moments: the largest is more than the other two together ({words} kg m^2)"
        )


Tensor = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
AnyInertia = Annotated[float | Tensor, _Inertia()]
