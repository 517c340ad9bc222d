"""What README and documentation promise: commands, names and files that exist, an example that prints what it says.

The pages themselves are tried when they are built (`nox -s docs`): their commands and snippets are run then.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer

import condyle
from condyle.cli.app import app
from condyle.laws.contact import CONTACT_LAWS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
COMMANDS: Any = typer.main.get_command(app)
# A word of code: in backticks, or a line of a block; comments behind two spaces and a sign.
INLINE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^(`{3,})\{?(console|terminal)\}?\n(.*?)^\1$", flags=re.M | re.S)
LINK = re.compile(r"\]\(([\w./-]+\.(?:md|cff|bib|png|py))(?:#[\w-]+)?\)|\]\((LICENSE)\)")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def helper(name: str) -> ModuleType:
    """A module of the documentation's own, without the package around it, which needs Sphinx."""
    specification = importlib.util.spec_from_file_location(
        f"docs_{name}", DOCS / "_ext/condyle_docs" / f"{name}.py"
    )
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module  # dataclasses look their module up there
    specification.loader.exec_module(module)
    return module


# --- README ---


@pytest.mark.compiled
def test_the_example_of_the_readme_prints_what_it_says(tmp_path: Path) -> None:
    code, printed = (
        re.search(rf"^```{language}\n(.*?)^```", text_of("README.md"), flags=re.M | re.S)
        for language in ("python", "text")
    )
    assert code is not None
    assert printed is not None
    assert len(code[1].splitlines()) <= 10
    done = subprocess.run(
        [sys.executable, "-c", code[1]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout == printed[1]
    assert (tmp_path / "strong" / "report.html").stat().st_size > 10_000


def test_the_readme_opens_the_environment_before_it_uses_the_command() -> None:
    """`make demo` installs into a folder; only inside it is there a `condyle`."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert 0 < text.index("make demo") < text.index(". .venv/bin/activate") < text.index("$ condyle ")
    assert "(docs/install.md)" in text
    assert re.search(r"tables.*\s+filled in by `make docs`", text)


def test_the_picture_of_the_readme_is_small_enough_to_load() -> None:
    assert 50_000 < (DOCS / "_static" / "report.png").stat().st_size < 400_000


# --- commands ---


def commands(page: str) -> Iterator[str]:
    """Command lines of a page: inline code and the lines of its terminals, without comments and prompts."""
    yield from (found[1] for found in INLINE.finditer(page))
    for block in BLOCK.finditer(page):
        yield from (re.sub(r"^\$ |\s\s+#.*", "", line) for line in block[3].splitlines())
    yield from (line.strip().split("  #")[0] for line in page.splitlines() if line.startswith("    make "))


def faults(line: str) -> list[str]:
    """What a command line names that does not exist; nothing for what is no command of ours."""
    program, *words = shlex.split(line, comments=False) if line.count("'") % 2 == 0 else line.split()
    if program == "make":
        targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), flags=re.M)) | {"fuzz"}
        return [
            f"no target {word}" for word in words if word.isalpha() and word.islower() and word not in targets
        ]
    if program != "condyle" or not words:
        return []
    options = [word.split("=")[0] for word in words if word.startswith("--")]
    known = {name for parameter in COMMANDS.params for name in parameter.opts}
    if words[0][:1].islower():
        command = COMMANDS.commands.get(words[0])
        if command is None:
            return [f"no command {words[0]}"]
        known |= {name for p in command.params for name in (*p.opts, *p.secondary_opts)}
    return [f"{words[0]} has no option {option}" for option in options if option not in known | {"--help"}]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_exist(page: Path) -> None:
    lines = [line for line in commands(page.read_text(encoding="utf-8")) if line.strip()]
    assert {line: found for line in lines if (found := faults(line))} == {}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("condyle run planar-knee --out DIR", []),
        ("condyle walk planar-knee", ["no command walk"]),
        ("condyle run planar-knee --speed=2", ["run has no option --speed"]),
        ("make demo", []),
        ("make coffee", ["no target coffee"]),
        ("condyle.load", []),
    ],
)
def test_a_command_that_is_not_there_is_seen(line: str, fault: list[str]) -> None:
    assert faults(line) == fault


def test_commands_are_found_where_they_stand() -> None:
    page = (
        "say `condyle show x` or\n\n```console\n$ condyle run x  # a comment\n```\n\n    make test  # tests\n"
    )
    assert list(commands(page)) == ["condyle show x", "condyle run x", "make test"]
    assert sum(line.startswith("condyle ") for line in commands(text_of("README.md"))) >= 5


# --- what pages list ---


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    targets = [first or second for first, second in LINK.findall(page.read_text(encoding="utf-8"))]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))
    wanted = [*project["project"]["dependencies"], *chain(*project["dependency-groups"].values())]
    names = {re.split(r"[><=~ ;\[]", text)[0] for text in wanted}
    listed = {
        word for word in INLINE.findall(text_of("docs/dependencies.md")) if not word.startswith("make ")
    }
    assert names - listed == set()
    assert {name for name in listed - names if re.fullmatch(r"[a-z][\w.-]+", name)} == set()


def test_every_public_name_is_on_its_page() -> None:
    described = set(re.findall(r"^\.\. auto\w+:: condyle\.(\w+)$", text_of("docs/api.md"), flags=re.M))
    assert described == set(condyle.__all__) - {"__version__"}


def test_every_declaration_is_on_the_page_of_the_model_file() -> None:
    page = text_of("docs/model-file.md")
    fields = helper("fields")
    tables = set(re.findall(r"\{computed\} fields (\w+)", page))
    # Bundles say what ligaments say, what tables share stands with each of them; a straight piece, the default course
    # and laws that have no numbers are told in words.
    told_in_words = {"BundleSpec", "PieceSpec", "StraightSpec", "ConstantCourseSpec", "TableFields"}
    told_in_words |= {"LinearLayerSpec", "LogarithmicLayerSpec"}
    assert tables | told_in_words == set(fields.declarations())
    rows = fields.fields("BodySpec").splitlines()
    assert "| `mass` | mass [kg] > 0 | – | Mass [kg]; needed unless the body is fixed. |" in rows
    assert all(
        row.count("|") - row.count("\\|") == 5 for name in tables for row in fields.fields(name).splitlines()
    )


def test_every_contact_law_is_on_the_page_of_choices() -> None:
    assert {law for law in CONTACT_LAWS if f"`{law}`" in text_of("docs/choosing.md")} >= {"gonthier", "hertz"}
    assert all(law in text_of("docs/model-file.md") for law in CONTACT_LAWS)


def test_references_are_readable() -> None:
    page = helper("bibliography").references()
    assert page.count("\n\n(") + 1 == len(re.findall(r"^@", text_of("docs/references.bib"), flags=re.M))
    assert "(machado2010)=" in page
    assert "**Ambrosio 2003** Jorge A. C. Ambrósio (2003)." in page
    assert "Über die Berührung fester elastischer Körper" in page
    assert not re.search(r"[{}\\]|None|\(\)", page)


def test_every_example_of_the_gallery_has_its_place() -> None:
    listed = re.findall(r'"(plot_\w+)"', text_of("docs/_ext/condyle_docs/figures.py"))
    assert sorted(listed) == sorted(path.stem for path in (DOCS / "gallery").glob("plot_*.py"))


# --- notation ---


def short_names(code: str) -> Iterator[str]:
    """Names of one or two letters that a file gives to arguments and variables."""
    for node in ast.walk(ast.parse(code)):
        stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        name = (
            node.arg
            if isinstance(node, ast.arg)
            else node.id
            if stored and isinstance(node, ast.Name)
            else ""
        )
        if 0 < len(name.strip("_")) <= 2:
            yield name.strip("_")


def letters() -> tuple[set[str], set[str]]:
    """Letters of the table of short names, and the words and type variables below it."""
    section = text_of("docs/notation.md").split("## Short names in the code")[1]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    beside = section.split("Beside them")[1]
    return set(INLINE.findall(" ".join(rows))), set(INLINE.findall(beside))


def is_listed(name: str, letters: set[str], words: set[str]) -> bool:
    """Whether a name is a letter of the table, two of them joined, a letter with a digit, or one of the words."""
    low = name.lower()
    joined = low[0] in letters and (low[1:] == "" or low[1].isdigit() or low[1] in letters)
    return (
        low in words
        or name in words
        or (joined and (len(low) < 2 or low[1] in "xyzij0123456789" or low[0] == "d"))
    )


def test_short_names_are_in_the_table_of_notation() -> None:
    table, words = letters()
    assert {"q", "v", "u", "e"} <= table
    used = {
        name: str(path.relative_to(ROOT))
        for path in sorted((ROOT / "src/condyle").rglob("*.py"))
        for name in short_names(path.read_text(encoding="utf-8"))
    }
    assert len(used) > 30
    assert {name: where for name, where in used.items() if not is_listed(name, table, words)} == {}


@pytest.mark.parametrize(
    ("name", "listed"), [("px", True), ("du", True), ("x0", True), ("to", True), ("zq", False)]
)
def test_short_names_are_letters_of_the_table_or_two_joined(name: str, listed: bool) -> None:
    assert is_listed(name, *letters()) is listed
