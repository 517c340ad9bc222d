"""Courses of loads over time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle._jit import plain
from condyle.laws.course.constant import constant
from condyle.laws.course.decaying_sine import decaying_sine
from condyle.laws.course.tabulated import tabulated

pulse, table = plain(decaying_sine), plain(tabulated)


def test_constant_is_constant() -> None:
    assert [plain(constant)(7.5, t) for t in (-1.0, 0.0, 1e9)] == [7.5, 7.5, 7.5]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.5, 0.8, 1.0, 1.5])
def test_pulse_as_printed_and_not_cut_off(share: float) -> None:
    expected = 50.0 * math.exp(-4.73 * share**2) * math.sin(math.pi * share)
    assert pulse(50.0, 0.05, 4.73, 0.05 * share) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    if share == 1.5:
        assert expected < -1e-4


def test_pulse_peaks_early_and_dies_out() -> None:
    times = np.linspace(0.0, 0.5, 5001)
    forces = np.array([pulse(50.0, 0.05, 4.73, t) for t in times])
    assert 0.2 < times[forces.argmax()] / 0.05 < 0.3
    assert 25.0 < forces.max() < 50.0
    assert abs(forces[-1]) < 1e-100


TIMES = np.array([0.0, 0.1, 0.1, 0.4, 1.0])
VALUES = np.array([1.0, 2.0, -1.0, 0.5, 0.0])


@pytest.mark.parametrize(
    ("time", "value"),
    [
        (-5.0, 1.0),
        (0.0, 1.0),
        (0.05, 1.5),
        (0.1, -1.0),
        (0.25, -0.25),
        (0.4, 0.5),
        (0.7, 0.25),
        (1.0, 0.0),
        (9.0, 0.0),
    ],
)
def test_table_is_straight_between_rows_and_held_at_the_ends(time: float, value: float) -> None:
    assert table(TIMES, VALUES, time) == pytest.approx(value, abs=1e-15)


@given(
    rows=st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=1, max_size=9),
    time=st.floats(-2e3, 2e3),
)
def test_table_against_numpy(rows: list[tuple[float, float]], time: float) -> None:
    times = np.unique([t for t, _ in rows])
    # Rows closer than this make a slope that overflows in one of the two ways of writing the line.
    times = times[np.concatenate(([True], np.diff(times) > 1e-6))]
    values = np.array([v for _, v in rows])[: times.size]
    assert table(times, values, time) == pytest.approx(
        float(np.interp(time, times, values)), rel=1e-9, abs=1e-9
    )
    assert values.min() - 1e-9 <= table(times, values, time) <= values.max() + 1e-9


def test_single_row_is_a_constant() -> None:
    assert [table(np.array([2.0]), np.array([3.0]), t) for t in (0.0, 2.0, 5.0)] == [3.0, 3.0, 3.0]


def test_long_table_is_searched_in_few_looks() -> None:
    class Counting(np.ndarray[tuple[int], np.dtype[np.float64]]):
        looks = 0

        def __getitem__(self, key: Any) -> Any:
            Counting.looks += 1
            return super().__getitem__(key)

    times = np.arange(100_000, dtype=np.float64).view(Counting)
    assert table(times, 2.0 * np.arange(100_000.0), 77_777.25) == pytest.approx(2.0 * 77_777.25, rel=1e-14)
    assert Counting.looks < 40
