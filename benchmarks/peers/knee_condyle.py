"""Condyle on its own model file `planar-knee`, its outlines interpolated in one way or another."""

from __future__ import annotations

import condyle
from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, KneeRun


def main() -> None:
    """Run and answer."""
    knee = KneeRun(**task())
    spec = condyle.load("planar-knee").updated(knee.overrides())
    times, results = timed(lambda: condyle.simulate(spec), knee.repeats)
    flexion = results.dataset["measure_value"].sel(measure="flexion").values
    name = f"Condyle, planar-knee, {knee.profile}"
    send(Answer(name, f"condyle {condyle.__version__}", times, floats(flexion)))


if __name__ == "__main__":
    main()
