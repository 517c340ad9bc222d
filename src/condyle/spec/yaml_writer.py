"""Model files written: the text of a file with values changed in it, or a tree as a new file."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import SafeRepresenter

from condyle.spec.errors import Problem, SpecError
from condyle.spec.yaml import Value

# Lines are never broken: a person broke them where they make sense.
_WIDTH = 10_000_000
# Text that needs no quotes, unless it is a word such as null, which ruamel sees to; all other text gets them.
_WORDS = re.compile(r"[A-Za-z][\w./^%-]*( [\w./^%-]+)*", re.ASCII)


class _Representer(SafeRepresenter):
    """Ruamel's, with its own idea of which text needs quotes replaced."""


def _quoted(representer: SafeRepresenter, text: str) -> ScalarNode:
    style = None if _WORDS.fullmatch(text) else '"'
    node: ScalarNode = representer.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    return node


_Representer.add_representer(str, _quoted)


def edited(source: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """The text with a change made to its tree, comments and layout kept; a `SpecError` where that cannot be."""
    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    try:
        return _dumped(yaml, change(yaml.load(source)))
    except (YAMLError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Ruamel's tree keeps more than values and is more easily upset than ours.
        raise SpecError([Problem("", f"cannot be edited in place: {error}")]) from error


def written(data: Value) -> str:
    """A tree as the text of a file."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Representer = _Representer
    yaml.default_flow_style = None
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    return _dumped(yaml, data)


def _dumped(yaml: YAML, data: Any) -> str:
    yaml.width = _WIDTH
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()
