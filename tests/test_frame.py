"""The frame: what is public, what an import costs, what the wheel holds, how large a file may grow."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import condyle

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "condyle"
CODE_FOLDERS = ("src", "tests", "benchmarks", "docs")
MOST_FILE_LINES, MOST_BODY_LINES, MOST_KERNEL_LINES = 600, 60, 80


def files(*suffixes: str) -> list[Path]:
    """Files of the tree that are written by hand."""
    made = {"__pycache__", "_build"}
    found = [f for folder in CODE_FOLDERS for f in (ROOT / folder).rglob("*") if f.is_file()]
    found += [f for f in ROOT.iterdir() if f.is_file()]
    return [f for f in found if f.suffix in suffixes and not made & set(f.relative_to(ROOT).parts)]


# --- public names ---


def test_every_public_name_is_there() -> None:
    assert set(condyle.__all__) <= set(dir(condyle))
    for name in condyle.__all__:
        assert getattr(condyle, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'femur'"):
        condyle.femur  # noqa: B018


def test_type_checkers_and_the_interpreter_are_told_the_same() -> None:
    """The imports under TYPE_CHECKING, the table of homes and `__all__` list the same names."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    imports = [
        n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("condyle")
    ]
    seen_by_checkers = {alias.name: node.module for node in imports for alias in node.names}
    assert seen_by_checkers == condyle._HOMES
    assert sorted([*condyle._HOMES, "__version__"]) == sorted(condyle.__all__)


def test_importing_condyle_is_quick_and_pulls_in_nothing_heavy() -> None:
    code = """
import sys, time
start = time.process_time()
import condyle
spent = time.process_time() - start
heavy = {"numba", "numpy", "scipy", "xarray", "pint", "pydantic", "plotly", "rich", "typer", "h5netcdf"}
print(spent, *sorted(heavy & set(sys.modules)))
"""
    runs = [python(code).split() for _ in range(3)]
    assert {tuple(heavy) for _, *heavy in runs} == {()}
    assert min(float(spent) for spent, *_ in runs) < 0.5


def test_reading_a_model_does_not_start_the_compiler() -> None:
    """`condyle show` and `condyle check` answer at once."""
    code = "import sys, condyle; condyle.load('planar-knee'); print('numba' in sys.modules)"
    assert python(code).split() == ["False"]


def python(code: str) -> str:
    environment = {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- package and papers ---


def test_the_version_is_the_same_wherever_it_stands() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", condyle.__version__)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {condyle.__version__}\n" in citation
    assert f"\n## [{condyle.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("condyle-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("condyle/")}
        terms = [name for name in archive.namelist() if name.endswith("licenses/LICENSE")]
    written = {f.relative_to(PACKAGE.parent).as_posix() for f in PACKAGE.rglob("*") if f.is_file()}
    assert packed == {name for name in written if "__pycache__" not in name}
    assert "condyle/py.typed" in packed
    assert any(name.endswith(".yaml") for name in packed), "ready models"
    assert any(name.endswith(".html") for name in packed), "page templates"
    assert len(terms) == 1


def test_the_doors_of_the_package_open() -> None:
    """Every room can be imported alone, in any order: no cycle is hidden by a lucky first import."""
    rooms = sorted(p.parent.name for p in PACKAGE.glob("*/__init__.py"))
    assert "laws" in rooms
    for room in rooms:
        import_module(f"condyle.{room}")
        python(f"import condyle.{room}")


# --- size and cleanliness ---


def test_no_file_grows_too_long() -> None:
    lengths = {
        f: len(f.read_text(encoding="utf-8").splitlines()) for f in files(".py", ".js", ".css", ".html")
    }
    assert len(lengths) > 10
    assert {str(f.relative_to(ROOT)): n for f, n in lengths.items() if n > MOST_FILE_LINES} == {}


def test_no_function_grows_too_long() -> None:
    found = {
        f"{f.relative_to(ROOT)}:{name}": n for f in files(".py") for name, n in too_long(f.read_text("utf-8"))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("mark", "lines", "caught"), [("", 60, 0), ("", 61, 1), ("@kernel\n", 80, 0), ("@kernel\n", 81, 1)]
)
def test_the_length_of_a_function_is_measured(mark: str, lines: int, caught: int) -> None:
    body = "\n".join(["    x = 1"] * lines)
    code = f'{mark}def long():\n    """A docstring\n    of two lines."""\n{body}\n'
    assert len(list(too_long(code))) == caught


def too_long(code: str) -> Iterator[tuple[str, int]]:
    """Functions of more body lines, docstring aside, than the house allows."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            documented = ast.get_docstring(node, clean=False) is not None
            body = node.body[1:] if documented else node.body
            lines = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
            compiled = any(isinstance(d, ast.Name) and d.id == "kernel" for d in node.decorator_list)
            if lines > (MOST_KERNEL_LINES if compiled else MOST_BODY_LINES):
                yield node.name, lines


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    places = re.compile("/" + r"(?:work|root|home)/\w")
    named = (".py", ".md", ".toml", ".yaml", ".cff", ".js", ".css", ".html", ".bib", ".csv", ".rst", "")
    # In a second working tree of one clone, .git is a file that says where the first is.
    everything = [*(file for file in files(*named) if file.name != ".git"), ROOT / ".ci" / "run"]
    hits = [str(f.relative_to(ROOT)) for f in everything if places.search(f.read_text(encoding="utf-8"))]
    assert hits == []
