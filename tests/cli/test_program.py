"""The program as a whole, in a process of its own: statuses, streams, signals and speed of start."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.terminal import ENVIRONMENT, invoke, program, started
from condyle import read_results
from condyle.cli.app import app

SHORT = ["--set", "run.duration=0.02"]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a pendulum was run."""
    folder = tmp_path_factory.mktemp("ran")
    status, out, err = program("run", "pendulum", *SHORT, cwd=folder)
    assert (status, err) == (0, "")
    assert "passed" in out
    return folder


def test_a_run_from_name_to_files(ran: Path) -> None:
    assert sorted(path.name for path in (ran / "pendulum-results").iterdir()) == ["report.html", "results.nc"]
    status, out, err = program("export", "pendulum-results", "--to", "csv", "--json", "--out", "csv", cwd=ran)
    assert (status, err) == (0, "")
    assert all((ran / file).is_file() for file in json.loads(out)["files"])


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["rnu"],
        ["run"],
        ["run", "pendulum", "--sett", "a=1"],
        ["export", "x"],
        ["run", "no-such.yaml"],
        ["new", "x", "y"],
    ],
)
def test_wrong_usage_is_status_2_without_traceback(tmp_path: Path, arguments: list[str]) -> None:
    status, _, err = program(*arguments, cwd=tmp_path)
    assert status == 2
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command",
    [
        [],
        *(
            [name]
            for name in ("models", "show", "new", "check", "run", "report", "view", "export", "reproduce")
        ),
    ],
)
def test_every_command_has_help_with_an_example(tmp_path: Path, command: list[str]) -> None:
    status, out, _ = program(*command, "--help", cwd=tmp_path)
    assert status == 0
    assert "condyle " in out.split("Usage:")[1].split("\n", 1)[1]


def examples() -> list[str]:
    """The examples in the help of all commands, in the order of a first visit; a paper takes minutes."""
    found: list[str] = []
    for command in app.registered_commands:
        found += re.findall(r"`(condyle [^`]+)`", inspect.getdoc(command.callback) or "")
    order = ("new", "run", "")
    asked = [line for line in found if "reproduce" not in line]
    return sorted(asked, key=lambda line: next(k for k, word in enumerate(order) if word in line))


def test_the_examples_of_the_help_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = examples()
    assert len(lines) > 10
    assert any("restitution" in line for line in lines)
    for line in lines:
        done = invoke(*line.split()[1:])
        assert (done.exit_code, done.stderr) == (0, ""), line


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    script = (
        "import atexit, sys\n"
        "heavy = {'numpy', 'scipy', 'numba', 'xarray', 'pydantic', 'pint'}\n"
        "atexit.register(lambda: print('loaded', sorted(heavy & set(sys.modules))))\n"
    )
    _, out, _ = program("--help", cwd=tmp_path, script=script)
    assert out.splitlines()[-1] == "loaded []"


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    process = started("schema", cwd=tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=60) in (0, 1)
    process.stderr.close()
    assert "Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_ctrl_c_keeps_what_the_run_had(tmp_path: Path) -> None:
    long = ["--set", "run.duration=20000", "--set", "run.output_step=1", "--force", "--no-report"]
    # The first word of progress says that the engine runs; until then it may still be compiling.
    script = (
        "import contextlib\n"
        "import condyle.results.progress as progress\n"
        "progress.bar = lambda _: contextlib.nullcontext(lambda done: print('done', done, flush=True))\n"
    )
    process = started("run", "pendulum", *long, cwd=tmp_path, script=script)
    assert process.stdout is not None
    try:
        while float(process.stdout.readline().split()[1]) == 0.0:
            pass
        process.send_signal(signal.SIGINT)
        # What was done is still to be observed, for which kernels may have to be compiled.
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 1
    assert "Traceback" not in err
    results = read_results(tmp_path / "pendulum-results")
    assert not results.complete
    assert 0.0 < float(results.dataset["time"][-1]) < 20000.0
    assert results.status in out


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("moment", ["to_netcdf", "fsync"])
def test_a_run_killed_while_it_saves_leaves_the_old_results(ran: Path, tmp_path: Path, moment: str) -> None:
    folder = tmp_path / "pendulum-results"
    shutil.copytree(ran / "pendulum-results", folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    kill = "os.kill(os.getpid(), signal.SIGKILL)"
    scripts = {
        "to_netcdf": f"import xarray\nxarray.Dataset.to_netcdf = lambda *a, **k: (open(a[1], 'w').write('x'), {kill})",
        "fsync": f"os.fsync = lambda *a: {kill}",
    }
    status, _, _ = program(
        "run", "pendulum", *SHORT, cwd=tmp_path, script=f"import os, signal\n{scripts[moment]}"
    )
    assert status == -signal.SIGKILL
    after = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}
    assert after == before
    assert read_results(folder).complete


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_ctrl_c_while_kernels_load_waits_for_the_first_step(tmp_path: Path) -> None:
    script = (
        "import os, signal\n"
        "import condyle.results.simulation as simulation\n"
        "answered = simulation.answered\n"
        "simulation.answered = lambda *given: (os.kill(os.getpid(), signal.SIGINT), answered(*given))[1]\n"
    )
    status, out, err = program("run", "pendulum", "--no-report", cwd=tmp_path, script=script)
    assert status == 1
    assert "Traceback" not in err
    results = read_results(tmp_path / "pendulum-results")
    assert not results.complete
    assert results.status in out


# A program that was started in the background does not hear Ctrl-C of itself.
INTERRUPTED_IMPORT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            try:
                os.kill(os.getpid(), signal.SIGINT)
                sum(range(10000))
            except KeyboardInterrupt as stop:
                raise {raised} from stop
sys.meta_path.insert(0, Finder())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize(
    ("module", "raised"),
    [
        *((module, "stop") for module in ("typer", "numpy", "numba", "pydantic", "xarray")),
        ("numba", "ImportError('half of it is missing')"),
    ],
)
def test_ctrl_c_during_imports_is_one_line(tmp_path: Path, module: str, raised: str) -> None:
    script = INTERRUPTED_IMPORT.format(module=module, raised=raised)
    status, out, err = program("run", "pendulum", *SHORT, cwd=tmp_path, script=script)
    assert (status, out, err) == (1, "", "condyle: stopped\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_ctrl_c_where_it_cannot_be_raised_comes_again(tmp_path: Path) -> None:
    """A callback of a library in C swallows what is raised in it."""
    script = (
        "import ctypes, os, signal, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import condyle.model.spec as spec\n"
        "load = spec.load\n"
        "def press():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    sum(range(10000))\n"
        "naps = lambda: [time.sleep(0.01) for _ in range(6000)]\n"
        "spec.load = lambda *a, **k: (ctypes.CFUNCTYPE(None)(press)(), naps(), load(*a, **k))[2]\n"
    )
    status, out, err = program("check", "pendulum", cwd=tmp_path, script=script)
    assert (status, out, err) == (1, "", "condyle: stopped\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk")
@pytest.mark.parametrize("command", ["--help", "models", "models --json", "run pendulum --json", "version"])
def test_a_full_disk_is_told_in_one_line(tmp_path: Path, command: str) -> None:
    short = ["--set", "run.duration=0.02"] if "run" in command else []
    code = "from condyle.cli import main\nmain()\n"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", code, *command.split(), *short],
            cwd=tmp_path,
            env=os.environ | ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["condyle: the output cannot be written: No space left on device"]
