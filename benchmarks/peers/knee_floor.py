"""The planar knee of Machado 2010 written out by hand for a circle and a plane, compiled, classical RK4.

It knows that the femur is a circle and the tibia a plane, so it searches for no contact; no onset is located,
nothing is audited and only the flexion is stored.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from numba import njit

from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, KneeRun

MASS, INERTIA, RADIUS, STIFFNESS, GRAVITY = 3.75, 0.165, 0.04, 8.455944529003890e5, 9.81
AMPLITUDE, PULSE_TIME, DECAY = 50.0, 0.05, 4.73
START = (-0.2016, -0.1749, math.radians(35.21))
PLATEAU = -START[0] * math.cos(START[2]) - START[1] * math.sin(START[2]) - RADIUS
# femoral end, tibial end [m], rest length [m], stiffness [N/m^2] (Machado 2010, Table 2)
LIGAMENTS = np.array(
    [
        [-0.023, -0.014, 0.163, 0.008, 0.0784, 15e6],
        [-0.025, -0.019, 0.178, 0.025, 0.0562, 15e6],
        [-0.033, -0.017, 0.213, -0.009, 0.0438, 35e6],
        [-0.019, -0.014, 0.210, 0.035, 0.0332, 30e6],
    ]
)


@njit(error_model="numpy")
def accelerations(time, x, y, angle, ligaments):  # type: ignore[no-untyped-def]
    """Acceleration of the tibia's centre of mass and its angular acceleration."""
    cos, sin = math.cos(angle), math.sin(angle)
    ratio = time / PULSE_TIME
    push = AMPLITUDE * math.exp(-DECAY * ratio * ratio) * math.sin(math.pi * ratio)
    depth = PLATEAU + RADIUS + x * cos + y * sin
    contact = STIFFNESS * depth * math.sqrt(depth) if depth > 0.0 else 0.0
    force_x, force_y = (push - contact) * cos, (push - contact) * sin - MASS * GRAVITY
    moment = contact * (x * sin - y * cos)
    for row in range(4):
        end_x = cos * ligaments[row, 2] - sin * ligaments[row, 3]
        end_y = sin * ligaments[row, 2] + cos * ligaments[row, 3]
        span_x, span_y = ligaments[row, 0] - x - end_x, ligaments[row, 1] - y - end_y
        length = math.sqrt(span_x * span_x + span_y * span_y)
        stretch = length - ligaments[row, 4]
        if stretch > 0.0:
            tension = ligaments[row, 5] * stretch * stretch / length
            force_x += tension * span_x
            force_y += tension * span_y
            moment += tension * (end_x * span_y - end_y * span_x)
    return force_x / MASS, force_y / MASS, moment / INERTIA


@njit(error_model="numpy")
def march(h, n_step, every, ligaments, angles):  # type: ignore[no-untyped-def]
    """Classical Runge-Kutta from rest, the tibia's angle stored every `every` steps."""
    x, y, a = START
    vx, vy, w = 0.0, 0.0, 0.0
    half = 0.5 * h
    angles[0] = a
    for step in range(1, n_step + 1):
        t = (step - 1) * h
        ax1, ay1, b1 = accelerations(t, x, y, a, ligaments)
        vx2, vy2, w2 = vx + half * ax1, vy + half * ay1, w + half * b1
        ax2, ay2, b2 = accelerations(t + half, x + half * vx, y + half * vy, a + half * w, ligaments)
        vx3, vy3, w3 = vx + half * ax2, vy + half * ay2, w + half * b2
        ax3, ay3, b3 = accelerations(t + half, x + half * vx2, y + half * vy2, a + half * w2, ligaments)
        vx4, vy4, w4 = vx + h * ax3, vy + h * ay3, w + h * b3
        ax4, ay4, b4 = accelerations(t + h, x + h * vx3, y + h * vy3, a + h * w3, ligaments)
        x += h / 6.0 * (vx + 2.0 * vx2 + 2.0 * vx3 + vx4)
        y += h / 6.0 * (vy + 2.0 * vy2 + 2.0 * vy3 + vy4)
        a += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4)
        vx += h / 6.0 * (ax1 + 2.0 * ax2 + 2.0 * ax3 + ax4)
        vy += h / 6.0 * (ay1 + 2.0 * ay2 + 2.0 * ay3 + ay4)
        w += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
        if step % every == 0:
            angles[step // every] = a
    return x, y, a


def main() -> None:
    """Run and answer."""
    knee = KneeRun(**task())
    every = round(knee.output_step / knee.step)
    angles = np.empty(knee.steps // every + 1)
    times, _ = timed(lambda: march(knee.step, knee.steps, every, LIGAMENTS, angles), knee.repeats)
    flexion = 90.0 - np.rad2deg(angles)
    send(Answer("hand-written loop", f"numba {numba.__version__}", times, floats(flexion)))


if __name__ == "__main__":
    main()
