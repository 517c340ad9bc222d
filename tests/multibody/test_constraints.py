"""Efforts of constraints against the dense equations of motion, and what they give to whom."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from condyle.analysis.coordinates import jacobian
from condyle.analysis.observe import gravity_energy, kinetic_energy
from condyle.mechanics.frames import mobility
from condyle.mechanics.system import BEAMS, BORDER, DRIVER_WORK, EQUATIONS, N_WORK
from condyle.model.spec import Spec
from condyle.multibody.constraints import fill_matrix
from condyle.multibody.equations import EFFORT, IDLE, WANTED
from evaluation import Evaluation
from small_models import Section, bow, held, model, rod, run

Array = NDArray[np.float64]

BODIES: Section = {
    "ground": {"fixed": True},
    "a": {"mass": 0.7, "inertia": 0.02, "position": [-0.3, 0.1], "angle": 0.5},
    "b": {"mass": 1.3, "inertia": 0.05, "position": [1.2, 0.3], "angle": -1.1},
}
BEAMS_AND_FRAMES: Section = {
    "beams": {"bow": bow(), "rod": rod((0.9, 0.6), (1.2, 0.3))},
    "frames": {
        "left": {"beam": "bow", "along": 0.0},
        "inner": {"beam": "bow", "along": 0.4},
        "right": {"beam": "bow", "along": 1.0},
        "start": {"beam": "rod", "along": 0.0},
        "far": {"beam": "rod", "along": 0.8},
    },
}
JOINTS: Section = {
    "hinge": {"kind": "revolute", "from": held("a", 0.3, -0.1), "to": held("left")},
    "brace": {"kind": "distance", "from": held("a", 0.0, 0.1), "to": held("inner", 0.0, 0.02)},
    "weld": {"kind": "weld", "from": held("right"), "to": held("start")},
    "slide": {
        "kind": "point-on-line",
        "from": held("far", 0.0, 0.1),
        "to": held("b"),
        "direction": [1.0, 0.2],
    },
}


def chain(joints: Section, **more: object) -> Spec:
    """A body, a bow, a rod and a body, one after the other, with nothing to hold on to."""
    return model(BODIES, run(1.0), **BEAMS_AND_FRAMES, joints=joints, **more)


def test_against_the_dense_equations_of_motion() -> None:
    """M a + J^T-forces and J a = gamma in one dense system, with gravity, far from where the joints are closed."""
    gravity = {"gravity": [1.0, -9.0]}
    free, jointed = Evaluation(chain({}, **gravity)), Evaluation(chain(JOINTS, **gravity))
    q, v = jointed.near(np.random.default_rng(1))
    rows = list(jointed.model.rows(EQUATIONS))
    seen, mass, alone = jointed.at(q, v), jointed.mass(), free.at(q, v).acceleration
    slopes, wanted = jacobian(jointed.model, seen.work), seen.work[rows, WANTED]
    zero = np.zeros((len(rows), len(rows)))
    whole = np.block([[mass, -slopes.T], [slopes, zero]])
    found = np.linalg.solve(whole, np.concatenate([mass @ alone, wanted]))
    n = jointed.n
    assert np.abs(found[n:]).min() > 1e-3
    assert np.abs(seen.acceleration - found[:n]).max() < 1e-9 * np.abs(found[:n]).max()
    assert np.abs(seen.work[rows, EFFORT] - found[n:]).max() < 1e-9 * np.abs(found[n:]).max()


def test_the_matrix_of_couplings() -> None:
    """Entries of J M^-1 J^T between any two equations."""
    jointed = Evaluation(chain(JOINTS))
    q, v = jointed.near(np.random.default_rng(2))
    work = jointed.at(q, v).work
    slopes, rows = jacobian(jointed.model, work), jointed.model.rows(EQUATIONS)
    dense = slopes @ np.linalg.solve(jointed.mass(), slopes.T)
    arrays = jointed.model.arrays
    fill_matrix(arrays, work)
    base, count = jointed.model.rows(BORDER).start, len(rows)
    assert count <= 16, "a row of the matrix in one row of the scratch"
    found = work[base : base + count, :count]
    assert np.abs(np.tril(found) - np.tril(dense)).max() < 1e-10 * np.abs(dense).max()


def test_mobility_of_bodies_and_frames() -> None:
    """J_i M^-1 J_j^T with the frames' Jacobians by differences of their poses; nothing between different carriers."""
    jointed = Evaluation(chain({}))
    rng = np.random.default_rng(3)
    q, v = jointed.near(rng)
    work, arrays = jointed.at(q, v).work, jointed.model.arrays
    inverse, rows = np.linalg.inv(jointed.mass()), jointed.model.body_rows
    slopes = {name: pose_jacobian(jointed, row, q) for name, row in rows.items()}
    carrier = {"left": "bow", "inner": "bow", "right": "bow", "start": "rod", "far": "rod"}
    for i, row_i in rows.items():
        for j, row_j in rows.items():
            ai, aj = rng.normal(size=(2, 3))
            expected = ai @ slopes[i] @ inverse @ slopes[j].T @ aj
            found = mobility(arrays, row_i, row_j, work, tuple(ai), tuple(aj))
            assert found == pytest.approx(expected, rel=1e-7, abs=1e-8)
            related = carrier.get(i, i) == carrier.get(j, j) and i != "ground"
            assert (found != 0.0) == related
            assert mobility(arrays, row_j, row_i, work, tuple(aj), tuple(ai)) == pytest.approx(
                found, rel=1e-13
            )


def pose_jacobian(mechanical: Evaluation, row: int, q: Array, h: float = 1e-5) -> Array:
    """Derivative of a frame's place and angle by all coordinates, shape (3, n)."""
    columns = []
    for k in range(mechanical.n):
        step = h * np.eye(mechanical.n)[k]
        columns.append((mechanical.at(q + step).pose(row) - mechanical.at(q - step).pose(row)) / (2.0 * h))
    return np.stack(columns, axis=1)


def test_what_one_side_gets_the_other_gives() -> None:
    """Efforts change neither momentum nor angular momentum of what hangs together."""
    free, jointed = Evaluation(chain({})), Evaluation(chain(JOINTS))
    q, _ = jointed.together()
    v = np.random.default_rng(4).normal(size=jointed.n)
    push = jointed.mass() @ (jointed.at(q, v).acceleration - free.at(q, v).acceleration)
    assert np.abs(push).max() > 1.0
    across, up, turned = np.zeros((3, jointed.n))
    for k in range(2):
        across[3 * k], up[3 * k + 1] = 1.0, 1.0
        turned[3 * k : 3 * k + 3] = -q[3 * k + 1], q[3 * k], 1.0
    pairs = slice(6, None)
    turned[pairs] = (q[pairs].reshape(-1, 2) @ [[0.0, 1.0], [-1.0, 0.0]]).ravel()
    # Places move along, slopes do not: two nodes of two numbers each, in turn.
    across[6::4], up[7::4] = 1.0, 1.0
    for motion in (across, up, turned):
        assert abs(motion @ push) < 1e-9 * np.abs(push).max()


def test_an_equation_said_twice_is_idle() -> None:
    """The second of two equal joints bears nothing, and the motion is that of one."""
    twice = Evaluation(chain(JOINTS | {"hinge2": JOINTS["hinge"]}))
    once = Evaluation(chain(JOINTS))
    q, v = once.near(np.random.default_rng(5), 0.05)
    one, two = once.at(q, v), twice.at(q, v)
    rows = list(twice.model.rows(EQUATIONS))
    assert (two.work[rows[-2:], IDLE] == 1.0).all()
    assert (two.work[rows[:-2], IDLE] == 0.0).all()
    assert (two.work[rows[-2:], EFFORT] == 0.0).all()
    assert np.abs(one.acceleration - two.acceleration).max() < 1e-8 * np.abs(one.acceleration).max()


def test_what_a_driver_gives_is_what_the_energy_gains() -> None:
    """Power balance at one instant: kinetic energy, weight and strain energy change by the driver's power alone."""
    drivers: Section = {
        "m": {"kind": "coordinate", "of": held("b", 0.1, 0.0), "axis": "x", "in": "inner", "sign": -1}
    }
    motion = {"kind": "harmonic", "amplitude": 0.2, "frequency": 1.0, "mean": -1.0, "phase": 0.3}
    spec = chain(
        JOINTS, measures=drivers, drivers={"push": {"measure": "m", "motion": motion}}, gravity=[2.0, -9.0]
    )
    mechanical = Evaluation(spec)
    q, v = mechanical.together()
    seen = mechanical.at(q, v)
    assert abs(seen.powers[DRIVER_WORK]) > 0.1
    h = 1e-5

    def energy(time: float) -> float:
        later_q, later_v = q + v * time, v + seen.acceleration * time
        y = np.concatenate([later_q, later_v, np.zeros(N_WORK)])[None]
        strain = mechanical.at(later_q).work[list(mechanical.model.rows(BEAMS)), 0].sum()
        parts = kinetic_energy(mechanical.model, y) + gravity_energy(mechanical.model, y)
        return float(parts[0] + strain)

    gained = (energy(h) - energy(-h)) / (2.0 * h)
    assert gained == pytest.approx(seen.powers[DRIVER_WORK], rel=1e-6)
