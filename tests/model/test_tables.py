"""Tables over time: files of columns, smooth courses, motions and loads that repeat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import condyle
from condyle.model import tables
from condyle.model.spec import Spec, parse
from condyle.model.tables import course_pieces, motion_pieces
from small_models import Section, run

Array = NDArray[np.float64]

FILE = """time, force, angle, lift
0.0, 0.0, 0.0, 0.0
0.2, 1.0, 10.0, 5.0
0.5, 0.5, 30.0, 9.0
0.7, -0.5, 20.0, 3.0
1.0, 0.0, 0.0, 0.0
"""


def sled(folder: Path | None, settings: Section, course: Section | None = None, **sections: Any) -> Spec:
    """A body of 2 kg that slides along x, pushed or driven."""
    forces = (
        {"push": {"body": "sled", "direction": [1, 0], "amplitude": 10.0, "course": course}} if course else {}
    )
    data = {
        "condyle": 1,
        "title": "test",
        "gravity": [0, 0],
        "bodies": {"ground": {"fixed": True}, "sled": {"mass": 2.0, "inertia": 0.1}},
        "measures": {
            "place": {"kind": "coordinate", "of": {"body": "sled"}, "axis": "x"},
            "turn": {"kind": "angle", "from": "ground", "to": "sled"},
        },
        "forces": forces,
        "run": settings,
        **sections,
    }
    return parse(json.dumps(data), folder=folder)


def load_of(spec: Spec) -> tuple[Array, Array]:
    """Instants, and the push."""
    dataset = condyle.simulate(spec).dataset
    return dataset["time"].values, dataset["load"].values[:, 0, 0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gait.csv").write_text(FILE, encoding="utf-8")
    return tmp_path


def column(name: str, **more: Any) -> Section:
    return {"kind": "table", "file": "gait.csv", "column": name, **more}


@pytest.mark.parametrize("smooth", [False, True])
def test_a_column_of_a_file_is_the_table_written_out(folder: Path, smooth: bool) -> None:
    settings = run(1.0, step=1e-3)
    written = {
        "kind": "table",
        "times": [0, 0.2, 0.5, 0.7, 1],
        "values": [0, 1, 0.5, -0.5, 0],
        "smooth": smooth,
    }
    time, one = load_of(sled(folder, settings, column("force", smooth=smooth)))
    _, other = load_of(sled(None, settings, written))
    assert one == pytest.approx(other, abs=1e-14)
    assert one[np.isclose(time, 0.2)] == pytest.approx(10.0)
    assert one.min() == pytest.approx(-5.0)


@pytest.mark.parametrize("smooth", [False, True])
def test_a_load_that_repeats_does_so_every_cycle(folder: Path, smooth: bool) -> None:
    time, push = load_of(sled(folder, run(3.0, step=1e-3), column("force", smooth=smooth, repeat=True)))
    _, once = load_of(sled(folder, run(1.0, step=1e-3, output_step=0.03), column("force", smooth=smooth)))
    assert np.abs(push).max() == pytest.approx(10.0, rel=0.02)
    for cycle in (0, 1, 2):
        at = (time >= cycle) & (time <= cycle + 1)
        expected = np.interp(time[at] - cycle, [0, 0.2, 0.5, 0.7, 1.0], [0, 10, 5, -5, 0])
        if smooth:
            assert push[at].max() <= 10.0 + 1e-12
        else:
            assert push[at] == pytest.approx(expected, abs=1e-11)
    later = np.interp(time[time < 1.99] + 1.0, time, push)
    assert later == pytest.approx(np.interp(time[time < 1.99], time, push), abs=0.5)
    assert np.ptp(once) > 10.0


def values_of(pieces: tuple[Array, Array], at: Array, order: int = 0) -> Array:
    """A piecewise cubic or its derivative."""
    breaks, terms = pieces
    piece = np.clip(np.searchsorted(breaks, at, side="right") - 1, 0, len(breaks) - 1)
    u = at - breaks[piece]
    if order == 0:
        return np.asarray(sum(terms[piece, k] * u**k for k in range(4)))
    return np.asarray(sum(k * terms[piece, k] * u ** (k - 1) for k in range(1, 4)))


@pytest.mark.parametrize("repeat", [False, True])
def test_smooth_courses_have_no_new_extremes_and_no_kinks(repeat: bool) -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        times = np.r_[0.0, np.cumsum(rng.uniform(0.02, 0.2, 12))]
        values = rng.normal(size=13)
        values[-1] = values[0]
        pieces = course_pieces(times, values, repeat)
        assert values_of(pieces, times[:-1]) == pytest.approx(values[:-1], abs=1e-12)
        for k in range(12):
            inside = values_of(pieces, np.linspace(times[k], times[k + 1] - 1e-12, 50))
            low, high = sorted(values[k : k + 2])
            assert inside.min() >= low - 1e-12
            assert inside.max() <= high + 1e-12
        # Slopes on both sides of every instant, those of a cycle's end and beginning among them.
        before, after = (values_of(pieces, times[1:-1] + side, 1) for side in (-1e-9, 1e-9))
        assert before == pytest.approx(after, abs=1e-4)
        ends = values_of(pieces, np.array([times[0] + 1e-9, times[-1] - 1e-9]), 1)
        if repeat:
            assert ends[0] == pytest.approx(ends[1], abs=1e-4)


def test_motions_that_repeat_have_two_derivatives_across_the_cycle() -> None:
    times, values = np.array([0.0, 0.2, 0.5, 0.7, 1.0]), np.array([0.0, 1.0, 3.0, 2.0, 0.0])
    _, terms = motion_pieces(times, values, repeat=True)
    last = 0.3
    slope = terms[-1, 1] + 2 * terms[-1, 2] * last + 3 * terms[-1, 3] * last**2
    bend = 2 * terms[-1, 2] + 6 * terms[-1, 3] * last
    assert [slope, bend] == pytest.approx([terms[0, 1], 2 * terms[0, 2]], abs=1e-12)
    assert abs(slope) > 0.1


@pytest.mark.parametrize(
    ("measure", "name", "unit", "factor"), [("turn", "angle", "deg", 1.0), ("place", "lift", "mm", 1.0)]
)
def test_a_driver_follows_a_file_over_cycles(
    folder: Path, measure: str, name: str, unit: str, factor: float
) -> None:
    driver = {"measure": measure, "motion": column(name, unit=unit, repeat=True)}
    spec = sled(
        folder, run(3.0, analysis="kinematics", output_step=0.1), drivers={"d": driver}, joints=HELD[measure]
    )
    found = condyle.simulate(spec).dataset["measure_value"].sel(measure=measure).values
    peak = {"angle": 30.0, "lift": 9.0}[name]
    for cycle in (0, 1, 2):
        assert found[[10 * cycle + k for k in (0, 2, 5)]] == pytest.approx(
            [0.0, {"angle": 10.0, "lift": 5.0}[name] * factor, peak * factor], abs=1e-9
        )


HELD: dict[str, Section] = {
    "turn": {"pin": {"kind": "revolute", "from": {"body": "ground"}, "to": {"body": "sled"}}},
    "place": {
        "rail": {
            "kind": "translational",
            "from": {"body": "ground"},
            "to": {"body": "sled"},
            "direction": [1, 0],
        }
    },
}


def test_a_load_that_ends_before_the_run_is_told(folder: Path) -> None:
    settings = run(2.0, step=1e-2)
    told = condyle.simulate(sled(folder, settings, column("force"))).audit.notes
    assert any(
        "the table of force 'push' ends at 1 s, before the run does; its last value is held" in note
        for note in told
    )
    silent = condyle.simulate(sled(folder, settings, column("force", repeat=True))).audit.notes
    assert not any("ends at" in note for note in silent)


@pytest.mark.parametrize(
    ("text", "table", "message"),
    [
        (FILE, column("forc"), "forces.push.course.column: no column 'forc' in gait.csv (did you mean 'force'?)"),
        (FILE, column("moment"), "forces.push.course.column: no column 'moment' in gait.csv; there are time, force"),
        (FILE, column("force", time_column="t"), "forces.push.course.time_column: no column 't' in gait.csv"),
        (FILE.replace("0.5, 0.5", "0.5, half"), column("force"), "gait.csv, row 4: expected numbers; got '0.5, half"),
        (FILE.replace("0.5, 0.5", "0.5, nan"), column("force"), "gait.csv, row 4: a number is not finite"),
        (FILE.replace("0.5,", "0.1,"), column("force"), "instants must increase; gait.csv has 0.1 after 0.2 in row 4"),
        (FILE[: FILE.index("\n")], column("force"), "forces.push.course.file: gait.csv has fewer than two rows"),
        ("", column("force"), "forces.push.course.time_column: no column '' in gait.csv"),
        (FILE, {"kind": "table", "file": "gait.csv"}, "push.course.column: missing; name the column of the file"),
        (FILE, {**column("force"), "times": [0, 1], "values": [0, 1]}, "either times and values, or a file"),
        (FILE, {**column("force"), "file": "../gait.csv"}, "forces.push.course.file"),
        (FILE, {**column("force"), "file": "/etc/passwd"}, "forces.push.course.file"),
        (FILE, {**column("force"), "file": "walk.csv"}, "forces.push.course.file"),
    ],
)  # fmt: skip
def test_mistakes_of_files_are_named(tmp_path: Path, text: str, table: Section, message: str) -> None:
    (tmp_path / "gait.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="forces") as caught:
        condyle.simulate(sled(tmp_path, run(1.0, step=1e-2), table))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("motion", "message"),
    [
        (column("angle", unit="deg"), "drivers.d.motion.file: ends at 1 s, before the run does, 2 s"),
        (column("angle", unit="mm"), "drivers.d.motion.unit: measure 'turn' is an angle; got a value in m"),
        (column("angle", unit="cm"), "drivers.d.motion.unit"),
        (
            column("force", repeat=True, file="open.csv"),
            "a motion that repeats ends where it began, at 0; open.csv has 1",
        ),
    ],
)
def test_mistakes_of_motions_from_files_are_named(folder: Path, motion: Section, message: str) -> None:
    (folder / "open.csv").write_text("time,force\n0,0\n0.5,2\n1,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="drivers") as caught:
        condyle.simulate(
            sled(folder, run(2.0, step=1e-2), drivers={"d": {"measure": "turn", "motion": motion}})
        )
    assert message in str(caught.value)


def test_a_smooth_load_does_the_work_that_the_body_has(folder: Path) -> None:
    """The audit closes over three cycles: pieces begin and end where the integrator thinks they do."""
    settings = run(3.0, step=2e-3, integrator="rk4")
    results = condyle.simulate(sled(folder, settings, column("force", smooth=True, repeat=True)))
    assert results.audit.relative_residual < 1e-8
    assert np.abs(results.dataset["velocity"].values).max() > 0.5


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        ("t,force\n0,1e300\n1,-1e300\n", {"smooth": True}, "row 2: a number is larger than 1e+60"),
        ("t,force\n0,1\n1,2\n", {"smooth": True, "repeat": True}, "ends where it began, at 1; got 2"),
        ("t,force\n0,1\n1e-9,1\n", {"repeat": True}, "its cycle takes 1e-09 s, too little for a run of 1 s"),
    ],
)
def test_courses_that_cannot_be_followed_are_refused(
    tmp_path: Path, text: str, more: Section, message: str
) -> None:
    (tmp_path / "gait.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"forces\.push\.course") as caught:
        condyle.simulate(sled(tmp_path, run(1.0, step=1e-2), column("force", **more)))
    assert message in str(caught.value)


def test_a_file_of_too_many_rows_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is no number in its last row is not reached."""
    monkeypatch.setattr(tables, "MOST_ROWS", 3)
    text = "t,force\n" + "".join(f"{k},1\n" for k in range(5)) + "never,read\n"
    (tmp_path / "gait.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="more than 3 rows"):
        condyle.simulate(sled(tmp_path, run(1.0, step=1e-2), column("force")))
