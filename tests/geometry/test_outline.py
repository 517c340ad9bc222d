"""Points of outlines: sampling, checks, crossings, sides."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle.geometry import crossing
from condyle.geometry.crossing import first_crossing
from condyle.geometry.outline import (
    ArcPiece,
    LinePiece,
    OutlineError,
    checked_points,
    circle_points,
    covers_turn,
    line_points,
    outward_side,
    path_points,
    signed_area,
)
from geometry.piecewise_measures import Array

STADIUM: list[LinePiece | ArcPiece] = [
    LinePiece((0.03, -0.01)),
    ArcPiece((0.03, 0.0), (0.03, 0.01)),
    LinePiece((0.0, 0.01)),
    ArcPiece((0.0, 0.0), (0.0, -0.01)),
]


def spacing(points: Array, closed: bool) -> Array:
    following = np.roll(points, -1, axis=0) if closed else points[1:]
    gap: Array = np.hypot(*(following - points[: len(following)]).T)
    return gap


def test_circle_and_line() -> None:
    circle = circle_points(0.04, (0.01, 0.02), 60)
    assert circle.shape == (60, 2)
    assert np.hypot(*(circle - [0.01, 0.02]).T) == pytest.approx(0.04, rel=1e-14)
    assert signed_area(circle) == pytest.approx(0.5 * 60 * 0.04**2 * math.sin(2.0 * math.pi / 60), rel=1e-12)
    assert spacing(circle, True) == pytest.approx(2.0 * 0.04 * math.sin(math.pi / 60), rel=1e-12)
    line = line_points((0.2, -0.04), (0.2, 0.04), 5)
    assert line[[0, -1]].tolist() == [[0.2, -0.04], [0.2, 0.04]]
    assert line[1:-1] == pytest.approx(np.array([[0.2, -0.02], [0.2, 0.0], [0.2, 0.02]]), abs=1e-16)


def test_path_keeps_the_ends_of_its_pieces_and_spaces_evenly_by_arc_length() -> None:
    points, closed = path_points((0.0, -0.01), STADIUM, 60)
    assert closed
    assert len(points) == 60
    for end in [(0.0, -0.01), *(piece.to for piece in STADIUM[:-1])]:
        assert np.min(np.hypot(*(points - end).T)) < 1e-17
    # The arcs are 10 pi mm, the lines 30 mm: 15 intervals each.
    arc = 2.0 * 0.01 * math.sin(math.pi / 30.0)
    assert spacing(points, True) == pytest.approx(
        [0.002] * 15 + [arc] * 15 + [0.002] * 15 + [arc] * 15, rel=1e-12
    )
    right = points[:, 0] > 0.03 + 1e-12
    assert np.hypot(points[right, 0] - 0.03, points[right, 1]) == pytest.approx(0.01, rel=1e-12)
    checked_points(points, closed)


def test_open_path_with_a_corner_and_a_clockwise_arc() -> None:
    pieces: list[LinePiece | ArcPiece] = [
        LinePiece((1.0, 0.0)),
        ArcPiece((1.0, -1.0), (2.0, -1.0), clockwise=True),
        LinePiece((2.0, -4.0)),
    ]
    points, closed = path_points((0.0, 0.0), pieces, 12)
    assert not closed
    assert len(points) == 12
    assert points[0].tolist() == [0.0, 0.0]
    assert points[-1].tolist() == [2.0, -4.0]
    lengths = np.array([1.0, math.pi / 2.0, 3.0])
    counts = [2, 3, 6]
    assert spacing(points, False)[[0, 5]] == pytest.approx(lengths[[0, 2]] / np.array(counts)[[0, 2]])
    assert np.all(np.hypot(*(points[3:5] - [1.0, -1.0]).T) == pytest.approx(1.0, rel=1e-14))
    assert np.all(points[3:5, 1] > -1.0)


@pytest.mark.parametrize("clockwise", [False, True])
def test_an_arc_back_to_its_beginning_is_a_full_circle(clockwise: bool) -> None:
    points, closed = path_points((0.02, 0.0), [ArcPiece((0.0, 0.0), (0.02, 0.0), clockwise)], 8)
    assert closed
    assert signed_area(points) == pytest.approx(
        (-1.0 if clockwise else 1.0) * 4.0 * 0.02**2 * math.sqrt(0.5), rel=1e-12
    )


@given(lengths=st.lists(st.floats(0.01, 1.0), min_size=1, max_size=8), extra=st.integers(1, 60))
def test_any_number_of_samples_is_shared_out_as_evenly_as_whole_numbers_allow(
    lengths: list[float], extra: int
) -> None:
    ends = np.cumsum(lengths)
    samples = len(lengths) + extra
    points, _ = path_points((0.0, 0.0), [LinePiece((float(x), 0.0)) for x in ends], samples)
    assert len(points) == samples
    counts = np.diff(np.searchsorted(points[:, 0], np.concatenate([[0.0], ends]) - 1e-12))
    assert (counts >= 1).all()
    assert counts.sum() == samples - 1
    # No interval can be moved from one piece to another and lessen the longest gap.
    gaps = np.array(lengths) / counts
    spare = [length / (count - 1) for length, count in zip(lengths, counts, strict=True) if count > 1]
    assert min(spare, default=math.inf) >= gaps.max() * (1.0 - 1e-12)


@pytest.mark.parametrize(
    ("start", "pieces", "samples", "message"),
    [
        ((0.0, 0.0), [], 10, "at least one line or arc"),
        ((0.0, 0.0), [LinePiece((0.0, 0.0))], 10, r"path\[0\] ends where it begins"),
        (
            (0.0, 0.0),
            [LinePiece((1.0, 0.0)), ArcPiece((1.0, 1.0), (2.0, 2.0))],
            10,
            r"path\[1\] is no arc: .* 1 m .* 1.41421 m",
        ),
        ((0.0, 0.0), [LinePiece((1.0, 0.0)), LinePiece((1.0, 1.0))], 2, "needs 3 to 100000 samples, got 2"),
        ((0.0, 0.0), [LinePiece((1.0, 0.0))], 10**9, "needs 2 to 100000 samples"),
        ((0.0, 0.0), [LinePiece((math.nan, 0.0))], 10, "ends where it begins"),
    ],
)
def test_paths_that_are_none(
    start: tuple[float, float], pieces: list[LinePiece | ArcPiece], samples: int, message: str
) -> None:
    with pytest.raises(OutlineError, match=message):
        path_points(start, pieces, samples)


def test_arcs_typed_with_a_few_digits_end_where_they_are_said_to() -> None:
    points, _ = path_points((0.0100, 0.0), [ArcPiece((0.0, 0.0), (0.00707, 0.00707))], 9)
    assert points[-1].tolist() == [0.00707, 0.00707]
    assert np.all(np.diff(np.hypot(*points.T)) < 0.0)
    assert np.ptp(np.diff(np.hypot(*points.T))) < 1e-12


@pytest.mark.parametrize(
    ("points", "closed", "message", "index"),
    [
        ([[0.0, 0.0]], False, "an open outline needs at least 2 different points, got 1", None),
        ([[0.0, 0.0], [1.0, 0.0]], True, "a closed outline needs at least 3 different points, got 2", None),
        ([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]], True, "at least 3 different points, got 2", None),
        ([[0.0, 0.0], [1.0, math.nan], [0.0, 1.0]], True, r"points\[1\] is not finite", 1),
        ([[0.0, 0.0], [1e300, 0.0]], False, r"points\[1\] is more than 1e\+09 m away", 1),
        ([[0.0, 0.0], [1e-300, 0.0]], False, "smaller than 1e-09 m", None),
        (
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1e-12], [0.0, 1.0]],
            True,
            r"points\[1\] and points\[2\] are the same point",
            1,
        ),
        ([[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [0.0, 1.0]], False, r"turns back on itself at points\[1\]", 1),
        ([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], True, "turns back on itself", 0),
        (
            [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]],
            False,
            r"points\[0\]-points\[1\] .* points\[2\]-points\[3\]",
            0,
        ),
        ([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], False, r"shape \(2, 3\)", None),
        ([[1.0, "a"], [1.0, 2.0]], False, "pairs of numbers", None),
        ([[1.0], [1.0, 2.0]], False, "pairs of numbers", None),
        ([], False, "got an array of shape", None),
    ],
)
def test_points_that_are_no_outline(
    points: list[list[float]], closed: bool, message: str, index: int | None
) -> None:
    with pytest.raises(OutlineError, match=message) as caught:
        checked_points(points, closed)
    assert caught.value.index == index


def test_too_many_points_are_refused_before_anything_is_done_with_them() -> None:
    with pytest.raises(OutlineError, match="100000 points at most, got 100001"):
        checked_points(np.zeros((100_001, 2)), closed=True)


def test_a_repeated_first_point_is_dropped() -> None:
    square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    assert checked_points([*square, square[0]], closed=True).tolist() == square
    assert len(checked_points([*square[:3], [0.5, 1.0]], closed=False)) == 4


def meets(a: Array, b: Array, c: Array, d: Array) -> bool:
    """Whether the closed segments ab and cd on a lattice share a point: exact in integers, by the textbook's cases."""

    def turn(p: Array, q: Array, r: Array) -> int:
        return int(np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])))

    def between(p: Array, q: Array, r: Array) -> bool:
        return bool((np.minimum(p, q) <= r).all() and (r <= np.maximum(p, q)).all())

    if turn(a, b, c) != turn(a, b, d) and turn(c, d, a) != turn(c, d, b):
        return True
    ends = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(turn(p, q, r) == 0 and between(p, q, r) for p, q, r in ends)


def crossings_of_all_pairs(points: Array, closed: bool) -> set[tuple[int, int]]:
    count = len(points) if closed else len(points) - 1
    return {
        (i, j)
        for i, j in itertools.combinations(range(count), 2)
        if j - i > 1
        and not (closed and i == 0 and j == count - 1)
        and meets(points[i], points[(i + 1) % len(points)], points[j], points[(j + 1) % len(points)])
    }


@given(
    steps=st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any), min_size=2, max_size=14),
    closed=st.booleans(),
)
def test_crossings_against_all_pairs(steps: list[tuple[int, int]], closed: bool) -> None:
    points = np.cumsum(np.array([(0, 0), *steps]), axis=0)
    if closed and not (points[-1] - points[0]).any():
        points = points[:-1]
    expected = crossings_of_all_pairs(points, closed)
    found = first_crossing(points.astype(float), closed)
    assert found in expected if expected else found is None


@pytest.mark.parametrize("closed", [False, True])
def test_one_crossing_among_thousands_of_segments_is_found(
    closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crossing, "CHUNK", 64)
    angle = np.linspace(0.0, 2.0 * np.pi, 3000, endpoint=False)
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert first_crossing(points, closed) is None
    points[[700, 701]] = points[[701, 700]]
    assert first_crossing(points, closed) == (699, 701)


def test_long_outlines_are_checked_without_comparing_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    tested = 0
    exact = crossing._crossing_pairs

    def counted(starts: Array, ends: Array, pairs: crossing.Pairs, closed: bool) -> crossing.Pairs:
        nonlocal tested
        tested += len(pairs)
        return exact(starts, ends, pairs, closed)

    monkeypatch.setattr(crossing, "_crossing_pairs", counted)
    angle = np.linspace(4.0, 80.0 * np.pi, 50_000)
    spiral = np.stack([angle * np.cos(angle), angle * np.sin(angle)], axis=1)
    assert first_crossing(spiral, closed=False) is None
    assert 50_000 < tested < 500_000


@pytest.mark.parametrize("turn", [0.0, 1.0, 2.5, 4.0])
def test_sides_of_closed_outlines(turn: float) -> None:
    angle = turn + np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    points = np.stack([3.0 + np.cos(angle), np.sin(angle)], axis=1)
    assert outward_side(points, closed=True) == 1.0
    assert outward_side(points[::-1], closed=True) == -1.0
    assert outward_side(points, closed=True, hollow=True) == -1.0
    with pytest.raises(OutlineError, match="use hollow: true"):
        outward_side(points, closed=True, direction=(1.0, 0.0))


def test_sides_of_open_outlines() -> None:
    upwards = line_points((0.2, -0.1), (0.2, 0.1), 5)
    assert outward_side(upwards, closed=False) == 1.0
    assert outward_side(upwards[::-1], closed=False) == -1.0
    assert outward_side(upwards, closed=False, direction=(-1.0, 0.3)) == -1.0
    assert outward_side(upwards, closed=False, hollow=True) == -1.0
    # Three quarters of a circle face most ways; the greater part decides.
    angle = np.linspace(0.0, 1.5 * np.pi, 40)
    arc = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert outward_side(arc + np.array([0.5, 0.0]), closed=False) == 1.0
    assert outward_side(arc, closed=False, direction=(-1.0, 1.0)) == 1.0


@pytest.mark.parametrize("direction", [None, (0.0, 1.0), (0.001, -1.0), (0.0, 0.0)])
def test_an_outline_that_faces_no_way_asks_for_a_direction(direction: tuple[float, float] | None) -> None:
    through_origin = [[0.0, -0.1], [0.0, 0.1]]
    with pytest.raises(OutlineError, match=r"give outward: \[x, y\]"):
        outward_side(through_origin, closed=False, direction=direction)


def test_covering_the_turn() -> None:
    full = circle_points(1.0, (0.2, 0.1), 20)
    assert covers_turn(full)
    assert covers_turn(full[::-1])
    assert covers_turn(np.vstack([full, full[:1]]))
    assert covers_turn(circle_points(1.0, samples=3))
    assert not covers_turn(full[:-3])
    assert not covers_turn(circle_points(1.0, (5.0, 0.0), 20))
    assert not covers_turn(full[:2])
    # Three points to one side of the origin, wide apart.
    assert not covers_turn(np.array([[1.0, 0.0], [-0.1, 1.0], [-1.0, 0.1]]))
