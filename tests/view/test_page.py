"""Whatever a text contains, a page stays what it is: nothing escapes, nothing else runs."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle.view import page
from condyle.view.model_text import model_markup
from condyle.view.page import escaped, json_text, write_page

NASTY = "</script><script>alert(1)</script><!-- & ' \" <img src=x onerror=alert(1)> \u2028 \u2029 ${x} $title"


class _Reader(HTMLParser):
    """Elements and text of a piece of markup."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.text = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text())
def test_json_text_is_the_same_text_and_never_markup(text: str) -> None:
    written = json_text({"text": text})
    assert json.loads(written) == {"text": text}
    assert not set(written) & set("<>&\u2028\u2029")


@given(st.text())
def test_escaped_text_is_the_same_text_in_an_element_and_in_an_attribute(text: str) -> None:
    seen = text.encode("utf-8", "replace").decode()
    reader = _Reader(f'<p title="{escaped(text)}">')
    assert reader.elements == ["p"]
    assert "<" not in escaped(text)
    assert _Reader(escaped(text)).text == seen


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029")))
def test_model_text_is_shown_character_by_character(text: str) -> None:
    reader = _Reader(model_markup(text))
    assert set(reader.elements) <= {"b", "i"}
    assert reader.text == "\n".join(text.split("\n")).removesuffix("\n")


def test_keys_and_comments_of_a_model_are_set_apart() -> None:
    assert model_markup("a: {b: 1} # why: so") == "<b>a:</b> {b: 1} <i># why: so</i>"
    assert model_markup("- name: '#1'") == "- <b>name:</b> &#x27;#1&#x27;"


def test_numbers_have_seven_digits_and_gaps_are_null() -> None:
    values = np.array([1 / 3, np.nan, -np.inf, 1e-300, 123456789.0, 0.0])
    assert json.loads(json_text(values)) == [0.3333333, None, None, 1e-300, 123456800.0, 0.0]
    assert json_text(np.zeros(0)) == "[]"
    assert json_text(float("nan")) == "null"
    assert json.loads(json_text([True, None, 3, 0.1, "a", np.ones((1, 2))])) == [
        True,
        None,
        3,
        0.1,
        "a",
        [[1, 1]],
    ]


def test_the_policy_names_the_digests_of_the_one_script_and_the_one_style(tmp_path: Path) -> None:
    text = _page(tmp_path).read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]
    for element in ("script", "style"):
        found = re.findall(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
        assert len(found) == 1
        digest = base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy[1]


def test_assets_cannot_end_their_own_element_and_call_nobody() -> None:
    folder = Path(page.__file__).parent / "assets"
    for asset in folder.iterdir():
        text = asset.read_text(encoding="utf-8")
        assert "\r" not in text
        if asset.suffix in (".js", ".css"):
            assert not re.search(r"</(script|style)|<!--|@import|innerHTML|eval\(|fetch\(|XMLHttp", text), (
                asset.name
            )
            assert re.sub(r"http://www\.w3\.org/2000/svg", "", text).count("http") == 0, asset.name


def test_a_failed_write_leaves_the_old_page_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = _page(tmp_path, "old")

    def no_rename(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", no_rename)
    with pytest.raises(OSError, match="no space"):
        _page(tmp_path, "new")
    assert ">old<" in place.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == [place.name]


def _page(folder: Path, title: str = NASTY) -> Path:
    fields = {"title": escaped(title), "intro": "", "contents": "", "figures": ""}
    return write_page(folder / "page.html", "figures.html", ("numbers.js",), fields, {"figures": [NASTY]})
