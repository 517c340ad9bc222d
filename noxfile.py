"""The one task runner: `nox -s NAME`, with the interpreter that runs nox; CI runs these same sessions.

No session makes an environment of its own: `make` does that once, from the dependency groups in pyproject.toml.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "imports", "test"]

BUILT_DOCS = Path("docs/_build/html")


def module(session: nox.Session, name: str, *arguments: str, **variables: str) -> None:
    """Run a module of this environment; no program is looked for on the search path."""
    session.run(sys.executable, "-m", name, *arguments, env=variables, external=True)


@nox.session
def test(session: nox.Session) -> None:
    """The tests, compiled, without the fuzzing; arguments go to pytest."""
    module(session, "pytest", *session.posargs)


@nox.session
def nojit(session: nox.Session) -> None:
    """The small cases once more, as plain Python."""
    module(session, "pytest", "-m", "nojit", *session.posargs, NUMBA_DISABLE_JIT="1")


@nox.session
def fuzz(session: nox.Session) -> None:
    """Mutated model files: 3,000 of them, or `nox -s fuzz -- 300`."""
    cases, *others = session.posargs or ["3000"]
    module(session, "pytest", "-m", "fuzz", *others, CONDYLE_FUZZ_CASES=cases)


@nox.session
def lint(session: nox.Session) -> None:
    """Style and layout; `nox -s lint -- --fix` mends what can be mended."""
    fix = "--fix" in session.posargs
    module(session, "ruff", "check", *session.posargs)
    module(session, "ruff", "format", *([] if fix else ["--check"]))


@nox.session
def types(session: nox.Session) -> None:
    """Strict types."""
    module(session, "mypy", *session.posargs)


@nox.session
def imports(session: nox.Session) -> None:
    """Who may import whom."""
    # The linter reads the package from the search path and has no module of its own to run.
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    session.run(sys.executable, "-c", code, env={"PYTHONPATH": "src"}, external=True)


@nox.session
def demo(session: nox.Session) -> None:
    """The built-in knee from its file to its report."""
    module(session, "condyle", "run", "planar-knee", "--out", "demo-output", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation with its executed gallery, any warning an error."""
    module(session, "sphinx", "-W", "--keep-going", "-b", "html", "docs", str(BUILT_DOCS), *session.posargs)
    session.log(f"written to {BUILT_DOCS / 'index.html'}")


@nox.session
def bench(session: nox.Session) -> None:
    """Condyle against its peers and a plain loop, on one core."""
    one_core = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    module(session, "benchmarks", *session.posargs, **one_core, PYTHONPATH=os.pathsep.join((".", "src")))
