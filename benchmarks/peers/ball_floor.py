"""The floor: a ball on a line written out by hand, compiled, and nothing else.

No onset is located, nothing is audited.
`planar` computes what the planar formulas ask for, for one circle somewhere in a moving body and one line
somewhere in a body at rest: rotation, contact point, its velocity, depth and rate, a law that knows the
rate, force and moment. `bare` knows that the circle is centred, the line horizontal and the law elastic:
the least arithmetic that gives this motion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import njit

from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, Ball

NAMES = {"planar": "hand-written loop, planar formulas", "bare": "hand-written loop, this ball only"}


@njit(error_model="numpy")
def planar(x, y, angle, vx, vy, omega, ball):  # type: ignore[no-untyped-def]
    """Acceleration of the centre of mass and angular acceleration."""
    mass, inertia, radius, stiffness, gravity, centre_x, centre_y, line_x, line_y, tx, ty, hysteresis = ball
    cos, sin = math.cos(angle), math.sin(angle)
    nx, ny = -ty, tx
    arm_x = cos * centre_x - sin * centre_y - radius * nx
    arm_y = sin * centre_x + cos * centre_y - radius * ny
    depth = (line_x - x - arm_x) * nx + (line_y - y - arm_y) * ny
    if depth <= 0.0:
        return 0.0, -gravity, 0.0
    rate = -(vx - omega * arm_y) * nx - (vy + omega * arm_x) * ny
    force = stiffness * depth * math.sqrt(depth) * (1.0 + hysteresis * rate)
    moment = arm_x * force * ny - arm_y * force * nx
    return force * nx / mass, force * ny / mass - gravity, moment / inertia


@njit(error_model="numpy")
def bare(_x, y, _angle, _vx, _vy, _omega, ball):  # type: ignore[no-untyped-def]
    """The same for a centred circle above y = 0."""
    mass, radius, stiffness, gravity = ball[0], ball[2], ball[3], ball[4]
    depth = radius - y
    if depth <= 0.0:
        return 0.0, -gravity, 0.0
    return 0.0, stiffness * depth * math.sqrt(depth) / mass - gravity, 0.0


def marching(accelerations: Callable[..., Any]) -> Callable[..., Any]:
    """Classical Runge-Kutta over one of the two, the gap stored every `every` steps."""

    @njit(error_model="numpy")
    def march(start, ball, h, n_step, every, gaps):  # type: ignore[no-untyped-def]
        x, y, a, vx, vy, w = start
        radius, half = ball[2], 0.5 * h
        gaps[0] = y - radius
        for step in range(1, n_step + 1):
            ax1, ay1, b1 = accelerations(x, y, a, vx, vy, w, ball)
            vx2, vy2, w2 = vx + half * ax1, vy + half * ay1, w + half * b1
            ax2, ay2, b2 = accelerations(x + half * vx, y + half * vy, a + half * w, vx2, vy2, w2, ball)
            vx3, vy3, w3 = vx + half * ax2, vy + half * ay2, w + half * b2
            ax3, ay3, b3 = accelerations(x + half * vx2, y + half * vy2, a + half * w2, vx3, vy3, w3, ball)
            vx4, vy4, w4 = vx + h * ax3, vy + h * ay3, w + h * b3
            ax4, ay4, b4 = accelerations(x + h * vx3, y + h * vy3, a + h * w3, vx4, vy4, w4, ball)
            x += h / 6.0 * (vx + 2.0 * vx2 + 2.0 * vx3 + vx4)
            y += h / 6.0 * (vy + 2.0 * vy2 + 2.0 * vy3 + vy4)
            a += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4)
            vx += h / 6.0 * (ax1 + 2.0 * ax2 + 2.0 * ax3 + ax4)
            vy += h / 6.0 * (ay1 + 2.0 * ay2 + 2.0 * ay3 + ay4)
            w += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
            if step % every == 0:
                gaps[step // every] = y - radius
        return x, y, a, vx, vy, w

    return march  # type: ignore[no-any-return]


def main() -> None:
    """Run and answer."""
    given = task()
    name = given.pop("formulas")
    ball = Ball(**given)
    every = round(ball.output_step / ball.step)
    gaps = np.empty(ball.steps // every + 1)
    start = (0.0, ball.gap + ball.radius, 0.0, 0.0, 0.0, 0.0)
    place = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)  # circle's centre, line's point and direction, no hysteresis
    numbers = (ball.mass, ball.inertia, ball.radius, ball.stiffness, ball.gravity, *place)
    march = marching({"planar": planar, "bare": bare}[name])
    times, _ = timed(lambda: march(start, numbers, ball.step, ball.steps, every, gaps), ball.repeats)
    send(Answer(NAMES[name], f"numba {numba.__version__}", times, floats(gaps)))


if __name__ == "__main__":
    main()
