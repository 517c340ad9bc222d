"""Times a person waits for, in fresh processes: importing, the first run ever, the whole command."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.harness import environment

IMPORT = "import time; t = time.perf_counter(); import condyle; print(time.perf_counter() - t)"

IMPLICIT = ["run", "slider-crank", "--variant", "flexible"]
IMPLICIT += ["--set", "run.integrator=generalized-alpha", "--set", "run.step=2e-4"]


@dataclass(frozen=True)
class Wait:
    """One of them: seconds, and what the project asks for. absent: why it could not be measured."""

    name: str
    seconds: float
    bar: float
    absent: str = ""


def command_seconds(arguments: list[str], cache: str | None = None) -> tuple[float, float]:
    """Wall and processor time of `condyle ARGUMENTS` as a process; a failure raises with what it wrote."""
    env = environment(**({"NUMBA_CACHE_DIR": cache} if cache else {}))
    with tempfile.TemporaryDirectory() as folder:
        begin, begun = time.perf_counter(), os.times()
        done = subprocess.run(
            [sys.executable, "-m", "condyle", *arguments, "--out", str(Path(folder) / "out")],
            capture_output=True,
            text=True,
            env=env,
            cwd=folder,
            check=False,
        )
        seconds, ended = time.perf_counter() - begin, os.times()
    if done.returncode:
        raise RuntimeError((done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1])
    spent = ended.children_user + ended.children_system - begun.children_user - begun.children_system
    return seconds, spent


def import_seconds(times: int) -> float:
    """Median of `import condyle` inside a fresh interpreter."""
    seconds = []
    for _ in range(times):
        done = subprocess.run(
            [sys.executable, "-c", IMPORT], capture_output=True, text=True, env=environment(), check=True
        )
        seconds.append(float(done.stdout))
    return median(seconds)


def waits(rounds: int) -> list[Wait]:
    """Import, cold run and warm command, and a cold run by the implicit method, in this order."""
    found = [Wait("import condyle", import_seconds(max(rounds, 3)), 0.5)]
    run = ["run", "planar-knee"]
    try:
        with tempfile.TemporaryDirectory() as cache:
            found.append(
                Wait(
                    "first `condyle run planar-knee`, nothing compiled", command_seconds(run, cache)[0], 20.0
                )
            )
            warm = median(command_seconds(run, cache)[0] for _ in range(rounds))
            found.append(Wait("`condyle run planar-knee`, compiled before, with report", warm, 4.0))
        with tempfile.TemporaryDirectory() as cache:
            spent = command_seconds(IMPLICIT, cache)[1]
            found.append(Wait("first flexible slider-crank, generalized-alpha, processor", spent, 20.0))
    except RuntimeError as error:
        found.append(Wait("`condyle run`", float("nan"), 4.0, absent=str(error)))
    return found
