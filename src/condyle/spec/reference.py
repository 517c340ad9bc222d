"""Names that refer to something else in the file, checked against the names the file declares.

The names are known before anything is checked (they are the keys of the file's sections), so a wrong reference is
told in the same pass as every other problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from condyle.spec.errors import did_you_mean, listed, shown
from condyle.spec.quantity import told


@dataclass(frozen=True)
class Context:
    """What a check may know beyond its own declaration: the whole file as read, and the folder it lies in.

    Sections may be of any form here, as the file is not checked yet; the questions below answer for those too.
    Without a file (a declaration made in Python) `data` is None and references are not checked.
    """

    data: Mapping[str, Any] | None = None
    folder: Path | None = field(default=None)

    @property
    def dimensions(self) -> int:
        """Dimensions of the model: 3 where its file says so, else 2."""
        return 3 if self.data is not None and self.data.get("dimensions") == 3 else 2

    def names(self, section: str) -> list[str]:
        """Names that a section declares."""
        found = (self.data or {}).get(section)
        return [str(name) for name in found] if isinstance(found, Mapping) else []

    def entry(self, section: str, name: str) -> Mapping[str, Any]:
        """What a section says about a name; empty if that is nothing usable."""
        found = (self.data or {}).get(section)
        entry = found.get(name) if isinstance(found, Mapping) else None
        return entry if isinstance(entry, Mapping) else {}


@dataclass(frozen=True)
class Reference:
    """A name that one of some sections must declare: `Reference("material", "materials")`."""

    kind: str
    section: str
    other: str = ""

    def __call__(self, value: Any, info: ValidationInfo) -> str:
        """The name, or an error with the nearest name there is."""
        if not isinstance(value, str):
            raise told(f"expected the name of a {self.kind}; got {shown(value)}")
        context = info.context
        if not isinstance(context, Context) or context.data is None:
            return value
        names = context.names(self.section) + context.names(self.other)
        if value not in names:
            raise told(f"no {self.kind} {shown(value)}{_instead(value, names, self.section)}")
        return value

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"type": "string"}


def _instead(value: str, names: list[str], section: str) -> str:
    hint = did_you_mean(value, names)
    if hint:
        return hint
    if not names:
        return f"; the file declares no {section}"
    return f"; there are {listed(names, 'and')}" if len(names) <= 8 else ""
