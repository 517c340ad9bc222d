"""Condyle on its own model file `bouncing-ball`, with the law, step and drop that all peers share."""

from __future__ import annotations

import condyle
from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, Ball


def main() -> None:
    """Run and answer."""
    ball = Ball(**task())
    spec = condyle.load("bouncing-ball").updated(ball.overrides())
    times, results = timed(lambda: condyle.simulate(spec), ball.repeats)
    gaps = -results.dataset["contact_depth"].values[:, 0]
    send(Answer("Condyle, bouncing-ball", f"condyle {condyle.__version__}", times, floats(gaps)))


if __name__ == "__main__":
    main()
