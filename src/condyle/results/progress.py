"""A bar for work that takes over a second, on terminals only."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Seconds before anything is shown.
PATIENCE = 1.0


@contextmanager
def bar(name: str) -> Iterator[Callable[[float], None] | None]:
    """A function that takes the fraction done and shows it on stderr; None where stderr is not a terminal.

    A timer shows the bar, so it also appears while kernels compile and no fraction has come yet.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn(name, markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    task = progress.add_task(name, total=1.0)
    timer = threading.Timer(PATIENCE, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda fraction: progress.update(task, completed=fraction)
    finally:
        timer.cancel()
        timer.join()
        progress.stop()
