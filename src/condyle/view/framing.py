"""Where to look: frames about the joint and about everything, as x0, x1, y0, y1 [m]; and the plane geometry for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from condyle.view.columns import Array
from condyle.view.run import Run, largest

N_POSE = 40  # poses looked at
ARROW = 0.26  # length of the largest arrow, in parts of the picture
Samples = NDArray[np.intp]


def frames(run: Run, bones: Mapping[str, Sequence[Array]]) -> tuple[list[float] | None, list[float]]:
    """The joint and everything.

    The joint is ligaments, contacts, joints, springs, beams and what is about as large; None where that is everything.
    `bones` are the lines drawn of each body, in its frame [m].
    """
    at = np.unique(np.linspace(0, len(run.values("time")) - 1, N_POSE).round().astype(np.intp))
    core = [_track(run, at, "contact_point", name) for name in run.labels("contact")]
    core += [_track(run, at, "ligament_point", *key) for key in _ends(run)]
    core += [_track(run, at, *key) for key in _held(run)]
    around = [_track(run, at, "load_point", name) for name in run.labels("force")]
    around += [_track(run, at, "position", body) for body in bones if not run.facts.fixed(body)]
    solid = {body: [*lines, *solid_outlines(run, body)] for body, lines in bones.items()}
    around += [_moved(run, at, body, lines) for body, lines in solid.items()]
    whole = bounds(core + around)
    whole = bounds([whole, *_tips(run, at, ARROW * _extent(whole))])
    if not any(np.isfinite(part).any() for part in core):
        return None, padded(whole, 0.08)
    size = _extent(bounds(core))
    for body in bones:
        core.append(
            _moved(run, at, body, [line for line in solid_outlines(run, body) if _extent(line) < 2.0 * size])
        )
    joint = bounds(core)
    similar = _extent(joint) > 0.7 * _extent(whole)
    return (None if similar else padded(joint, 0.1)), padded(whole, 0.08)


def _ends(run: Run) -> list[tuple[str, str]]:
    return [(name, end) for name in run.labels("ligament") for end in ("origin", "insertion")]


def _tips(run: Run, at: Samples, length: float) -> list[Array]:
    """Where the arrows of loads and joints end, the largest ones with a length [m]."""
    tips = []
    for dimension, force, point in (("force", "load", "load_point"), ("joint", "joint_force", "joint_point")):
        names = [name for name in run.labels(dimension) if run.has((force, name, "x"), (point, name, "x"))]
        most = largest(*(run.values(force, name, axis) for name in names for axis in "xy"))
        if most > 0.0:
            names = [name for name in names if dimension == "force" or run.facts.acts_somewhere(name)]
            tips += [
                _track(run, at, point, name) + _track(run, at, force, name) * (length / most)
                for name in names
            ]
    return tips


def _held(run: Run) -> list[tuple[str, ...]]:
    """Points of joints, springs and beams."""
    found: list[tuple[str, ...]] = []
    found += [("joint_point", name) for name in run.labels("joint") if run.facts.acts_somewhere(name)]
    found += [("spring_point", name, end) for name in run.labels("spring") for end in ("origin", "insertion")]
    stations = run.labels("station")
    return found + [("beam_position", name, station) for name in run.labels("beam") for station in stations]


def _track(run: Run, at: Samples, *key: str) -> Array:
    """A moving point at the chosen samples where it is known, shape (n, 2)."""
    if not run.has(*((*key, axis) for axis in "xy")):
        return np.zeros((0, 2))
    return np.column_stack([run.values(*key, axis)[at] for axis in "xy"])


def _moved(run: Run, at: Samples, body: str, lines: Sequence[Array]) -> Array:
    """Lines of a body's frame at the chosen samples, shape (n, 2)."""
    if not lines:
        return np.zeros((0, 2))
    return placed(np.concatenate(lines), _track(run, at, "position", body), run.values("angle", body)[at])


def solid_outlines(run: Run, body: str) -> list[Array]:
    """Profiles without those that know no end: the ground and the inside of a bearing."""
    names = [name for name in run.profiles(body) if not run.facts.hollow(name)]
    names = [name for name in names if not (run.facts.fixed(body) and run.facts.straight(name))]
    return [line for name in names if len(line := run.outline(name))]


def _extent(points: Array) -> float:
    return float(np.ptp(points, axis=0).max())


def bounds(parts: Sequence[Array]) -> Array:
    """Lowest and highest x, y of all points, shape (2, 2); a unit box about the origin where there are none."""
    points = np.concatenate([np.zeros((0, 2)), *parts])
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return np.array([[-0.5, -0.5], [0.5, 0.5]])
    return np.array([points.min(axis=0), points.max(axis=0)])


def padded(box: Array, share: float) -> list[float]:
    """Box as x0, x1, y0, y1, widened on all sides by a share of its larger extent; never without area."""
    margin = share * _extent(box) or 0.5
    (x0, y0), (x1, y1) = box
    return [float(v) for v in (x0 - margin, x1 + margin, y0 - margin, y1 + margin)]


def placed(points: Array, positions: Array, angles: Array) -> Array:
    """Points (n, 2) of a body's frame in the global one, at m poses: positions (m, 2), angles (m,); shape (m n, 2)."""
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = points[:, 0], points[:, 1]
    moved = np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1) + positions[:, None, :]
    return np.asarray(moved.reshape(-1, 2))


def hull(points: Array) -> Array:
    """Convex hull, counter-clockwise and closed, shape (n, 2); empty where the points lie on one line."""
    finite = np.unique(points[np.isfinite(points).all(axis=1)], axis=0)
    if len(finite) < 3:
        return np.zeros((0, 2))
    ring = np.array(_chain(finite)[:-1] + _chain(finite[::-1]))
    area = 0.5 * abs(float(np.sum(ring[:-1, 0] * ring[1:, 1] - ring[1:, 0] * ring[:-1, 1])))
    return ring if area > 1e-6 * _extent(finite) ** 2 else np.zeros((0, 2))


def is_closed(points: Array) -> bool:
    """Whether a line ends where it starts, shape (n, 2)."""
    return len(points) > 3 and float(np.hypot(*(points[0] - points[-1]))) <= 1e-6 * _extent(points)


def joined(lines: Sequence[Array]) -> Array:
    """One ring through all lines, each taken up at its end nearest to where the last one ended, shape (n, 2)."""
    ring, left = lines[0], list(lines[1:])
    while left:
        gaps = [float(np.hypot(*(line[end] - ring[-1]))) for line in left for end in (0, -1)]
        k, backwards = divmod(int(np.argmin(gaps)), 2)
        line = left.pop(k)
        ring = np.concatenate([ring, line[::-1] if backwards else line])
    return ring


def _chain(points: Array) -> list[Array]:
    """Half of the hull: the points in order, without those that would turn it to the right."""
    kept: list[Array] = []
    for point in points:
        while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0.0:
            kept.pop()
        kept.append(point)
    return kept


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
