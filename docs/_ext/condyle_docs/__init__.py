"""What the pages need beside Sphinx: computed tables, executed terminals, formulas and docstrings.

{computed} NAME ARGUMENTS    the Markdown that a function of `TABLES` returns
{terminal}                   commands that are run here and now, with what they print
{change} FILE                a change of a file, shown as one and made
{python}                     statements that are run, with what they print
{file} FILE                  what a file made so far holds
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from condyle_docs import bibliography, docstrings, fields, formulas, integrators, tables
from condyle_docs.workshop import Change, Python, Show, Terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

TABLES: dict[str, Callable[..., str]] = {
    "restitution": tables.restitution,
    "laws": tables.laws,
    "kelvin-voigt": tables.kelvin_voigt,
    "integrators": integrators.integrators,
    "variables": tables.variables,
    "models": tables.models,
    "fields": fields.fields,
    "section": fields.section,
    "references": bibliography.references,
}


class Computed(SphinxDirective):
    """Markdown written by a function when the page is read."""

    required_arguments = 1
    optional_arguments = 9

    def run(self) -> list[nodes.Node]:
        """Parse what the function returns in place of the directive."""
        name, *arguments = self.arguments
        container = nodes.container(classes=["computed", f"computed-{name}"])
        text = TABLES[name](*arguments)
        lines = StringList(text.splitlines(), source=f"computed {' '.join(self.arguments)}")
        self.state.nested_parse(lines, self.content_offset, container, match_titles=True)
        return [container]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything."""
    app.add_directive("computed", Computed)
    for name, directive in {"terminal": Terminal, "change": Change, "python": Python, "file": Show}.items():
        app.add_directive(name, directive)
    app.add_html_math_renderer("mathml", (formulas.visit_inline, None), (formulas.visit_block, None))
    app.connect("autodoc-process-docstring", docstrings.process)
    app.connect("autodoc-process-signature", docstrings.without_signature)
    # Pages with executed parts start in an empty folder each; read side by side they would share a process.
    return {"parallel_read_safe": False, "parallel_write_safe": True}
