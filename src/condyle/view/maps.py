"""Values on the triangles of a flat view of a surface, drawn without a script."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from condyle.view.page import escaped

Array = NDArray[np.float64]

# Room for the scale of colours under the picture, and height of its letters, in parts of the picture's width.
SCALE, LETTER, STEPS = 0.13, 0.033, 32


class Map(TypedDict):
    """Triangles (n, 3, 2) in mm, x to the right and y upwards, with a value each; `sides` stand left and right."""

    title: str
    triangles: Array
    values: Array
    unit: str
    sides: tuple[str, str]


def drawn(made: Map) -> str:
    """Markup of a map: all triangles in grey, those with a value above zero in the colour of that value."""
    triangles, values = np.asarray(made["triangles"]), np.nan_to_num(made["values"])
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    width, height = high - low
    most = float(values.max(initial=0.0))
    shown = np.round((triangles - low) * [1.0, -1.0] + [0.0, height], 2)
    colours = _colours(values / (most or 1.0))
    told = np.flatnonzero(values > 0.0)
    parts = [f'<path fill="currentColor" fill-opacity="0.13" d="{"".join(map(_outline, shown))}"/>']
    parts += [
        f'<path fill="{colours[k]}" stroke="{colours[k]}" stroke-width="0.06" d="{_outline(shown[k])}"/>'
        for k in told
    ]
    title = escaped(made["title"])
    return (
        f'<div class="chart map"><h3>{title}</h3><svg role="img" aria-label="{title}" '
        f'viewBox="0 0 {width:.2f} {height + SCALE * width:.2f}">{"".join(parts)}'
        f"{_scale(made, width, height, most)}</svg></div>"
    )


def _outline(corners: Array) -> str:
    (a, b), (c, d), (e, f) = corners.tolist()
    return f"M{a:g} {b:g}L{c:g} {d:g}L{e:g} {f:g}Z"


def _scale(made: Map, width: float, height: float, most: float) -> str:
    """The scale of colours with its ends, and the names of the sides."""
    letter, begin, long = LETTER * width, 0.3 * width, 0.4 * width
    top = height + 0.03 * width
    bars = "".join(
        f'<rect x="{begin + k * long / STEPS:.3f}" y="{top:.2f}" width="{1.05 * long / STEPS:.3f}" '
        f'height="{0.03 * width:.2f}" fill="{colour}"/>'
        for k, colour in enumerate(_colours((np.arange(STEPS) + 0.5) / STEPS))
    )
    words = [
        (begin - 0.01 * width, "end", top + 0.027 * width, "0"),
        (begin + long + 0.01 * width, "start", top + 0.027 * width, f"{most:.3g} {made['unit']}"),
        (0.0, "start", top + 0.09 * width, made["sides"][0]),
        (width, "end", top + 0.09 * width, made["sides"][1]),
    ]
    texts = "".join(
        f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" font-size="{letter:.2f}" fill="currentColor">'
        f"{escaped(word)}</text>"
        for x, anchor, y, word in words
    )
    return bars + texts


def _colours(parts: Array) -> list[str]:
    """Colours of values from 0 to 1 on the scale of the spatial picture."""
    from plotly.colors import sample_colorscale

    found: list[str] = sample_colorscale("viridis", np.clip(parts, 0.0, 1.0).tolist())
    return found
