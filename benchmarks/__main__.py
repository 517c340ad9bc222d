"""`python -m benchmarks`: run the peers, print ratios, write JSON. See README.md in this folder."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from benchmarks import foundation, scaling, slider, tables
from benchmarks.harness import Entry, Row, run
from benchmarks.start import Wait, waits
from benchmarks.work import Ball, Foundation, KneeRun, Scaling, Slider

GROUPS = ["ball", "knee", "slider", "scaling", "foundation", "start"]
EXUDYN_BODIES = ("mass-point", "plane-point", "plane-body", "spring")


def shared_ball(quick: bool) -> Ball:
    """The ball of Condyle's model file `bouncing-ball`; the peers get its numbers."""
    import condyle

    model = condyle.load("bouncing-ball").model
    height, mass, inertia = next(
        (body.position[1], body.mass, body.inertia)
        for body in model.bodies.values()
        if body.mass is not None and isinstance(body.inertia, float)
    )
    circle = next(profile.outline.circle for profile in model.profiles.values() if profile.outline.circle)
    return Ball(
        mass=mass,
        inertia=inertia,
        radius=circle.radius,
        gap=height - circle.radius,
        stiffness=1e6,
        gravity=-model.gravity[1],
        duration=1.0 if quick else 5.0,
        contact=next(iter(model.contacts)),
    )


def ball_entries(ball: Ball) -> list[Entry]:
    """Condyle first: it is the measure of the table."""
    task = asdict(ball)
    floors = [Entry("ball_floor", {**task, "formulas": name}, ball.steps) for name in ("planar", "bare")]
    exudyn = [Entry("ball_exudyn", {**task, "body": name}, ball.steps) for name in EXUDYN_BODIES]
    return [Entry("ball_condyle", task, ball.steps), *exudyn, *floors]


def knee_entries() -> list[Entry]:
    """The knee with spline profiles (the bar), with exact ones, and by hand."""
    runs = [KneeRun(profile=name) for name in ("shape-preserving", "two splines", "exact")]
    entries = [Entry("knee_condyle", asdict(knee), knee.steps) for knee in runs]
    return [*entries, Entry("knee_floor", asdict(KneeRun()), KneeRun().steps)]


def bars(groups: dict[str, list[Row]]) -> list[tuple[str, float, str, bool]]:
    """What the project asks of the speeds: what, measured, asked, met; without the absent rows."""
    found: list[tuple[str, float, str, bool]] = []
    ball, knee = groups.get("ball", []), groups.get("knee", [])
    for row in ball[1:]:
        if row.answer.absent or ball[0].answer.absent:
            continue
        ratio = ball[0].rate / row.rate
        if "triangle" in row.answer.peer:
            found.append((f"ball, times {row.answer.peer}", ratio, ">= 3, aim 10", ratio >= 3))
        if "planar formulas" in row.answer.peer:
            found.append((f"ball, {row.answer.peer} is faster by", 1 / ratio, "aim <= 5", ratio >= 0.2))
    splines = [row for row in knee if "Condyle" in row.answer.peer and "exact" not in row.answer.peer]
    found += [
        (f"{row.answer.peer} [s]", row.typical, "<= 0.3, aim 0.2", row.typical <= 0.3) for row in splines
    ]
    return found


def run_slider(groups: dict[str, list[Row]], rounds: int, quick: bool, shown: Console) -> dict[str, Row]:
    """Run and print the three tables of the slider-crank; returns the converged runs that errors are taken from."""
    case = Slider(duration=1.25 if quick else 5.0)
    groups["slider penalty"] = run(slider.penalty_entries(case), rounds)
    title = "Slider-crank, flexible rod, springs for joints, RK4 at 1e-5 s"
    shown.print(tables.rows_table(title, groups["slider penalty"], "m"))
    long = Slider(step=1e-3, output_step=1e-2, repeats=7)
    fine = slider.converged(long)
    groups["slider implicit"] = run(slider.implicit_entries(long), rounds)
    shown.print(slider.implicit_table(groups["slider implicit"], fine))
    groups["slider variants"] = run(slider.variant_entries(case), 1)
    shown.print(slider.variants_table(groups["slider variants"]))
    return fine


def run_foundation(
    groups: dict[str, list[Row]], rounds: int, quick: bool, shown: Console, plot: Path
) -> list[foundation.Bar]:
    """Run and print the two tables of the elastic foundation; returns what is asked of it."""
    groups["foundation"] = run(foundation.entries(Foundation()), rounds)
    title = "Elastic foundation, a sphere of 5120 faces on a block of 3072"
    shown.print(foundation.table(title, groups["foundation"]))
    growth = run(foundation.growth_entries(quick), 1)
    groups["foundation growth"] = growth
    shown.print(foundation.growth_table(growth))
    shown.print(foundation.draw_growth(growth, plot))
    return foundation.bars(groups["foundation"], growth)


def main() -> None:
    """Parse, run, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", choices=GROUPS, action="append", help="leave out the rest")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each peer (default 3)")
    parser.add_argument("--quick", action="store_true", help="one process of each, a shorter ball run")
    parser.add_argument("--out", type=Path, default=Path("build/benchmarks.json"), help="where the JSON goes")
    given = parser.parse_args()
    wanted = given.only or GROUPS
    rounds = 1 if given.quick else given.rounds

    shown, groups, found = tables.console(), dict[str, list[Row]](), list[Wait]()
    if "ball" in wanted:
        groups["ball"] = run(ball_entries(shared_ball(given.quick)), rounds)
        shown.print(tables.rows_table("Bouncing ball, Hertz, RK4 at 1e-5 s", groups["ball"], "m"))
    if "knee" in wanted:
        groups["knee"] = run(knee_entries(), rounds)
        shown.print(tables.rows_table("Planar knee, 0.5 s at 1e-5 s", groups["knee"], "deg"))
    fine: dict[str, Row] = {}
    if "slider" in wanted:
        fine = run_slider(groups, rounds, given.quick, shown)
    asked = [*bars(groups), *slider.bars(groups, fine)]
    grown: dict[str, tuple[float, ...]] = {}
    if "scaling" in wanted:
        case = Scaling(repeats=rounds)
        answer = scaling.measured(case)
        grown = answer.more
        shown.print(scaling.scaling_table(case, answer))
        shown.print(scaling.draw(case, answer, given.out.with_name("scaling.png")))
        asked += scaling.bars(case, answer)
    if "foundation" in wanted:
        asked += run_foundation(groups, rounds, given.quick, shown, given.out.with_name("foundation.png"))
    if "start" in wanted:
        found = waits(rounds)
        shown.print(tables.waits_table(found))
    if asked:
        shown.print(tables.bars_table(asked))
    tables.write(given.out, {**tables.as_json(groups, found), "seconds_per_step": grown})
    shown.print(f"written to {given.out}")


if __name__ == "__main__":
    main()
