"""Benchmark mechanisms against solutions without multipliers; redundant joints; what keeps joints together."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import xarray as xr

import condyle
from condyle.model.spec import Spec
from condyle.results import Results
from condyle.results.simulation import simulate
from condyle.testing import assert_order
from mechanism_models import (
    GROUND,
    Pair,
    joint,
    many_four_bars_model,
    parallelogram_model,
    simple_pendulum_model,
    squeezer_model,
)
from reference.mechanisms import (
    SQUEEZER,
    Array,
    Plane,
    Rod,
    double_pendulum,
    many_four_bars,
    pendulum,
    simple_pendulum,
    simple_pendulum_period,
    squeezer,
    squeezer_forces,
    squeezer_poses,
)
from reference.shared import shared
from small_models import Section, model, run, tight


def plane(data: xr.DataArray) -> Plane:
    """Vectors of a dataset as complex numbers."""
    return np.asarray(data.sel(axis="x").values + 1j * data.sel(axis="y").values)


def ran(spec: Spec) -> Results:
    """A run whose audit passes."""
    results = simulate(spec)
    assert results.audit.passed
    return results


# --- two bars on pins -------------------------------------------------------------------------------------------

BAR = Rod(1.0, 0.5)


def bars(step: float = 1e-4, duration: float = 2.0, **more: object) -> Results:
    """The library's double pendulum."""
    changes = {"run.step": step, "run.duration": duration, "run.output_step": 0.1}
    return ran(condyle.load("double-pendulum").updated(changes | {f"run.{k}": v for k, v in more.items()}))


@cache
def swung(duration: float = 2.0) -> Array:
    """Angles of the double pendulum, shape (2, n), each 0.1 s."""
    times = np.arange(0.0, duration + 0.05, 0.1)
    return double_pendulum(BAR, BAR, np.zeros(4), times)[:2]


def angles(results: Results) -> Array:
    return np.asarray(results.dataset.angle.sel(body=["upper", "lower"]).values.T)


def test_double_pendulum_against_its_two_angles() -> None:
    results = bars()
    np.testing.assert_allclose(angles(results), swung(), atol=1e-9)
    assert np.ptp(swung()) > 4.0
    assert results.audit.constraint_drift < 1e-9


def test_order_of_the_double_pendulum() -> None:
    """Without anything against drift, so that the method itself is seen."""
    steps = [4e-3, 2e-3, 1e-3, 5e-4]
    found = [bars(step, 1.0, stabilization="none") for step in steps]
    assert_order(steps, [float(np.abs(angles(one) - swung()[:, :11]).max()) for one in found], 4.0)


def test_reactions_of_the_double_pendulum_are_what_its_centres_need() -> None:
    """Newton's law of both bars, with accelerations from differences of the reference's rates."""
    results = bars()
    times, h = results.dataset.time.values[1:], 1e-5
    grid = np.sort(np.concatenate([times - h, times, times + h]))
    a, b, p, q = double_pendulum(BAR, BAR, np.zeros(4), grid)
    upper = 1j * p * 0.25 * np.exp(1j * a)
    lower = 1j * p * 0.5 * np.exp(1j * a) + 1j * q * 0.25 * np.exp(1j * b)
    pull = [(v[2::3] - v[::3]) / (2 * h) + 9.81j for v in (upper, lower)]
    found = {name: plane(results.dataset.joint_force.sel(joint=name))[1:] for name in ("shoulder", "elbow")}
    np.testing.assert_allclose(found["elbow"], pull[1], atol=2e-6)
    np.testing.assert_allclose(found["shoulder"], pull[0] + pull[1], atol=2e-6)
    assert np.abs(found["shoulder"]).max() > 30.0


# --- benchmarks of the IFToMM library (Gonzalez 2006) --------------------------------------------------------------


def test_simple_pendulum_of_the_library() -> None:
    data = ran(simple_pendulum_model(run(10.0, 1e-4))).dataset
    angle, rate = simple_pendulum(data.time.values)
    body = data.sel(body="bob")
    np.testing.assert_allclose(plane(body.position), np.exp(1j * angle), atol=1e-10)
    np.testing.assert_allclose(plane(body.velocity), 1j * rate * np.exp(1j * angle), atol=1e-9)
    pull = rate**2 - 9.81 * np.sin(angle)  # towards the pivot
    np.testing.assert_allclose(
        plane(data.joint_force.sel(joint="rod")), -pull * np.exp(1j * angle), atol=1e-8
    )


def test_simple_pendulum_comes_back_after_its_period() -> None:
    period = simple_pendulum_period()
    data = ran(simple_pendulum_model(run(period, 1e-4))).dataset
    assert plane(data.position.sel(body="bob"))[-1] == pytest.approx(-1.0, abs=1e-11)
    assert plane(data.velocity.sel(body="bob"))[-1] == pytest.approx(0.0, abs=1e-10)


def test_published_points_of_the_library() -> None:
    """A01 and A02 at the times and places the benchmark's file has."""
    lines = [line.split() for line in shared("mbs-benchmarks/a01_a02.json")["lines"]]
    checked = 0
    for name, *fields in lines:
        values = dict(field.split("=") for field in fields if "=" in field)
        if "t" not in values or int(values.get("N", 1)) > 2:
            continue
        settings = run(float(values["t"]), 1e-3)
        spec = (
            simple_pendulum_model(settings)
            if name == "A01"
            else many_four_bars_model(int(values["N"]), settings)
        )
        data = ran(spec).dataset.isel(time=-1)
        body, arm = ("bob", 0j) if name == "A01" else ("crank0", 0.5 + 0j)
        held = data.sel(body=body)
        reach = arm * np.exp(1j * held.angle.item())
        place = plane(held.position).item() + reach
        velocity = plane(held.velocity).item() + 1j * held.angular_velocity.item() * reach
        theirs = [float(text) for key, text in values.items() if key not in {"N", "t"}]
        ours = [place.real, place.imag, velocity.real, velocity.imag][: len(theirs)]
        np.testing.assert_allclose(ours, theirs, atol=1e-6)
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("windows", [1, 2])
def test_many_four_bars_go_through_their_singular_poses(windows: int, step: float) -> None:
    """Level cranks leave two ways to go on; over 10 s they are level ten times, and it goes on as it came.

    Smaller steps come closer to the pose itself: they must not do worse than larger ones where it counts.
    """
    results = ran(many_four_bars_model(windows, run(10.0, step)))
    data = results.dataset
    angle = many_four_bars(windows, data.time.values)[0]
    crossings = np.count_nonzero(np.diff(np.sign(np.sin(angle))))
    assert crossings >= 9
    bound = 1e-5 if step > 5e-3 else 1e-6
    for k in range(windows + 1):
        crank = np.exp(1j * data.angle.sel(body=f"crank{k}").values)
        np.testing.assert_allclose(crank, np.exp(1j * angle), atol=bound)
    assert results.audit.relative_residual < 1e-8
    assert results.audit.constraint_drift < (1e-8 if step > 5e-3 else 1e-9)
    notes = [note for note in results.audit.notes if "singular pose" in note]
    assert len(notes) == windows
    assert notes[0].startswith("joints.C0 was hardly independent of other joints at ")


def test_a_mechanism_far_from_singular_poses_says_nothing_of_them() -> None:
    assert not bars().audit.notes


# --- Andrews' squeezing mechanism ------------------------------------------------------------------------------------


def squeezed(step: float, stabilization: str = "projection") -> tuple[xr.Dataset, dict[str, float]]:
    """A run of 0.03 s, and how far it is from the closed geometry: angles [rad], forces at E [N]."""
    data = ran(squeezer_model(run(0.03, step, output_step=3e-3, stabilization=stabilization))).dataset
    crank = squeezer(data.time.values)
    poses, forces = squeezer_poses(crank), squeezer_forces(crank)
    turned = {name: np.exp(1j * data.angle.sel(body=name).values) for name in SQUEEZER}
    off = max(float(np.abs(turned[name] - np.exp(1j * poses[name].turn.angle)).max()) for name in SQUEEZER)
    pushed = [plane(data.joint_force.sel(joint=f"E-K{k}")) for k in (3, 4, 6)]
    return data, {"angle": off, "force": float(np.abs(np.array(pushed) - forces).max())}


def test_squeezer_against_its_closed_geometry() -> None:
    """Five turns of the crank; the reference is right to 2e-12 rad, better than the published digits (1e-9)."""
    data, off = squeezed(2.5e-6)
    assert off["angle"] < 5e-11
    assert off["force"] < 5e-9
    assert data.angle.sel(body="K1")[-1] == pytest.approx(15.810771195152, abs=5e-11)
    assert np.abs(data.joint_force).max() > 190.0


def test_order_of_the_squeezer() -> None:
    steps = [2e-5, 1e-5, 5e-6]
    found = [squeezed(step, stabilization="none")[1] for step in steps]
    assert_order(steps, [off["angle"] for off in found], 4.0)
    assert_order(steps, [off["force"] for off in found], 4.0)


# --- joints that say the same ------------------------------------------------------------------------------------


def test_a_third_crank_of_a_parallelogram_is_named_and_changes_nothing() -> None:
    """All cranks stay parallel: phi'' = -g (n m/2 + M)/(n m/3 + M) cos phi, whether two or three hold the platform."""
    for count in (2, 3):
        results = ran(parallelogram_model(count, 4.0, run(1.0, 1e-3)))
        times = results.dataset.time.values
        pull = 9.81 * (count / 2 + 4.0) / (count / 3 + 4.0)
        angle = pendulum(pull, np.array([np.pi / 2, -1.0]), times)[0]
        for k in range(count):
            np.testing.assert_allclose(results.dataset.angle.sel(body=f"crank{k}"), angle, atol=1e-9)
        told = [note for note in results.audit.notes if "kept by other joints already" in note]
        assert [note.split(":")[0] for note in told] == ([] if count == 2 else ["joints.B2"])


def pin_rows(place: complex, first: complex | None, second: complex | None) -> list[Array]:
    """Two rows of a revolute joint's Jacobian by hand, for bodies with centres (None: the ground), 3 columns each."""
    rows = []
    for axis in range(2):
        row = np.zeros(6)
        for side, centre in enumerate((first, second)):
            if centre is not None:
                arm, sign = 1j * (place - centre), (-1.0, 1.0)[side]
                row[3 * side + axis], row[3 * side + 2] = sign, sign * (arm.real, arm.imag)[axis]
        rows.append(row)
    return rows


def test_forces_of_redundant_pins_are_the_least_that_do_it() -> None:
    """They give the bodies their accelerations, and are at right angles to all that do nothing: no others are both."""
    data = ran(parallelogram_model(3, 4.0, run(0.4, 1e-3, output_step=0.1))).dataset
    for k in range(data.sizes["time"]):
        now = data.isel(time=k)
        names = ["platform", "crank0", "crank1", "crank2"]
        centre = {name: plane(now.position.sel(body=name)).item() for name in names}
        rows, efforts = [], []
        for i, pin in enumerate(["A0", "B0", "A1", "B1", "A2", "B2"]):
            first, second = (None, f"crank{i // 2}") if pin[0] == "A" else (f"crank{i // 2}", "platform")
            place = plane(now.joint_point.sel(joint=pin)).item()
            for part in pin_rows(place, centre.get(first or ""), centre[second]):
                row = np.zeros(12)
                for side, name in enumerate((first, second)):
                    if name is not None:
                        row[3 * names.index(name) : 3 * names.index(name) + 3] = part[3 * side : 3 * side + 3]
                rows.append(row)
            efforts += [now.joint_force.sel(joint=pin, axis=axis).item() for axis in "xy"]
        jacobian, values = np.array(rows), np.array(efforts)
        angle, rate = now.angle.sel(body="crank0").item(), now.angular_velocity.sel(body="crank0").item()
        second = -9.81 * 5.5 / 5.0 * np.cos(angle)
        swing = (1j * second - rate**2) * np.exp(1j * angle)
        wanted = []
        for name, mass, share in (("platform", 4.0, 1.0), *((f"crank{j}", 1.0, 0.5) for j in range(3))):
            push = mass * (share * swing + 9.81j)
            wanted += [push.real, push.imag, 0.0 if name == "platform" else second / 12.0]
        np.testing.assert_allclose(jacobian.T @ values, wanted, atol=1e-7)
        nothing = np.linalg.svd(jacobian.T)[2][np.linalg.matrix_rank(jacobian) :]
        assert nothing.shape == (1, 12)
        np.testing.assert_allclose(nothing @ values, 0.0, atol=1e-7)
        assert np.abs(values).max() > 5.0


def test_two_sliders_in_one_line_share_what_they_hold() -> None:
    """A beam of 2 kg on two guides 0.3 m left and 0.1 m right of its centre, pulled along, with a torque on it."""
    places: tuple[Pair, Pair] = ((-0.3, 0.0), (0.1, 0.0))
    guides = {
        f"guide{k}": joint("translational", "ground", (0.0, 0.0), "beam", at, direction=[1.0, 0.0])
        for k, at in enumerate(places)
    }
    loads: Section = {
        "pull": {"body": "beam", "direction": [1, 0], "amplitude": 6.0},
        "twist": {"kind": "torque", "body": "beam", "amplitude": 1.5},
    }
    bodies: Section = {**GROUND, "beam": {"mass": 2.0, "inertia": 0.1}}
    spec = model(bodies, run(0.5, 1e-3), gravity=[0.0, -9.81], joints=guides, forces=loads)
    results = ran(spec)
    data = results.dataset
    np.testing.assert_allclose(data.position.sel(body="beam", axis="x"), 1.5 * data.time**2, atol=1e-12)
    # Unknown: the force across and the torque of each guide; two equations, least squares of efforts.
    arms = [at[0] for at in places]
    balance = np.array([[1.0, 0.0, 1.0, 0.0], [arms[0], 1.0, arms[1], 1.0]])
    least = np.linalg.pinv(balance) @ [2.0 * 9.81, -1.5]
    for k in range(2):
        np.testing.assert_allclose(data.joint_force.sel(joint=f"guide{k}", axis="y"), least[2 * k], atol=1e-9)
        np.testing.assert_allclose(data.joint_torque.sel(joint=f"guide{k}"), least[2 * k + 1], atol=1e-9)
    told = [note for note in results.audit.notes if "kept by other joints already" in note]
    assert len(told) == 2
    assert all(note.startswith("joints.guide1: ") for note in told)


# --- drift ---------------------------------------------------------------------------------------------------------


def drift(stabilization: str, step: float, duration: float = 5.0) -> Results:
    """The double pendulum with something, or nothing, against drift."""
    return bars(step, duration, stabilization=stabilization, audit_tolerance=1e-4)


def residual(results: Results) -> float:
    """The largest energy residual on the way, in parts of the throughput."""
    left = np.abs(results.dataset.energy.sel(kind="residual"))
    return float(left.max()) / results.audit.energy_throughput


def test_projection_keeps_joints_together_and_energy_too() -> None:
    loose, kept = drift("none", 1e-3), drift("projection", 1e-3)
    assert loose.audit.constraint_drift > 1e-7
    assert kept.audit.constraint_drift < 1e-9
    assert residual(kept) < residual(loose)


@pytest.mark.parametrize("name", ["four-bar", "double-pendulum"])
def test_drift_of_the_library_is_below_a_nanometre(name: str) -> None:
    assert 0.0 < ran(condyle.load(name)).audit.constraint_drift < 1e-9


def test_baumgarte_keeps_drift_bounded() -> None:
    """Without it, drift grows for as long as the run lasts."""
    grown = [drift("none", 2e-3, duration).audit.constraint_drift for duration in (10.0, 20.0)]
    kept = [drift("baumgarte", 2e-3, duration).audit.constraint_drift for duration in (10.0, 20.0)]
    assert grown[1] > 5.0 * grown[0]
    assert kept[0] <= kept[1] < 1.5 * kept[0]
    assert kept[1] < 1e-2 * grown[1]


def test_what_baumgarte_does_to_energy_and_joints_falls_at_its_order() -> None:
    steps = [1e-3, 5e-4, 2.5e-4, 1.25e-4]
    found = [drift("baumgarte", step, 1.0) for step in steps]
    assert_order(steps, [residual(one) for one in found], 4.0)
    assert_order(steps, [one.audit.constraint_drift for one in found], 4.0)


def test_a_tight_adaptive_run_agrees() -> None:
    """Another integrator on the same equations."""
    spec = condyle.load("double-pendulum").updated({f"run.{k}": v for k, v in tight(1.0).items()})
    found = angles(ran(spec))[:, ::10]
    np.testing.assert_allclose(found, swung()[:, :11], atol=1e-10)
