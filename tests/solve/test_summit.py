"""The summit of a function that is known at a few places."""

from __future__ import annotations

import math

import pytest

from condyle.solve.summit import LOOKS, climb, expected_summit


def test_the_summit_of_a_parabola_is_expected_where_it_is() -> None:
    places = [0.0, 0.3, 1.0, 1.4]
    assert expected_summit(places, [2.0 - (x - 0.55) ** 2 for x in places]) == pytest.approx(0.55)
    assert expected_summit(places, [2.0 - (x + 0.1) ** 2 for x in places]) == pytest.approx(-0.1)


@pytest.mark.parametrize("values", [[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [3.0, 3.0, 3.0]])
def test_a_line_or_a_valley_has_none(values: list[float]) -> None:
    assert expected_summit([0.0, 1.0, 2.0], values) is None


@pytest.mark.parametrize("start", [0.2, 0.6, 1.0, 1.02, 1.3, 1.5])
@pytest.mark.parametrize("spacing", [0.02, 0.1, 0.3, 0.5])
def test_the_summit_of_a_wave(start: float, spacing: float) -> None:
    """It is reached in few looks wherever the places lie; where the wave only rises or falls, the higher end is it."""
    looks = []

    def wave(x: float) -> float:
        looks.append(x)
        return math.sin(x) * math.exp(-0.3 * x)

    places = [start + k * spacing for k in range(5)]
    summit = min(max(math.atan(1.0 / 0.3), places[0]), places[-1])
    expected = wave(summit)
    values = [wave(x) for x in places]
    looks.clear()
    assert climb(wave, places, values) == pytest.approx(expected, rel=1e-8)
    assert len(looks) <= LOOKS
    assert all(places[0] <= x <= places[-1] for x in looks)


def test_a_kink_is_approached() -> None:
    found = climb(lambda x: 1.0 - abs(x - 0.4), [0.0, 0.5, 1.0], [0.6, 0.9, 0.4])
    assert 0.9 < found <= 1.0
