"""The model file as markup: the text as it was written, keys and comments set apart."""

from __future__ import annotations

import re

from condyle.view.page import escaped

# Key with its colon, the rest of the line, comment. A `#` opens a comment at the line's start or after a blank.
_LINE = re.compile(
    r"^(?P<lead>\s*(?:- )*)(?P<key>[^\s#:'\"{\[][^#:'\"{\[]*:(?=\s|$))?(?P<rest>.*?)(?P<comment>(?:(?<=\s)|^)#.*)?$"
)
LINE_LIMIT = 4000  # colours for longer texts would cost more than they give


def model_markup(source: str) -> str:
    """Markup of a model file's text; every character of it is escaped."""
    lines = source.splitlines()
    return "\n".join(map(_line, lines)) if len(lines) <= LINE_LIMIT else escaped(source)


def _line(line: str) -> str:
    found = _LINE.match(line) if len(line) <= 500 else None
    if found is None:
        return escaped(line)
    key, comment = (escaped(found[name] or "") for name in ("key", "comment"))
    return "".join(
        (
            escaped(found["lead"]),
            f"<b>{key}</b>" if key else "",
            escaped(found["rest"]),
            f"<i>{comment}</i>" if comment else "",
        )
    )
