"""The two ends of a peer's process: a task goes in as JSON, an answer comes out as the last line."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.work import Answer, Times

MARK = "answer: "


def task() -> dict[str, Any]:
    """The task on the command line."""
    decoded: dict[str, Any] = json.loads(sys.argv[1])
    return decoded


def send(answer: Answer) -> None:
    """Print the answer where `harness` looks for it."""
    print(MARK + json.dumps(answer.as_dict()), flush=True)


def timed(run: Callable[[], Any], repeats: int) -> tuple[Times, Any]:
    """Times of `repeats` calls after one that warms up, and what the last one returned."""
    result = run()
    wall, processor = [], []
    for _ in range(repeats):
        begin, begin_processor = time.perf_counter(), time.process_time()
        result = run()
        wall.append(time.perf_counter() - begin)
        processor.append(time.process_time() - begin_processor)
    return Times(tuple(wall), tuple(processor)), result


def floats(values: Iterable[Any]) -> tuple[float, ...]:
    """Plain floats for JSON."""
    return tuple(float(value) for value in values)
