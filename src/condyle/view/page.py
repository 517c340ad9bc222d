"""Pages that are one file and ask the network for nothing: template, style, scripts and data put together.

Everything that comes from a model file is text to be shown, never markup: `escaped` for the parts written into the
page, `json_text` for the data. The page's Content-Security-Policy names its one script and one style by their digests,
so that nothing else runs and nothing can be fetched, whatever the texts contain. A page with a viewer's library names
that script's digest too, and lets the library give styles to what it draws.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template

import numpy as np
from numpy.typing import NDArray

from condyle.results.files import write_text

# Within JSON these stand in strings only, so that their escapes mean the same and the page's parser never sees them.
_HIDDEN = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def write_page(
    path: Path,
    template: str,
    scripts: Sequence[str],
    fields: Mapping[str, str],
    data: object,
    library: str = "",
) -> Path:
    """Write one page, whole or not at all. `fields` are markup: what a stranger wrote has gone through `escaped`.

    library : another's script that comes before the page's own.
    """
    style = asset("style.css")
    script = "\n".join(asset(name) for name in scripts)
    given = dict(fields) | ({"library": f"<script>{library}</script>"} if library else {"library": ""})
    page = Template(asset(template)).substitute(
        given, policy=_policy(script, style, library), style=style, script=script, data=json_text(data)
    )
    return write_text(path, page)


def escaped(text: object) -> str:
    """Text made safe to stand in the page, in quoted attributes too; what cannot be encoded is replaced."""
    return html.escape(str(text).encode("utf-8", "replace").decode("utf-8"), quote=True)


def json_text(value: object) -> str:
    """JSON of plain values and arrays, safe inside a script element; numbers of arrays to 7 digits, NaN as null."""
    if isinstance(value, np.ndarray):
        return _array_text(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json_text(str(key))}:{json_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, float):
        return _array_text(np.array([value]))[1:-1]
    return json.dumps(value, allow_nan=False).translate(_HIDDEN)


def _array_text(values: NDArray[np.float64]) -> str:
    if values.ndim > 1:
        return "[" + ",".join(map(_array_text, values)) + "]"
    known = np.asarray(values, dtype=float).tolist()
    text = ",".join(["%.7g"] * len(known)) % tuple(known)
    if not np.isfinite(values).all():
        text = ",".join("null" if "n" in number else number for number in text.split(","))
    return f"[{text}]"


def _policy(script: str, style: str, library: str) -> str:
    scripts = f"{_digest(library)} {_digest(script)}" if library else _digest(script)
    styles = "'unsafe-inline'" if library else _digest(style)
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def asset(name: str) -> str:
    """Text of a file that pages are made of."""
    return files("condyle.view").joinpath("assets", name).read_text(encoding="utf-8")
