"""Thinned time series keep what an eye would miss."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.view.columns import SAMPLE_LIMIT, Columns, kept_samples, labels
from view.synthetic import knee_results


def test_short_runs_keep_every_sample() -> None:
    assert kept_samples([np.arange(1500.0)], 1500).tolist() == list(range(1500))


def test_a_single_peak_in_a_million_samples_is_kept_with_both_ends() -> None:
    time = np.linspace(0.0, 1.0, 1_000_000)
    spike = np.zeros_like(time)
    spike[123_457] = 5.0
    kept = kept_samples([time, np.sin(time), spike], SAMPLE_LIMIT)
    assert {0, 123_457, 999_999} <= set(kept)
    assert len(kept) <= SAMPLE_LIMIT
    assert np.all(np.diff(kept) > 0)


def test_peaks_of_two_series_close_by_are_both_kept() -> None:
    first, second = np.zeros(100_000), np.zeros(100_000)
    first[50_010], second[50_012] = 1.0, -3.0
    assert {50_010, 50_012} <= set(kept_samples([np.arange(100_000.0), first, second], SAMPLE_LIMIT))


def test_lesser_peaks_are_kept_too() -> None:
    time = np.arange(20_000)
    bumps = np.zeros(20_000)
    tops = np.arange(500, 20_000, 1000) + 3
    bumps[tops] = np.linspace(1.0, 2.0, len(tops))
    kept = kept_samples([time.astype(float), bumps], SAMPLE_LIMIT)
    assert set(tops) <= set(kept)


def test_gaps_and_constants_do_not_disturb() -> None:
    gappy = np.where(np.arange(5000) % 7 == 0, np.nan, 1.0)
    kept = kept_samples([np.arange(5000.0), gappy, np.full(5000, np.nan)], 300)
    assert len(kept) <= 300
    assert kept[0] == 0
    assert kept[-1] == 4999


def test_columns_are_found_by_variable_and_labels() -> None:
    dataset = knee_results().dataset
    columns = Columns(dataset)
    number = columns.take("ligament_point", "ACL", "origin", "y")
    assert columns.take("ligament_point", "ACL", "origin", "y") == number
    expected = dataset["ligament_point"].sel(ligament="ACL", end="origin", axis="y").values
    np.testing.assert_array_equal(columns.thinned()[number], expected)
    np.testing.assert_array_equal(columns.thinned()[0], dataset["time"].values)
    assert ("ligament_point", "ACL", "origin", "w") not in columns
    with pytest.raises(KeyError):
        columns.take("ligament_point", "XCL")


def test_only_what_is_taken_travels() -> None:
    columns = Columns(knee_results().dataset)
    columns.take("angle", "tibia")
    assert len(columns.thinned()) == 2
    assert labels(knee_results().dataset, "nothing") == []
