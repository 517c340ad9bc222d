"""The benchmark's peers do the same work, and a missing one is a word in a table. No test looks at a time."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("benchmarks", reason="runs from the repository, where benchmarks/ lies beside tests/")

from benchmarks import foundation, scaling, slider, tables
from benchmarks.harness import Entry, Row, ask, run
from benchmarks.work import QUADRATURES, Answer, Ball, Foundation, KneeRun, Scaling, Slider, Times
from condyle.contact.law_declarations import DampedLawSpec
from reference import impact
from reference.knee import solve
from reference.knee_tables import Knee

BALL = Ball(mass=1.0, inertia=1e-3, radius=0.05, gap=0.25, stiffness=1e6, duration=0.6, repeats=1)


SLIDER = Slider(duration=0.02, repeats=0)
SLIDER_IMPLICIT = {**asdict(Slider(duration=0.02, step=1e-3, repeats=0)), "form": "implicit"}


def row(answer: Answer, steps: int) -> Row:
    return Row(answer, answer.times, steps)


def assert_bounces(answer: Answer, within: float) -> None:
    """The gap follows the exact parabolas before and after the first contact."""
    assert not answer.absent, answer.absent
    bounces = impact.bouncing_ball(BALL.gap, BALL.duration, BALL.mass, BALL.stiffness)
    air = [k for k in range(601) if not bounces[0].begin <= k * 1e-3 <= bounces[0].end]
    assert len(answer.samples) == 601
    assert min(answer.samples) < -0.005
    for k in air:
        assert answer.samples[k] == pytest.approx(
            impact.gap_in_flight(BALL.gap, bounces, k * 1e-3), abs=within
        )


@pytest.mark.parametrize("formulas", ["planar", "bare"])
def test_the_hand_written_balls_bounce(formulas: str) -> None:
    assert_bounces(ask(Entry("ball_floor", {**asdict(BALL), "formulas": formulas}, BALL.steps)), within=1e-7)


@pytest.mark.parametrize("body", ["plane-body", "mass-point", "plane-point", "spring"])
def test_exudyn_balls_bounce(body: str) -> None:
    answer = ask(Entry("ball_exudyn", {**asdict(BALL), "body": body}, BALL.steps))
    if "not installed" in answer.absent:
        pytest.skip(answer.absent)
    assert_bounces(answer, within=1e-5)  # it switches a contact on and off for whole steps


def test_the_hand_written_knee_moves_like_the_reference() -> None:
    import numpy as np

    answer = ask(Entry("knee_floor", asdict(KneeRun(repeats=1)), KneeRun().steps))
    reference = solve(Knee(), np.linspace(0.0, 0.5, 501), tolerance=1e-10)
    assert np.abs(reference.flexion - np.array(answer.samples)).max() < 1e-6


def asked(module: str, task: dict[str, Any]) -> Answer:
    """What a peer answers; skips where Exudyn is wanted and is not there."""
    answer = ask(Entry(module, task, SLIDER.steps))
    if "not installed" in answer.absent:
        pytest.skip(answer.absent)
    assert not answer.absent, answer.absent
    return answer


def furthest(one: Answer, other: Answer) -> float:
    """Largest difference of the slider's place and of the rod's middle [m]."""
    assert len(one.samples) == len(one.more["y_mid"]) == 21
    return max(slider.apart(row(one, 1), row(other, 1), curve) for curve in ("", "y_mid"))


@pytest.mark.compiled
def test_condyle_and_the_hand_written_loop_solve_the_same_slider_crank_on_springs() -> None:
    task = asdict(SLIDER)
    floor = asked("slider_floor", task)
    assert furthest(asked("slider_condyle", {**task, "form": "penalty"}), floor) < 1e-11
    assert floor.more["y_mid"][-1] < -1e-5  # gravity has begun to bend it


@pytest.mark.parametrize("points", QUADRATURES[:3])
def test_exudyn_and_the_hand_written_loop_solve_the_same_slider_crank_on_springs(points: str) -> None:
    task = {**asdict(SLIDER), "penalty": {"quadrature": points}}
    exudyn = asked("slider_speed_exudyn", {**task, "form": "penalty"})
    assert furthest(exudyn, asked("slider_floor", task)) < 1e-11


@pytest.mark.compiled
def test_condyle_and_exudyn_take_the_same_implicit_steps() -> None:
    one, other = (asked(name, SLIDER_IMPLICIT) for name in ("slider_condyle", "slider_speed_exudyn"))
    assert furthest(one, other) < 1e-6


@pytest.mark.compiled
@pytest.mark.parametrize("variant", slider.VARIANTS)
def test_condyle_and_exudyn_move_the_same_slider_crank_with_joints(variant: str) -> None:
    task = {**asdict(SLIDER), "variant": variant}
    condyle, exudyn = asked("slider_condyle", {**task, "form": "constraints"}), asked("slider_exudyn", task)
    assert furthest(condyle, exudyn) < 1e-6
    assert condyle.more["peak"][0] == exudyn.more["peak"][0] == 0.0


def test_the_slider_crank_of_the_peers_is_that_of_condyles_file() -> None:
    import condyle

    case, model = Slider(), condyle.load("slider-crank").model
    bodies, rod, law = model.bodies, model.beams["rod"], model.contacts["impact"].law
    section = rod.section
    assert section is not None
    assert (bodies["crank"].mass, bodies["slider"].mass) == (case.crank_mass, case.slider_mass)
    assert bodies["crank"].inertia == pytest.approx(case.crank_mass * case.crank_length**2 / 12)
    assert rod.elements == case.elements
    assert case.start_pin == pytest.approx(bodies["slider"].position[0] - 0.05, abs=1e-15)
    assert case.start_speed == pytest.approx(bodies["slider"].velocity[0], abs=1e-15)
    assert isinstance(law, DampedLawSpec)
    assert (law.stiffness, law.restitution) == (case.stiffness, case.restitution)


def test_the_tables_of_the_slider_crank_tell_what_is_absent() -> None:
    there: dict[str, tuple[float, ...]] = {"y_mid": (0.0, 0.2), "peak": (50.0, 1.0)}
    times = Times((1.0,), (1.0,))
    one = row(Answer("one", "condyle 1", times, (0.0, 0.1), more=there), 100)
    two = row(Answer("two", "exudyn 1", times, (0.0, 0.10001), more={**there, "peak": (51.0, 1.0)}), 50)
    none = row(Answer("none", absent="why"), 1)
    groups = {"slider penalty": [one, two, none], "slider implicit": [one, two, none]}
    exact = row(Answer("exact", "", times, (0.0, 0.0, 0.1), more={"y_mid": (0.0, 0.1, 0.3)}), 100)
    fine = {"condyle": exact, "exudyn": exact}
    found = {
        name: met
        for name, _, _, met in slider.bars({**groups, "slider variants": [one, two, one, none]}, fine)
    }
    assert found["slider, times two"]
    assert found["slider implicit, error over Exudyn's"]
    assert not found["two, peak differs [%]"]
    assert found["two, slider differs [mm]"]
    assert len(found) == 6
    assert slider.bars({name: [none, two] for name in groups}, fine) == []
    shown = tables.console()
    shown.print(slider.implicit_table([one, two, none], fine))
    shown.print(slider.variants_table([one, two, one, none]))


@pytest.mark.compiled
def test_steps_of_beams_are_timed_and_drawn(tmp_path: Path) -> None:
    case = Scaling(elements=(8, 32), steps=250, repeats=1)
    answer = scaling.measured(case)
    assert not answer.absent, answer.absent
    assert set(answer.more) == set(case.forms)
    assert all(len(times) == 2 and min(times) > 0.0 for times in answer.more.values())
    tables.console().print(scaling.scaling_table(case, answer))
    pytest.importorskip("matplotlib")
    assert "plot in" in scaling.draw(case, answer, tmp_path / "deep" / "plot.png")
    assert (tmp_path / "deep" / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_the_exponent_of_growth_is_that_of_a_power() -> None:
    case = Scaling(forms=("explicit", "implicit"))
    times = {
        "explicit": tuple(2e-6 * n for n in case.elements),
        "implicit": tuple(n**1.5 for n in case.elements),
    }
    answer = Answer("grown", more=times)
    assert scaling.exponent(case, answer, "explicit") == pytest.approx(1.0, abs=1e-12)
    assert [met for *_, met in scaling.bars(case, answer)] == [True, False]
    none = Answer("none", absent="why")
    assert scaling.bars(case, none) == []
    tables.console().print(scaling.scaling_table(case, none))
    assert "no plot" in scaling.draw(case, none, Path("never.png"))


@pytest.mark.compiled
def test_condyle_and_opensim_press_the_same_sphere_into_the_same_block() -> None:
    entries = foundation.entries(Foundation(passes=1, repeats=1))
    rows = [row(ask(entry), entry.steps) for entry in entries]
    assert not any(one.answer.absent for one in rows[:-1])
    assert foundation.error(rows[0]) < 0.002
    shown = tables.console()
    shown.print(foundation.table("foundation", rows))
    asked = foundation.bars(rows, [])
    if "not installed" in rows[-1].answer.absent:
        assert len(asked) == 1
        pytest.skip(rows[-1].answer.absent)
    assert foundation.error(rows[-1]) < 0.1
    assert len(asked) == 3


@pytest.mark.compiled
def test_growth_of_the_foundation_is_told() -> None:
    entry = foundation.growth_entries(quick=True)[0]
    rows = [row(ask(entry), entry.steps), row(Answer("none", absent="why"), 1)]
    assert rows[0].answer.more["faces"][0] > 1000 > rows[0].answer.more["touching"][0] > 100
    tables.console().print(foundation.growth_table(rows))
    (memory,) = foundation.bars([], rows)
    assert memory[1] == rows[0].answer.more["memory"][0]


def test_a_peer_that_breaks_is_absent_and_the_rest_goes_on(tmp_path: Path) -> None:
    entries = [
        Entry("ball_floor", {**asdict(BALL), "formulas": "bare"}, BALL.steps),
        Entry("ball_floor", {"formulas": "bare"}, BALL.steps),
        Entry("no_such_peer", {}, 1),
    ]
    rows = run(entries, rounds=2)
    assert [bool(given.answer.absent) for given in rows] == [False, True, True]
    assert len(rows[0].times.wall) == len(rows[0].times.processor) == 2 * BALL.repeats
    assert "missing" in rows[1].answer.absent

    written = tmp_path / "deep" / "out.json"
    tables.write(written, tables.as_json({"ball": rows}, []))
    found = json.loads(written.read_text(encoding="utf-8"))["runs"]["ball"]
    assert [entry["condyle_ratio"] for entry in found] == [1.0, None, None]
    tables.console().print(tables.rows_table("ball", rows, "m"))


def test_ratios_and_differences() -> None:
    one = row(Answer("one", times=Times((3.0, 4.0, 8.0), (1.0, 2.0, 9.0)), samples=(0.0, 1.0)), 100)
    two = row(Answer("two", times=Times((5.0,), (4.0,)), samples=(0.0, 1.5)), 100)
    assert one.rate == 50.0
    assert (one.wall, one.best) == (4.0, 3.0)
    assert one.spread == 4.0
    assert one.apart(two) == 0.5
    assert math.isnan(row(Answer("none", absent="why"), 1).rate)
