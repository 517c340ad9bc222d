"""A kernel loaded from the cache computes what its source says now, whatever was edited since."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import pytest

SOURCES = Path(__file__).parents[1] / "src"

CALLER = """
from condyle._jit import kernel
from laws import inner, shapes
from laws.inner import LIMITS, Parameters, scaled

@kernel
def answer(x: float) -> float:
    return scaled(x) + shapes.deep.offset(x) + LIMITS[1]

@kernel
def first_field(parameters: Parameters) -> float:
    return parameters.stiffness

@kernel
def recursive(n: int) -> int:
    return n if n < 2 else recursive(n - 1) + recursive(n - 2) + inner.STEP

def mode_value() -> int:
    return int(inner.Mode.FAST)
"""

INNER = """
import enum
from typing import NamedTuple
from condyle._jit import kernel

FACTOR = 2.0
LIMITS = (0.0, 100.0)
STEP = 0

class Mode(enum.IntEnum):
    FAST = 1

class Parameters(NamedTuple):
    stiffness: float
    exponent: float

@kernel
def scaled(x: float) -> float:
    return FACTOR * innermost(x)

@kernel
def innermost(x: float, power: float = 1.0) -> float:
    return x * power
"""

DEEP = """
from condyle._jit import kernel

@kernel
def offset(x: float) -> float:
    return 0.0 * x
"""

ASK = """
from laws import caller
from laws.inner import Parameters
print(float(caller.answer(3.0)), float(caller.first_field(Parameters(stiffness=5.0, exponent=1.5))),
      int(caller.recursive(5)))
loads = [sum(k.stats.cache_hits.values()) for k in (caller.answer, caller.first_field, caller.recursive)]
print(*loads)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "laws"
    (folder / "shapes").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "shapes" / "__init__.py").write_text("from laws.shapes import deep\n")
    (folder / "shapes" / "deep.py").write_text(DEEP)
    (folder / "inner.py").write_text(INNER)
    (folder / "caller.py").write_text(CALLER)
    return folder


def run(code: str, folder: Path, **variables: str) -> list[str]:
    """Lines printed by a fresh interpreter that sees `folder` and keeps its cache beside it."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(folder), str(SOURCES))),
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",  # edits within one second must not meet an old .pyc
        "NUMBA_DISABLE_JIT": "0",
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def answers(package: Path) -> tuple[list[float], list[int]]:
    """The three kernels' values, and how many of each came from the cache."""
    values, loads = run(ASK, package.parent)
    return [float(v) for v in values.split()], [int(n) for n in loads.split()]


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_an_edit_of_anything_a_kernel_uses_is_never_answered_from_the_cache(package: Path) -> None:
    inner, deep = package / "inner.py", package / "shapes" / "deep.py"
    assert answers(package) == ([106.0, 5.0, 5.0], [0, 0, 0])
    assert answers(package) == ([106.0, 5.0, 5.0], [1, 1, 1]), "unchanged sources come from the cache"

    edit(inner, "return x * power", "return x * power + 1.0")  # a callee of a callee
    assert answers(package) == ([108.0, 5.0, 5.0], [0, 1, 1]), "only what was touched is compiled again"
    edit(inner, "FACTOR = 2.0", "FACTOR = 3.0")  # a number that a callee reads
    assert answers(package) == ([112.0, 5.0, 5.0], [0, 1, 1])
    edit(inner, "power: float = 1.0", "power: float = 2.0")  # a default
    assert answers(package) == ([121.0, 5.0, 5.0], [0, 1, 1])
    edit(inner, "(0.0, 100.0)", "(0.0, 200.0)")  # a tuple
    assert answers(package)[0] == [221.0, 5.0, 5.0]
    edit(deep, "0.0 * x", "1.0 * x")  # reached as module.module.function
    assert answers(package) == ([224.0, 5.0, 5.0], [0, 1, 1])
    edit(inner, "STEP = 0", "STEP = 1")  # reached as module.constant
    assert answers(package) == ([224.0, 5.0, 12.0], [1, 1, 0])
    edit(inner, "    stiffness: float\n    exponent: float", "    exponent: float\n    stiffness: float")
    assert answers(package) == ([224.0, 5.0, 12.0], [1, 0, 1]), "fields that changed places"
    edit(deep, "return", "# a remark\n    return")
    assert answers(package) == ([224.0, 5.0, 12.0], [1, 1, 1]), "a comment compiles nothing in the callers"


def test_an_old_data_file_under_a_new_index_is_not_believed(package: Path) -> None:
    """What a process leaves that is killed after it wrote the index and before it wrote the code."""
    cache = package.parent / "cache"
    answers(package)
    old = {file.name: file.read_bytes() for file in cache.rglob("caller.answer*.nbc")}
    assert len(old) == 1
    edit(package / "inner.py", "FACTOR = 2.0", "FACTOR = 3.0")
    answers(package)
    (fresh,) = [file for file in cache.rglob("caller.answer*.nbc") if file.name not in old]
    fresh.unlink()
    assert answers(package)[0][0] == 109.0


def test_each_signature_has_files_of_its_own(package: Path) -> None:
    """So that two processes compiling two signatures at a time cannot write one file."""
    code = "from laws.inner import scaled; print(scaled(2.0), scaled(2), scaled.stats.cache_hits)"
    assert run(code, package.parent) == ["4.0 4.0 Counter()"]
    assert len(list((package.parent / "cache").rglob("inner.scaled*.nbi"))) == 2
    assert len(list((package.parent / "cache").rglob("inner.scaled*.nbc"))) == 2
    assert run(code, package.parent)[0].count(": 1") == 2


def test_closures_of_one_factory_are_told_apart(package: Path) -> None:
    """Their code is the same; which of them a third name means is not."""
    (package / "made.py").write_text("""
from condyle._jit import kernel
def made(k):
    def law(x):
        return k * x
    return kernel(law)
first, second = made(2.0), made(3.0)
third = first
""")
    (package / "mixture.py").write_text("""
from condyle._jit import kernel
from laws.made import first, second, third
@kernel
def mixture(x):
    return 100.0 * first(x) + 10.0 * second(x) + third(x)
""")
    ask = "from laws.mixture import mixture; print(mixture(1.0))"
    assert run(ask, package.parent) == ["232.0"]
    edit(package / "made.py", "third = first", "third = second")
    assert run(ask, package.parent) == ["233.0"]


def test_arrays_enumerations_and_named_tuples_are_part_of_the_digest(package: Path) -> None:
    source = """
import enum
from typing import NamedTuple
import numpy as np
from condyle._jit import kernel, source_digest
class Pair(NamedTuple):
    first: float = 1.0
    second: float = 2.0
class Kind(enum.IntEnum):
    HERTZ = 1
TABLE = np.array([1.0, 2.0])
def array_reader(): return TABLE[0]
def enumeration_reader(): return Kind.HERTZ
def maker(): return Pair()
def user_of_numpy(x): return np.sqrt(np.float64(x)) if x in {"a", "b", "c", "d"} else np.pi
"""
    ask = """
from laws import constants as c
print(*[c.source_digest(f) for f in (c.array_reader, c.enumeration_reader, c.maker, c.user_of_numpy)])
"""
    file = package / "constants.py"
    file.write_text(source)

    def changed(old: str, new: str) -> list[bool]:
        before = run(ask, package.parent)[0].split()
        edit(file, old, new)
        after = run(ask, package.parent, PYTHONHASHSEED="7")[0].split()
        return [b != a for b, a in zip(before, after, strict=True)]

    assert changed("[1.0, 2.0]", "[1.0, 2.5]") == [True, False, False, False]
    assert changed("HERTZ = 1", "HERTZ = 2") == [False, True, False, False]
    assert changed("second: float = 2.0", "second: float = 3.0") == [False, False, True, False]
    assert changed("TABLE = ", "UNUSED = 1\nTABLE = ") == [False, False, False, False]


def test_a_global_that_cannot_be_judged_is_an_error(package: Path) -> None:
    source = """
from condyle._jit import kernel
settings = {"gain": 2.0}
@kernel
def answer(x):
    return settings["gain"] * x
"""
    (package / "mutable.py").write_text(source)
    code = """
from laws.mutable import answer
try:
    answer(1.0)
except TypeError as error:
    print(error)
"""
    (message,) = run(code, package.parent)
    assert "kernel laws.mutable.answer reads settings, a dict" in message


def test_the_plain_lane_runs_the_functions_themselves(package: Path) -> None:
    code = """
from condyle._jit import plain
from laws import caller
print(type(caller.answer).__name__, plain(caller.answer) is caller.answer, caller.answer(3.0))
"""
    assert run(code, package.parent, NUMBA_DISABLE_JIT="1") == ["function True 106.0"]
    assert run(code, package.parent) == ["CPUDispatcher False 106.0"]


def test_a_kernel_compiles_where_no_cache_can_be_kept(package: Path) -> None:
    """A function without a file, as at a prompt."""
    code = """
from condyle._jit import kernel
def double(x): return 2.0 * x
print(kernel(double)(4.0))
"""
    assert run(code, package.parent) == ["8.0"]


TABLES = """
import numpy as np
from condyle._jit import allocating_kernel, inlined_kernel, kernel

@kernel
def cell(table, k):
    return table[k, 0] if k % 2 else table[k, 1]

@inlined_kernel
def total(table, count):
    found = 0.0
    for k in range(count):
        found += cell(table, k)
    return found

@allocating_kernel
def doubled(table, count):
    copy = np.empty((count, 2))
    for k in range(count):
        copy[k, 0], copy[k, 1] = 2.0 * table[k, 0], 2.0 * table[k, 1]
    return total(copy, count)

@kernel
def both(table, count):
    return total(table, count) + doubled(table, count)
"""


def test_no_kernel_counts_references_to_arrays(package: Path) -> None:
    """Nine tenths of the time of a step would go into that; a kernel that allocates must, and may be called."""
    (package / "tables.py").write_text(TABLES)
    ask = """
import numpy as np
from laws import tables
print(tables.{name}(np.arange(6.0).reshape(3, 2), 3))
print(next(iter(tables.{name}.overloads.values())).library.get_llvm_str().count("call void @NRT_"))
"""
    assert run(ask.format(name="total"), package.parent) == ["8.0", "0"]
    value, counted = run(ask.format(name="both"), package.parent)
    assert float(value) == 24.0
    assert int(counted) > 0, "the search for such calls finds those of the kernel that allocates"


def test_a_kernel_is_not_inlined_for_having_been_met_in_an_inlined_one(package: Path) -> None:
    """Numba hands that option down to what it compiles on the way: code would double with every call."""
    (package / "tables.py").write_text(TABLES)
    ask = """
import numpy as np
from laws import tables
tables.both(np.arange(6.0).reshape(3, 2), 3)
inlined = [next(iter(k.inner.overloads.values())).fndesc.inline for k in (tables.total, tables.cell)]
print(inlined)
"""
    assert run(ask, package.parent) == ["[True, False]"]


def test_what_a_kernel_calls_is_closed_to_others_in_its_machine_code(package: Path) -> None:
    """So that a call may hand over what is used only, and what is called at one place is inlined there."""
    calls = " + ".join(f"long(x + {k})" for k in range(20))
    long = "\n".join(f"    x = math.sin(x) * x + {k}" for k in range(100))
    (package / "lengthy.py").write_text(
        "import math\nfrom condyle._jit import kernel\n\n"
        f"@kernel\ndef long(x):\n{long}\n    return x\n\n@kernel\ndef often(x):\n    return {calls}\n"
    )
    ask = """
from laws import lengthy
lengthy.often(0.5)
library = next(iter(lengthy.often.overloads.values())).library
print([f.linkage.name for f in library.get_defined_functions() if "4long" in f.name])
"""
    assert run(ask, package.parent) == ["['internal']"]


def test_a_kernel_called_by_kernels_only_leaves_no_files_and_no_machine_code(package: Path) -> None:
    (package / "tables.py").write_text(TABLES)
    ask = """
import numpy as np
from laws import tables
tables.both(np.arange(6.0).reshape(3, 2), 3)
print([len(kernel.overloads) for kernel in (tables.cell, tables.total, tables.doubled, tables.both)])
print({getattr(made.library, "_compiled", False) for made in tables.cell.inner.overloads.values()})
"""
    assert run(ask, package.parent) == ["[0, 0, 0, 1]", "{False}"]
    names = {file.name.split("-")[0] for file in (package.parent / "cache").rglob("*.nbi")}
    assert names == {"tables.both"}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from numba import njit", ["njit"]),
        ("import numba\n@numba.jit\ndef f(): ...", ["jit"]),
        ("import numba as nb\nf = nb.vectorize(g)", ["vectorize"]),
        ("from numba import float64", []),
    ],
)
def test_the_search_for_compilers_finds_them(code: str, found: list[str]) -> None:
    assert compilers(code) == found


def test_no_other_file_of_the_package_compiles() -> None:
    files = [f for f in (SOURCES / "condyle").rglob("*.py") if f.name != "_jit.py"]
    assert files
    assert {str(f): compilers(f.read_text()) for f in files if compilers(f.read_text())} == {}


def compilers(code: str) -> list[str]:
    """Numba's compiling decorators among the names that `code` imports or takes from a module."""
    forbidden = {"njit", "jit", "vectorize", "guvectorize", "generated_jit", "jit_module", "stencil"}
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
            found += [alias.name for alias in node.names if alias.name in forbidden]
        elif isinstance(node, ast.Attribute) and node.attr in forbidden:
            found.append(node.attr)
    return found


def test_the_compiler_whose_private_parts_are_used_is_bounded_from_above() -> None:
    """And the one at work here lies within the bounds."""
    declared = (SOURCES.parent / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'"numba>=(\d+)\.(\d+),<(\d+)\.(\d+)"', declared)
    assert found is not None
    least, below = ((int(found[k]), int(found[k + 1])) for k in (1, 3))
    assert least <= tuple(map(int, numba.__version__.split(".")[:2])) < below
