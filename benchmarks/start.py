"""Times a person waits for, in fresh processes: importing, the first run ever, the whole command."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.harness import environment

IMPORT = "import time; t = time.perf_counter(); import condyle; print(time.perf_counter() - t)"


@dataclass(frozen=True)
class Wait:
    """One of them: seconds, and what the project asks for. absent: why it could not be measured."""

    name: str
    seconds: float
    bar: float
    absent: str = ""


def command_seconds(arguments: list[str], cache: str | None = None) -> float:
    """Wall time of `condyle ARGUMENTS` as a process; a failure raises with what it wrote."""
    env = environment(**({"NUMBA_CACHE_DIR": cache} if cache else {}))
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "condyle", *arguments, "--out", str(Path(folder) / "out")],
            capture_output=True,
            text=True,
            env=env,
            cwd=folder,
            check=False,
        )
        seconds = time.perf_counter() - begin
    if done.returncode:
        raise RuntimeError((done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1])
    return seconds


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
    """Import, cold run and warm command, in this order."""
    found = [Wait("import condyle", import_seconds(max(rounds, 3)), 0.5)]
    run = ["run", "planar-knee"]
    try:
        with tempfile.TemporaryDirectory() as cache:
            found.append(
                Wait("first `condyle run planar-knee`, nothing compiled", command_seconds(run, cache), 20.0)
            )
            warm = median(command_seconds(run, cache) for _ in range(rounds))
            found.append(Wait("`condyle run planar-knee`, compiled before, with report", warm, 4.0))
    except RuntimeError as error:
        found.append(Wait("`condyle run planar-knee`", float("nan"), 4.0, absent=str(error)))
    return found
