"""Declarations that come in kinds (laws, courses, measures): the kind chooses the class, then only its fields count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from condyle.spec.declaration import Declaration, error_lines, fault_line, field_names
from condyle.spec.errors import did_you_mean, listed, shown
from condyle.spec.quantity import told


@dataclass(frozen=True)
class Family:
    """How one of several classes is chosen: by the field `kind`, or, for `bare` families, by a name alone.

    name : what one member is, with article, as in `expected a contact law`.
    members : the classes; each has a field `kind` whose literal lists the kinds it covers.
    default : the kind of a mapping that names none.
    bare : whether a kind's bare name stands for the kind with its defaults.
    """

    name: str
    members: tuple[type[Declaration], ...]
    default: str | None = None
    bare: bool = True

    def classes(self) -> dict[str, type[Declaration]]:
        """Kind to class."""
        return {kind: member for member in self.members for kind in kinds(member)}

    def __call__(self, value: Any, _handler: object, info: ValidationInfo) -> Declaration:
        """The declaration, made by the class of its kind."""
        if isinstance(value, self.members):
            return value
        place: tuple[str, ...] = ("kind",)
        if isinstance(value, str) and self.bare:
            place, value = (), {"kind": value}
        if not isinstance(value, Mapping):
            raise told(f"expected {self._expected()}; got {shown(value)}")
        kind = value.get("kind", self.default)
        member = self.classes().get(kind) if isinstance(kind, str) else None
        if member is None:
            raise ValidationError.from_exception_data(self.name, [fault_line(place, self._wrong_kind(kind))])
        return self._made(member, {**value, "kind": kind}, info)

    def _made(self, member: type[Declaration], value: dict[str, Any], info: ValidationInfo) -> Declaration:
        """The member's own check, with fields that belong to other kinds told apart from misspelt ones."""
        own = field_names(member)
        foreign = {key: self._owners(key) for key in value if key not in own and self._owners(key)}
        lines = [
            fault_line((key,), _foreign(value["kind"], key, owners), self._instead(owners))
            for key, owners in foreign.items()
        ]
        made = None
        try:
            made = member.model_validate(
                {k: v for k, v in value.items() if k not in foreign}, context=info.context
            )
        except ValidationError as error:
            lines += error_lines(error, member)
        if lines or made is None:
            raise ValidationError.from_exception_data(self.name, lines)
        return made

    def _instead(self, owners: list[str]) -> str:
        """The kind to take of those that have a field."""
        return self.default if self.default in owners else owners[0]

    def _owners(self, field: str) -> list[str]:
        """Kinds that have a field."""
        return [kind for kind, member in self.classes().items() if field in field_names(member)]

    def _wrong_kind(self, kind: object) -> str:
        names = list(self.classes())
        if kind is None:
            return f"missing; one of {listed(names)}"
        hint = did_you_mean(kind, names) if isinstance(kind, str) else ""
        instead = hint or f"; there are {listed(names, 'and')}"
        return f"no {self._noun()} {shown(kind)}{instead}"

    def _noun(self) -> str:
        return self.name.split(" ", 1)[1]

    def _expected(self) -> str:
        by_name = " by its name, or a mapping with its kind" if self.bare else " as a mapping with its kind"
        return f"{self.name}{by_name} ({listed(list(self.classes()))})"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # The union inside is for the JSON Schema and for writing only; it would try every class in turn.
        return core_schema.with_info_wrap_validator_function(self, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        mappings = handler(schema)
        return {"anyOf": [{"enum": list(self.classes())}, mappings]} if self.bare else mappings


def kinds(member: type[Declaration]) -> tuple[str, ...]:
    """The kinds that a class covers."""
    return get_args(member.model_fields["kind"].annotation)


def _foreign(kind: str, field: str, owners: list[str]) -> str:
    return f"{kind} has no {field}; {listed(owners, 'and')} {'has' if len(owners) == 1 else 'have'}"
