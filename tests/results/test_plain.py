"""JSON that every reader takes, and numbers JSON has no word for."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from condyle.results.plain import from_json, json_text


def test_unwritable_numbers_become_null() -> None:
    found = json.loads(json_text({"a": math.nan, "b": [math.inf, 1.5], "c": np.float64(2.0)}))
    assert found == {"a": None, "b": [None, 1.5], "c": 2.0}


@pytest.mark.parametrize(
    "value", [math.inf, -math.inf, 0.1, {"a": [1, True, None, "text", math.inf]}, [], {}]
)
def test_exact_text_gives_the_value_back(value: object) -> None:
    text = json_text(value, exact=True)
    assert from_json(text) == value
    assert "Infinity" not in text


def test_exact_nan() -> None:
    assert math.isnan(from_json(json_text(math.nan, exact=True)))


def test_types_that_json_lacks_become_plain() -> None:
    value = {1: (np.int64(3), np.array([1.0, np.nan])), "flag": np.bool_(True), "path": Path("a") / "b"}
    found = json.loads(json_text(value))
    assert found == {"1": [3, [1.0, None]], "flag": True, "path": str(Path("a") / "b")}
    assert found["flag"] is True
