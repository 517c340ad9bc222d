"""Run each peer in a process of its own, one at a time, and gather what they answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.peers.process import MARK
from benchmarks.work import Answer, Times

ROOT = Path(__file__).parent.parent
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Entry:
    """One row: the peer's module, its task, and how many steps one run takes."""

    module: str
    task: dict[str, Any]
    steps: int


@dataclass(frozen=True)
class Row:
    """An entry's answers over all rounds; times are NaN where the peer is absent."""

    answer: Answer
    times: Times
    steps: int

    @property
    def wall(self) -> float:
        """Median seconds of one run by the clock."""
        return median(self.times.wall) if self.times.wall else float("nan")

    @property
    def typical(self) -> float:
        """Median processor seconds of one run."""
        return median(self.times.processor) if self.times.processor else float("nan")

    @property
    def best(self) -> float:
        """Least seconds of one run by the clock: what a busy machine disturbed least."""
        return min(self.times.wall, default=float("nan"))

    @property
    def rate(self) -> float:
        """Steps per processor second."""
        return self.steps / self.typical

    @property
    def spread(self) -> float:
        """(most - least) / median of the processor seconds."""
        found = self.times.processor
        return (max(found) - min(found)) / self.typical if found else float("nan")

    def apart(self, other: Row) -> float:
        """Largest difference of the two curves, to see that both computed the same motion."""
        pairs = list(zip(self.answer.samples, other.answer.samples, strict=False))
        return max((abs(one - two) for one, two in pairs), default=float("nan"))


def environment(**more: str) -> dict[str, str]:
    """The environment of a peer's process: one thread, and this folder importable."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


def ask(entry: Entry) -> Answer:
    """One process of one peer; a peer that breaks is reported as absent, with the last line it wrote."""
    command = [sys.executable, "-m", f"benchmarks.peers.{entry.module}", json.dumps(entry.task)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    if not lines:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return Answer(entry.module, absent=last)
    decoded = json.loads(lines[-1][len(MARK) :])
    clocks = decoded.pop("times")
    times = Times(*(tuple(clocks[kind]) for kind in ("wall", "processor")))
    more = {name: tuple(values) for name, values in decoded["more"].items()}
    return Answer(**{**decoded, "times": times, "samples": tuple(decoded["samples"]), "more": more})


def joined(rounds: list[Times]) -> Times:
    """The times of all rounds in one."""
    return Times(sum((one.wall for one in rounds), ()), sum((one.processor for one in rounds), ()))


def run(entries: list[Entry], rounds: int) -> list[Row]:
    """All entries in turn, `rounds` times over, so that a slow minute of the machine meets them all."""
    answers: list[list[Answer]] = [[] for _ in entries]
    for _ in range(rounds):
        for place, entry in enumerate(entries):
            if not (answers[place] and answers[place][0].absent):
                answers[place].append(ask(entry))
    return [
        Row(given[0], joined([answer.times for answer in given]), entry.steps)
        for given, entry in zip(answers, entries, strict=True)
    ]
