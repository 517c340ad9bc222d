"""YAML 1.2 as model files use it, and everything that must not come in with it."""

from __future__ import annotations

import math
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from condyle.spec.errors import SpecError
from condyle.spec.yaml import MOST_BYTES, MOST_LEVELS, MOST_NODES, Value, read_text, read_yaml, scalar
from condyle.spec.yaml_writer import written


def problems(text: str) -> list[str]:
    """What is wrong with a text, or nothing."""
    try:
        read_yaml(text, "knee.yaml")
    except SpecError as error:
        return [str(problem) for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("1e-5", 1e-5),
        ("-.5E+2", -50.0),
        ("1.", 1.0),
        ("12", 12),
        ("-3", -3),
        ("012", 12),
        ("0x1F", 31),
        ("0o17", 15),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("yes", "yes"),
        ("off", "off"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"),
        ("40 mm", "40 mm"),
        ("nan", "nan"),
        ("1e", "1e"),
        ("9" * 400, math.inf),
    ],
)
def test_a_plain_word_is_what_the_core_schema_says(word: str, value: Value) -> None:
    read = scalar(word)
    assert read == value
    assert type(read) is type(value)


def test_nan_is_a_number_that_is_none() -> None:
    read = scalar(".nan")
    assert isinstance(read, float)
    assert math.isnan(read)


def test_quotes_make_text_and_keys_are_always_text() -> None:
    assert read_yaml("{a: '1e-5', b: \"true\", 1: x, null: y, on: z}") == {
        "a": "1e-5",
        "b": "true",
        "1": "x",
        "null": "y",
        "on": "z",
    }


def test_mappings_lists_and_blocks() -> None:
    text = "a:\n  - 1\n  - {b: [x, 2.5]}\nc: >-\n  two\n  lines\nd:\n# the end\n"
    assert read_yaml(text) == {"a": [1, {"b": ["x", 2.5]}], "c": "two lines", "d": None}


def test_every_repeated_key_is_told_with_both_lines() -> None:
    text = "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n"
    assert problems(text) == [
        "knee.yaml:4: 'c' is given twice (first in line 3)",
        "knee.yaml:5: 'a' is given twice (first in line 1)",
    ]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: b: c", "knee.yaml:1", "mapping values are not allowed here"),
        ("a: 1\nb: [1, 2", "knee.yaml:2", "expected ',' or ']'"),
        ("a:\n\tb: 1", "knee.yaml:2", "indent with spaces"),
        ("a: 1\nb: '\n", "knee.yaml:3", "quoted scalar"),
        ("a: \x00", "knee.yaml:1", "characters that no text has"),
        ("a: 1\nb: &x 1", "knee.yaml:2", "anchors and aliases"),
        ("a: &x 1\nb: *x", "knee.yaml:2", "anchors and aliases"),
        ("a: !!python/object:os.system x", "knee.yaml:1", "tags such as"),
        ("a: 1\n---\nb: 2", "knee.yaml:2", "a second document"),
        ("? [1, 2]\n: x", "knee.yaml:1", "expected a name before the colon"),
        ('a: 1\nb: "\\ud800"', "knee.yaml:2", "control characters"),
        ('a: "\\x00"', "knee.yaml:1", "control characters"),
        ('a: "\\U00110000"', "knee.yaml", "not valid YAML"),
    ],
)
def test_what_is_not_data_is_told_with_its_line(text: str, place: str, words: str) -> None:
    found = [problem.partition(": ") for problem in problems(text)]
    assert place in [where for where, _, _ in found]
    assert any(words in what for _, _, what in found)


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    levels = [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, 20)]
    begun = time.process_time()
    assert any("anchors and aliases" in problem for problem in problems("\n".join(["a0: &a0 x", *levels])))
    assert time.process_time() - begun < 2.0


@pytest.mark.parametrize("opening", ["[", "{", "{a: ", "- ", "? "])
def test_nesting_is_bounded_in_time_too(opening: str) -> None:
    begun = time.process_time()
    assert any(f"more than {MOST_LEVELS} levels" in problem for problem in problems(opening * 30_000))
    assert time.process_time() - begun < 5.0


def test_depth_within_the_bound_is_read() -> None:
    value = read_yaml("[" * MOST_LEVELS + "]" * MOST_LEVELS)
    for _ in range(MOST_LEVELS - 1):
        assert isinstance(value, list)
        (value,) = value
    assert value == []


def test_too_many_values_and_too_much_text_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_NODES == 100_000
    monkeypatch.setattr("condyle.spec.yaml.MOST_NODES", 1000)
    assert problems("[" + "1," * 999 + "]") == []
    assert "more than 1,000 values" in problems("[" + "1," * 1000 + "]")[0]
    assert "larger than" in problems("a" * (MOST_BYTES + 1))[0]


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("title: 1\nname: Gelenkhöhe".encode("latin-1"))
    (tmp_path / "big.yaml").write_bytes(b"#" * (MOST_BYTES + 1))
    for name, words in {
        "latin.yaml": ":2: not UTF-8",
        "big.yaml": "larger than",
        "no.yaml": "no such file",
    }.items():
        with pytest.raises(SpecError, match=words):
            read_text(tmp_path / name)
    with pytest.raises(SpecError, match="not a file"):
        read_text(tmp_path)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xef\xbb\xbfa: 1")
    assert read_text(tmp_path / "a.yaml") == "a: 1"


@given(st.text())
@example("%YAML 1.1\n---\na: yes")
@example("'")
@example("!")
@example('"\\')
@example("a: |9\n b")
@example("\ufeff")
@example("{? : }")
def test_any_text_is_a_value_or_an_error(text: str) -> None:
    for problem in problems(text):
        assert problem.startswith("knee.yaml")


@given(st.binary())
def test_any_bytes_are_text_or_an_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(content)
    try:
        problems(read_text(path))
    except SpecError as refused:
        told = str(refused)
    else:
        told = "not UTF-8 or fine"
    assert "not UTF-8" in told


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | WORDS
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(WORDS, TREES, min_size=1, max_size=4))
@example(
    {
        "a": "1e5",
        "b": "2020-01-01",
        "c": "0o7",
        "d": "1_000",
        "e": "null",
        "h": "TRUE",
        "null": "~",
        "f": " x ",
        "g": "yes",
    }
)
def test_what_is_written_reads_as_the_same(tree: dict[str, Value]) -> None:
    assert read_yaml(written(tree)) == tree
