"""The instant at which a contact begins, and the approach speed that its law remembers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from condyle.analysis import adaptive, fixed
from condyle.analysis.forward import forward
from condyle.analysis.trajectory import Trajectory
from condyle.contact.forces import ONSET_SPEED, TOUCHING
from condyle.mechanics.system import SPOTS, Array
from condyle.model.compiled import compiled
from condyle.model.spec import Spec
from reference.impact import bouncing_ball, required_hysteresis
from small_models import ball_on_ground, damped, disc, hertz, run

GRAVITY, HEIGHT = 9.81, 0.0123
FALL = math.sqrt(2.0 * HEIGHT / GRAVITY)


def spot_memory(of: Trajectory) -> Array:
    """Memory of the one spot at the rows, shape (n_row, 16)."""
    return of.memory[:, of.model.rows(SPOTS)[0]]


def falling(integrator: str, step: float, until: float) -> Spec:
    """A ball at rest above the floor, left to fall."""
    law = damped("gonthier", stiffness=1e9)
    return ball_on_ground(law, run(until, step, integrator), HEIGHT, (0.0, 0.0), GRAVITY)


@pytest.mark.parametrize("integrator", ["rk-gill", "rk4", "dopri5", "dopri8", "radau", "ida"])
@pytest.mark.parametrize("step", [1.37e-3, 1e-4])
def test_onset_of_a_falling_ball(integrator: str, step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Located to 1e-11 s and 1e-10 m/s, whatever the step; asked: 1e-9 s."""
    seen: list[tuple[float, float]] = []
    found = watched(falling(integrator, step, 1.2 * FALL), seen, monkeypatch)
    assert found.events >= 1
    instant, speed = seen[0]
    assert abs(instant - FALL) < 1e-11
    assert abs(speed - GRAVITY * FALL) < 1e-10


def watched(spec: Spec, seen: list[tuple[float, float]], monkeypatch: pytest.MonkeyPatch) -> Trajectory:
    """A run that notes instant and onset speed whenever a contact begins."""
    model = compiled(spec)
    row = model.rows(SPOTS)[0]
    for module in (fixed, adaptive):
        original = module.cut

        def cut(*arguments: Any, original: Callable[..., None] = original) -> None:
            memory, now = arguments[1], arguments[4]
            before = memory[row, TOUCHING]
            original(*arguments)
            if memory[row, TOUCHING] > before:
                seen.append((now, float(memory[row, ONSET_SPEED])))

        monkeypatch.setattr(module, "cut", cut)
    return forward(model)


def test_every_bounce_has_its_own_onset(monkeypatch: pytest.MonkeyPatch) -> None:
    """As an independent solution has them; between bounces memory holds none of it."""
    seen: list[tuple[float, float]] = []
    found = watched(falling("rk-gill", 1e-5, 0.14), seen, monkeypatch)
    bounces = bouncing_ball(HEIGHT, 0.14, disc()["mass"], 1e9, required_hysteresis(0.5), GRAVITY)
    assert len(seen) == len(bounces) >= 3
    expected = [(bounce.begin, bounce.approach) for bounce in bounces]
    assert np.abs(np.array(seen) - expected).max() < 1e-7
    open_rows = spot_memory(found)[:, TOUCHING] == 0.0
    assert open_rows.any()
    assert (spot_memory(found)[open_rows, ONSET_SPEED] == 0.0).all()


def test_zero_gap_at_rest_is_open() -> None:
    """Nothing touches before the gap closes; then the contact begins at no speed, and its law stays bounded."""
    resting = ball_on_ground(damped("gonthier"), run(0.01, 1e-5), 0.0, (0.0, 0.0), 0.0)
    floating = forward(compiled(resting))
    assert floating.events == 0
    assert (spot_memory(floating)[:, TOUCHING] == 0.0).all()
    settling = ball_on_ground(damped("gonthier"), run(0.1, 1e-5), 0.0, (0.0, 0.0), GRAVITY)
    found = forward(compiled(settling))
    assert spot_memory(found)[0, TOUCHING] == 0.0
    assert spot_memory(found)[1, TOUCHING] == 1.0
    assert spot_memory(found)[1, ONSET_SPEED] == 0.0
    # It sinks in, to twice the depth of rest at the most, and is damped as from the floor of the onset speed.
    at_rest = (0.2 * GRAVITY / 1e6) ** (2.0 / 3.0)
    depth = 0.05 - found.y[:, 1]
    assert depth.max() < 2.0 * at_rest
    assert abs(depth[-1] - at_rest) < 0.4 * at_rest


def test_a_start_in_contact_touches_at_once() -> None:
    """A deeper start is a contact that has begun, at the approach speed that it starts with."""
    pressed = ball_on_ground(hertz(), run(1e-3, 1e-5), -1e-4, (0.0, -0.3))
    found = forward(compiled(pressed))
    assert spot_memory(found)[0, TOUCHING] == 1.0
    assert spot_memory(found)[0, ONSET_SPEED] == 0.3
