"""The base of everything a model file declares: a mapping with known fields, all of whose problems are told at once.

Pydantic checks the fields one by one. Around that, `Declaration` adds what a person needs: fields that do not exist
with the nearest that does, plain sentences in place of pydantic's, and the checks between fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails

from condyle.spec.errors import Problem, did_you_mean, listed, shown
from condyle.spec.quantity import told
from condyle.spec.reference import Context

# Where, relative to the declaration, and what.
Fault: TypeAlias = tuple[tuple[str | int, ...], str]

_NAME = r"^[^\W\d_][\w-]{0,63}$"
Name = Annotated[str, StringConstraints(pattern=_NAME)]
Text = Annotated[str, StringConstraints(strict=True, max_length=10_000)]


class Declaration(BaseModel):
    """A part of a model as its file declares it; read-only."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)

    def faults(self, _context: Context) -> Iterable[Fault]:
        """What is wrong between fields that are each in order."""
        return ()

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems(cls, data: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        if isinstance(data, cls):
            return data
        if not isinstance(data, Mapping):
            raise told(f"expected a mapping with {listed(field_names(cls)[:4], 'and')}; got {shown(data)}")
        names = field_names(cls)
        # A key with nothing after it says nothing: the default stands.
        silent = {key for key in _optional(cls) if data.get(key, 0) is None}
        known = {key: value for key, value in data.items() if key in names and key not in silent}
        lines = [fault_line((key,), _unknown_field(key, names)) for key in data if key not in names]
        made = None
        try:
            made = handler(known)
        except ValidationError as error:
            lines += error_lines(error, cls)
        if made is not None:
            context = info.context if isinstance(info.context, Context) else Context()
            lines += [fault_line(*fault) for fault in made.faults(context)]
        if lines or made is None:
            raise ValidationError.from_exception_data(cls.__name__, lines)
        return made


def field_names(cls: type[BaseModel]) -> list[str]:
    """The fields as a model file names them."""
    return [field.alias or name for name, field in cls.model_fields.items()]


def _optional(cls: type[BaseModel]) -> list[str]:
    """Fields that have a default, as a model file names them."""
    return [field.alias or name for name, field in cls.model_fields.items() if not field.is_required()]


def fault_line(place: tuple[str | int, ...], message: str, kind: str = "") -> InitErrorDetails:
    """A finished problem in the form in which pydantic carries it outwards."""
    return InitErrorDetails(type=told(message, kind), loc=place, input=None)


def error_lines(error: ValidationError, cls: type[BaseModel]) -> list[InitErrorDetails]:
    """Pydantic's errors in plain sentences, places kept."""
    return [
        fault_line(_place(line["loc"]), _sentence(line, cls), _kind(line))
        for line in error.errors(include_url=False)
    ]


def _kind(line: ErrorDetails) -> str:
    return str(line.get("ctx", {}).get("kind", "")) if line["type"] == "told" else ""


def problems(error: ValidationError) -> Iterator[Problem]:
    """Finished problems with dotted paths, in the order of the file, each once."""
    seen = set()
    for line in error.errors(include_url=False):
        problem = Problem(".".join(map(str, _place(line["loc"]))), line["msg"], _kind(line))
        if problem not in seen:
            seen.add(problem)
            yield problem


def _place(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """A location without pydantic's mark for `the key itself`."""
    return tuple(part for part in location if part != "[key]")


def _unknown_field(key: object, names: list[str]) -> str:
    hint = did_you_mean(str(key), names)
    return f"no such field{hint}" if hint else f"no such field; there are {listed(names, 'and')}"


def _sentence(line: ErrorDetails, cls: type[BaseModel]) -> str:
    """One of pydantic's errors as a person would say it."""
    kind, limits = line["type"], line.get("ctx", {})
    if kind == "told":
        return line["msg"]
    got = f"; got {shown(line['input'])}"
    if kind == "missing":
        return f"missing{_description(cls, line['loc'])}"
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", limits["expected"]) or [limits["expected"]]
        hint = did_you_mean(line["input"], choices) if isinstance(line["input"], str) else ""
        return f"expected {listed(choices)}{got}{hint}"
    if kind == "string_pattern_mismatch":
        return f"a name is a letter followed by letters, digits, - or _ (64 at most){got}"
    wanted = _WANTED.get(kind)
    if wanted is not None:
        return f"expected {wanted.format_map(limits)}{got}"
    return f"{line['msg']}{got}"


_WANTED = {
    "string_type": "text",
    "string_too_long": "text of at most {max_length} characters",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "dict_type": "a mapping of names to what they stand for",
    "list_type": "a list",
    "too_short": "at least {min_length} entries",
    "too_long": "at most {max_length} entries",
    "greater_than_equal": "a whole number of at least {ge}",
    "less_than_equal": "a whole number of at most {le}",
}


def _description(cls: type[BaseModel], location: tuple[int | str, ...]) -> str:
    """What a missing field is for, as its declaration says."""
    for name, field in cls.model_fields.items():
        if location and (field.alias or name) == location[-1] and field.description:
            return f": {field.description.split(';')[0].rstrip('.')}"
    return ""
