"""Several places of one contact at a time: each keeps its own memory, and what is not counted is told."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import condyle
from condyle.analysis.forward import forward
from condyle.contact.forces import ONSET_SPEED, PEAK_DEPTH, SLOWEST_ONSET, TOUCHING
from condyle.mechanics.system import SPOTS
from condyle.model.compiled import compiled
from condyle.model.spec import Spec
from contact.pairs import bumpy, polar
from small_models import Section, circle, damped, disc, hertz, line, model, run

Array = NDArray[np.float64]


def two_feet(count: int = 120) -> Array:
    """An outline with two unlike feet below, at -125 and -60 degrees; the first one longer and sharper."""
    angle = 2.0 * np.pi * np.arange(count) / count
    r = np.full(count, 0.04)
    for at, height, width in ((-125.0, 0.012, 0.25), (-60.0, 0.010, 0.35)):
        away = np.angle(np.exp(1j * (angle - math.radians(at))))
        r += height * np.exp(-((away / width) ** 2))
    return np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1)


FEET = polar(two_feet(), "cubic")


def landing(integrator: str, **contact: Any) -> Spec:
    """The two feet let down on a floor: one lands, the body rocks over to the other, which goes deeper."""
    body: Section = {
        **disc(mass=0.3),
        "position": [0.0, 0.046],
        "angle": -0.04,
        "velocity": [0.1, -0.4],
        "angular_velocity": 12.0,
    }
    law = damped("gonthier", 0.5, 3e4)
    return model(
        {"base": {"fixed": True}, "body": body},
        run(0.05, 2e-5, integrator, output_step=1e-4),
        gravity=[0.0, -9.81],
        profiles={"feet": {"body": "body", **FEET}, "floor": line("base")},
        contacts={"touch": {"between": ["feet", "floor"], "law": law, "spots": 2, **contact}},
    )


@pytest.mark.compiled
@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
def test_each_spot_keeps_its_own_memory(integrator: str) -> None:
    """Onset speed, peak and place of either foot, while the deeper one changes and searches go on."""
    spec = landing(integrator)
    found = forward(compiled(spec))
    rows = list(found.model.rows(SPOTS))
    assert len(rows) == 2
    data = condyle.simulate(spec).dataset
    depth, rate = data["contact_depth"].values, data["contact_rate"].values
    foot = data["contact_point_local"].sel(side="first", axis="x").values
    touching = found.memory[:, rows, TOUCHING] == 1.0
    onset = found.memory[:, rows, ONSET_SPEED]
    both = touching.all(axis=1)
    # Each is the deeper one for a while as both touch, and the body has moved on by more than a search's stride.
    assert {int(np.argmax(depth[k])) for k in np.flatnonzero(both)} == {0, 1}
    moved = data["position"].sel(body="body", axis="x").values[touching.any(axis=1)]
    assert np.ptp(moved) > 0.001
    sides = []
    for spot in range(2):
        at = foot[touching[:, spot], spot]
        assert (at < -0.01).all() or (at > 0.01).all()
        sides.append(at.mean() > 0.0)
        begun = np.flatnonzero(np.diff(touching[:, spot].astype(int)) == 1)
        assert len(begun) >= 1
        for k in begun:
            # The rate changes by little within a row of the results, before and behind the onset.
            assert onset[k + 1, spot] == pytest.approx(rate[k, spot], abs=0.02)
            assert onset[k + 1, spot] > 0.0
        held = np.flatnonzero(touching[1:, spot] & touching[:-1, spot])
        assert (onset[held + 1, spot] == onset[held, spot]).all()
        last = found.final.memory[rows[spot]]
        assert last[PEAK_DEPTH] == pytest.approx(np.nanmax(depth[:, spot]), rel=2e-3)
        assert last[SLOWEST_ONSET] == pytest.approx(onset[begun + 1, spot].min(), rel=1e-12)
        # What a foot has never had is not its peak.
        force = data["contact_normal_force"].values[:, spot].max()
        assert float(data["peak_contact_force"][spot]) == pytest.approx(force, rel=2e-3)
    assert sides[0] != sides[1]
    speeds = [onset[touching[:, spot], spot][0] for spot in range(2)]
    assert abs(speeds[0] - speeds[1]) > 0.05


def three_lobes(spots: int, integrator: str) -> Spec:
    """A body with three lobes pressed into a hollow circle of nearly its size, on all three at once."""
    outline = {"outline": {"points": bumpy(0.05, 0.002, 3).tolist()}, "interpolation": "cubic"}
    return model(
        {"shell": {"fixed": True}, "cam": {**disc(), "position": [2e-5, 1e-5], "angle": 0.2}},
        run(2e-3, 2e-5, integrator),
        profiles={
            "cam": {"body": "cam", **outline},
            "bore": circle("shell", 0.0519, hollow=True),
            "floor": line("shell", (-1.0, -0.2), (1.0, -0.2)),
        },
        contacts={
            "far": {"between": ["cam", "floor"], "law": hertz()},
            "fit": {"between": ["cam", "bore"], "law": hertz(), "spots": spots},
        },
    )


@pytest.mark.compiled
@pytest.mark.parametrize("integrator", ["rk-gill", "dopri8"])
def test_what_is_not_counted_is_told(integrator: str) -> None:
    """Two spots for three touches: a note names the contact and the setting; with three there is none."""
    few, enough = (condyle.simulate(three_lobes(spots, integrator)) for spots in (2, 3))
    assert (enough.dataset["contact_depth"].values[0] > 0.0).sum() == 3
    told = [note for note in few.audit.notes if "touched at more places than it counts" in note]
    assert told == ["contact 'fit' touched at more places than it counts; see contacts.fit.spots"]
    assert not any("more places" in note for note in enough.audit.notes)
