"""Directives that do what the page tells the reader to do, so that no page can promise what does not work."""

from __future__ import annotations

import contextlib
import io
import runpy
import shlex
import shutil
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from typer.testing import CliRunner

from condyle.cli.app import app

_SPACE = "condyle_workshop"


class Workshop(SphinxDirective):
    """A directive with a folder and Python names that last for its page, empty at the page's start."""

    has_content = True

    def space(self) -> dict[str, Any]:
        """The page's folder and names."""
        found = self.env.temp_data.get(_SPACE)
        if found is None:
            folder = Path(self.env.app.doctreedir) / "workshop" / self.env.docname
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            found = self.env.temp_data[_SPACE] = {"folder": folder, "names": {}}
        return found

    def file(self, name: str) -> Path:
        """A file in the page's folder, which an earlier step must have made."""
        path = self.space()["folder"] / name
        if not path.is_file():
            raise self.error(f"no step before this one has made {name}")
        return path

    def block(self, text: str, language: str, kind: str) -> nodes.literal_block:
        """A block of code or output."""
        block = nodes.literal_block(text, text, language=language, classes=[kind])
        self.set_source_info(block)
        return block


class Terminal(Workshop):
    """Commands, run one after the other, each with what it prints; `status` is the exit status that must come."""

    option_spec: ClassVar = {"status": directives.nonnegative_int, "lines": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        """Run the commands in this process."""
        shown = []
        for line in filter(None, map(str.strip, self.content)):
            program, *arguments = shlex.split(line)
            if program != "condyle":
                raise self.error(f"only condyle is run here, not {program}")
            with contextlib.chdir(self.space()["folder"]):
                done = CliRunner().invoke(app, arguments, prog_name="condyle", env={"COLUMNS": "100"})
            if done.exit_code != self.options.get("status", 0):
                raise self.error(f"{line}: exit status {done.exit_code}\n{done.output}")
            shown.append("\n".join([f"$ {line}", *self._kept(done.output.rstrip("\n").splitlines())]))
        return [self.block("\n".join(shown), "console", "terminal")]

    def _kept(self, lines: list[str]) -> list[str]:
        most = self.options.get("lines", len(lines))
        return lines if len(lines) <= most else [*lines[:most], "..."]


class Change(Workshop):
    """Lines of a file with what takes their place, marked - and + as `diff` does; the change is shown and made."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the change; what is to go must be there exactly once."""
        path = self.file(self.arguments[0])
        text = path.read_text(encoding="utf-8")
        before, after = (
            "".join(f"{line[1:]}\n" for line in self.content if line[:1] != left_out) for left_out in "+-"
        )
        if text.count(before) != 1:
            raise self.error(f"{path.name} has these lines {text.count(before)} times:\n{before}")
        path.write_text(text.replace(before, after), encoding="utf-8")
        return [self.block("\n".join(self.content), "diff", "change")]


class Python(Workshop):
    """Statements, run with the names of the page's earlier ones, and what they print."""

    def run(self) -> list[nodes.Node]:
        """Run the statements from a file of their own, so that an error names the line."""
        space, code = self.space(), "\n".join(self.content)
        script = space["folder"] / "statements.py"
        script.write_text(code + "\n", encoding="utf-8")
        printed = io.StringIO()
        with contextlib.chdir(space["folder"]), contextlib.redirect_stdout(printed):
            space["names"] = runpy.run_path(str(script), init_globals=space["names"])
        blocks = [self.block(code, "python", "statements")]
        if printed.getvalue():
            blocks.append(self.block(printed.getvalue().rstrip("\n"), "text", "printed"))
        return list(blocks)


class Show(Workshop):
    """A file of the page's folder, or one section of it; `section` names a key that begins a line."""

    required_arguments = 1
    has_content = False
    option_spec: ClassVar = {
        "section": directives.unchanged_required,
        "language": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Show the text."""
        text = self.file(self.arguments[0]).read_text(encoding="utf-8")
        if "section" in self.options:
            text = _section(text, self.options["section"])
        if not text:
            raise self.error(f"{self.arguments[0]} has no section {self.options['section']}")
        return [self.block(text.rstrip("\n"), self.options.get("language", "yaml"), "file")]


def _section(text: str, key: str) -> str:
    """The lines of a YAML text from a key of the outermost level to the next one."""
    kept: list[str] = []
    for line in text.splitlines():
        if line.startswith(f"{key}:"):
            kept = [line]
        elif kept and line[:1] not in ("", " "):
            break
        elif kept:
            kept.append(line)
    return "\n".join(kept).rstrip("\n")
