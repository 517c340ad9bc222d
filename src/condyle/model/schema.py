"""The JSON Schema of model files, from which editors complete and check them."""

from __future__ import annotations

from typing import Any

from condyle.model.declarations import ModelSpec

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The schema, JSON Schema 2020-12; units stand in the descriptions of the fields."""
    return {
        "$schema": DIALECT,
        **ModelSpec.model_json_schema(by_alias=True, mode="validation"),
        "title": "Condyle model",
    }
