"""The floor: the slider-crank with penalty pins written out by hand, compiled, under classical RK4.

The same ordinary differential equations as `slider_condyle.py` gives to Condyle and `slider_speed_exudyn.py` to Exudyn:
a planar crank held and driven by spring-dampers, ANCF cables (axial strain |r'| - 1, curvature (r' x r'')/|r'|^2, with
the points of integration of either), a point mass as slider. What never changes (shapes, weights, masses, stiffnesses)
stands in the machine code as constants; the rod's mass matrix, the same for x and y, is factored once and banded.

A state is an array of five rows: x, x', y, y' of the rod's nodes in columns, and in the last column x, y and angle of
the crank, x and y of the slider.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.linalg import cholesky_banded

from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, Penalty, Slider

Array = NDArray[np.float64]
BAND = 3


def shapes(where: Array, length: float) -> tuple[Array, Array]:
    """First and second derivatives of the four cubics at places in [0, 1]."""
    s, one = where, np.ones_like(where)
    first = [(6 * s**2 - 6 * s) / length, 1 - 4 * s + 3 * s**2, (6 * s - 6 * s**2) / length, 3 * s**2 - 2 * s]
    second = [
        (12 * s - 6) / length**2,
        (6 * s - 4) / length,
        (6 - 12 * s) / length**2,
        (6 * s - 2 * one) / length,
    ]
    return np.array(first).T.copy(), np.array(second).T.copy()


def points(quadrature: str) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Places in [0, 1] and weights for the axial and the bending part."""
    gauss = np.polynomial.legendre.leggauss
    lobatto = (np.array([-1.0, 0.0, 1.0]), np.array([1.0, 4.0, 1.0]) / 3.0)
    axial, bending = {
        "5 and 3": (gauss(5), gauss(3)),
        "4 and 2": (gauss(4), gauss(2)),
        "3 Lobatto and 2": (lobatto, gauss(2)),
        "3 and 3": (gauss(3), gauss(3)),
    }[quadrature]
    return (0.5 + 0.5 * axial[0], 0.5 * axial[1]), (0.5 + 0.5 * bending[0], 0.5 * bending[1])


def element_mass(mass: float, length: float) -> Array:
    """Consistent mass of one cable for one direction: ends and slopes."""
    a, b, c = 22 * length, 13 * length, length**2
    rows = [[156, a, 54, -b], [a, 4 * c, b, -3 * c], [54, b, 156, -a], [-b, -3 * c, -a, 4 * c]]
    return mass / 420 * np.array(rows)


def rod_factor(case: Slider) -> Array:
    """Banded lower Cholesky factor of the rod's mass for one direction, its diagonal inverted; row = coordinate."""
    size, cell = 2 * case.elements + 2, case.rod_length / case.elements
    full = np.zeros((size, size))
    for at in range(0, size - 2, 2):
        full[at : at + 4, at : at + 4] += element_mass(case.rod_mass / case.elements, cell)
    band = np.zeros((BAND + 1, size))
    for below in range(BAND + 1):
        band[below, : size - below] = np.diagonal(full, -below)
    lower = cholesky_banded(band, lower=True)
    lower[0] = 1.0 / lower[0]
    return np.ascontiguousarray(lower.T)


def rows(values: Array) -> tuple[tuple[float, ...], ...]:
    """Plain floats, which Numba takes for constants."""
    return tuple(tuple(float(one) for one in row) for row in values)


def rod_weight(case: Slider) -> Array:
    """Gravity's force on the rod's coordinates in y."""
    cell = case.rod_length / case.elements
    weight = np.zeros(2 * case.elements + 2)
    share = -case.gravity * case.rod_mass / case.elements
    for at in range(0, len(weight) - 2, 2):
        weight[at : at + 4] += share * np.array([0.5, cell / 12, 0.5, -cell / 12])
    return weight


def elastic_forces(case: Slider, quadrature: str) -> Callable[..., Any]:
    """Compiled: adds the elastic forces of all cables to `right[coordinate, direction]`."""
    n, cell = case.elements, case.rod_length / case.elements
    axial, bending = points(quadrature)
    axial_shape = rows(shapes(axial[0], cell)[0])
    bending_first, bending_second = (rows(shape) for shape in shapes(bending[0], cell))
    (axial_weight,) = rows(case.axial * cell * axial[1][None])
    (bending_weight,) = rows(case.bending * cell * bending[1][None])
    n_axial, n_bending = len(axial_weight), len(bending_weight)

    @njit(error_model="numpy", fastmath=True)
    def elastic(q, right):  # type: ignore[no-untyped-def]
        for e in range(n):
            x0, x1, x2, x3 = q[0, e], q[1, e], q[0, e + 1], q[1, e + 1]
            y0, y1, y2, y3 = q[2, e], q[3, e], q[2, e + 1], q[3, e + 1]
            l0 = l1 = l2 = l3 = m0 = m1 = m2 = m3 = 0.0
            for g in range(n_axial):
                s = axial_shape[g]
                a = s[0] * x0 + s[1] * x1 + s[2] * x2 + s[3] * x3
                b = s[0] * y0 + s[1] * y1 + s[2] * y2 + s[3] * y3
                f = axial_weight[g] * (1.0 / math.sqrt(a * a + b * b) - 1.0)
                fa, fb = f * a, f * b
                l0, l1, l2, l3 = l0 + s[0] * fa, l1 + s[1] * fa, l2 + s[2] * fa, l3 + s[3] * fa
                m0, m1, m2, m3 = m0 + s[0] * fb, m1 + s[1] * fb, m2 + s[2] * fb, m3 + s[3] * fb
            for g in range(n_bending):
                s, t = bending_first[g], bending_second[g]
                a = s[0] * x0 + s[1] * x1 + s[2] * x2 + s[3] * x3
                b = s[0] * y0 + s[1] * y1 + s[2] * y2 + s[3] * y3
                c = t[0] * x0 + t[1] * x1 + t[2] * x2 + t[3] * x3
                d = t[0] * y0 + t[1] * y1 + t[2] * y2 + t[3] * y3
                inverse = 1.0 / (a * a + b * b)
                k = (a * d - b * c) * inverse
                m = bending_weight[g] * k * inverse
                fa, fb, ga, gb = m * (2.0 * k * a - d), m * (c + 2.0 * k * b), m * b, -m * a
                l0, l1 = l0 + s[0] * fa + t[0] * ga, l1 + s[1] * fa + t[1] * ga
                l2, l3 = l2 + s[2] * fa + t[2] * ga, l3 + s[3] * fa + t[3] * ga
                m0, m1 = m0 + s[0] * fb + t[0] * gb, m1 + s[1] * fb + t[1] * gb
                m2, m3 = m2 + s[2] * fb + t[2] * gb, m3 + s[3] * fb + t[3] * gb
            i = 2 * e
            right[i, 0] += l0
            right[i + 1, 0] += l1
            right[i + 2, 0] += l2
            right[i + 3, 0] += l3
            right[i, 1] += m0
            right[i + 1, 1] += m1
            right[i + 2, 1] += m2
            right[i + 3, 1] += m3

    return elastic  # type: ignore[no-any-return]


@njit(error_model="numpy", fastmath=True)
def solve(factor, right):  # type: ignore[no-untyped-def]
    """Solve with the banded factor for x and y together, `right[coordinate, direction]`, in place."""
    n = right.shape[0]
    x1 = x2 = x3 = y1 = y2 = y3 = 0.0
    for i in range(n):
        f1 = factor[i - 1, 1] if i > 0 else 0.0
        f2 = factor[i - 2, 2] if i > 1 else 0.0
        f3 = factor[i - 3, 3] if i > 2 else 0.0
        x = (right[i, 0] - f3 * x3 - f2 * x2 - f1 * x1) * factor[i, 0]
        y = (right[i, 1] - f3 * y3 - f2 * y2 - f1 * y1) * factor[i, 0]
        right[i, 0], right[i, 1] = x, y
        x3, x2, x1, y3, y2, y1 = x2, x1, x, y2, y1, y
    x1 = x2 = x3 = y1 = y2 = y3 = 0.0
    for i in range(n - 1, -1, -1):
        f1, f2, f3 = factor[i, 1], factor[i, 2], factor[i, 3]  # beyond the end the factor holds zeros
        x = (right[i, 0] - f3 * x3 - f2 * x2 - f1 * x1) * factor[i, 0]
        y = (right[i, 1] - f3 * y3 - f2 * y2 - f1 * y1) * factor[i, 0]
        right[i, 0], right[i, 1] = x, y
        x3, x2, x1, y3, y2, y1 = x2, x1, x, y2, y1, y


@njit(error_model="numpy", fastmath=True)
def pull(law, depth, rate, onset_rate):  # type: ignore[no-untyped-def]
    """The contact's force."""
    if depth <= 0.0 or onset_rate <= 0.0:
        return 0.0
    factor = 1.0 + law[1] * rate / onset_rate
    return law[0] * depth * math.sqrt(depth) * factor if factor > 0.0 else 0.0


def whole_system(case: Slider, penalty: Penalty) -> Callable[..., Any]:
    """Compiled: accelerations of everything, in the rows and columns of a state."""
    n, gravity = case.elements, case.gravity
    stiff, twist, twist_damp = penalty.stiffness, penalty.drive_stiffness, penalty.drive_damping
    speed, mass, half, slider = case.speed, case.crank_mass, case.crank_length / 2, case.slider_mass
    inertia = mass * case.crank_length**2 / 12
    law = (case.stiffness, case.hysteresis, case.face - case.slider_length)
    elastic = elastic_forces(case, penalty.quadrature)

    @njit(error_model="numpy", fastmath=True)
    def accelerations(t, q, v, a, onset_rate, rod, right):  # type: ignore[no-untyped-def]
        factor, weight = rod
        for i in range(2 * n + 2):
            right[i, 0], right[i, 1] = 0.0, weight[i]
        elastic(q, right)
        cx, cy, angle = q[0, n + 1], q[1, n + 1], q[2, n + 1]
        omega = v[2, n + 1]
        ax, ay = half * math.cos(angle), half * math.sin(angle)
        ox = -stiff * (cx - ax)
        oy = -stiff * (cy - ay)
        px = stiff * (q[0, 0] - cx - ax)
        py = stiff * (q[2, 0] - cy - ay)
        torque = twist * (speed * t - 0.5 * math.pi - angle) + twist_damp * (speed - omega)
        a[0, n + 1] = (ox + px) / mass
        a[1, n + 1] = (oy + py) / mass - gravity
        a[2, n + 1] = (torque + ax * (py - oy) - ay * (px - ox)) / inertia
        right[0, 0] -= px
        right[0, 1] -= py
        bx, by, wx = q[3, n + 1], q[4, n + 1], v[3, n + 1]
        px = stiff * (bx - q[0, n])
        py = stiff * (by - q[2, n])
        right[2 * n, 0] += px
        right[2 * n, 1] += py
        force = pull(law, bx - law[2], wx, onset_rate if onset_rate > 0.0 else wx)
        a[3, n + 1] = (-px - force) / slider
        a[4, n + 1] = (-py - stiff * by) / slider - gravity
        solve(factor, right)
        for i in range(n + 1):
            a[0, i], a[1, i] = right[2 * i, 0], right[2 * i + 1, 0]
            a[2, i], a[3, i] = right[2 * i, 1], right[2 * i + 1, 1]

    return accelerations  # type: ignore[no-any-return]


def marching(case: Slider, penalty: Penalty) -> Callable[..., Any]:
    """Compiled: classical Runge-Kutta; x_B, middle of the rod and contact force stored every `every` steps."""
    accelerations, n = whole_system(case, penalty), case.elements
    law = (case.stiffness, case.hysteresis, case.face - case.slider_length)
    size = 5 * (n + 2)

    @njit(error_model="numpy", fastmath=True)
    def note(q, force, at, histories):  # type: ignore[no-untyped-def]
        histories[0, at], histories[1, at] = q[3, n + 1], q[0, n // 2]
        histories[2, at], histories[3, at] = q[2, n // 2], force

    @njit(error_model="numpy", fastmath=True)
    def march(start, speeds, h, n_step, every, rod, histories):  # type: ignore[no-untyped-def]
        q, v = start.copy(), speeds.copy()
        qs, vs, a, dq, dv = q.copy(), v.copy(), np.zeros_like(q), np.zeros_like(q), np.zeros_like(q)
        right = np.zeros((2 * n + 2, 2))
        fq, fv, fqs, fvs = q.reshape(size), v.reshape(size), qs.reshape(size), vs.reshape(size)
        fa, fdq, fdv = a.reshape(size), dq.reshape(size), dv.reshape(size)
        onset_rate, peak, onset = 0.0, 0.0, -1.0
        depth, rate = q[3, n + 1] - law[2], v[3, n + 1]
        note(q, 0.0, 0, histories)
        for step in range(1, n_step + 1):
            t = (step - 1) * h
            accelerations(t, q, v, a, onset_rate, rod, right)
            for i in range(size):
                fdq[i], fdv[i] = fv[i], fa[i]
                fqs[i], fvs[i] = fq[i] + 0.5 * h * fv[i], fv[i] + 0.5 * h * fa[i]
            for stage in range(2):
                accelerations(t + 0.5 * h, qs, vs, a, onset_rate, rod, right)
                width = 0.5 * h if stage == 0 else h
                for i in range(size):
                    fdq[i] += 2.0 * fvs[i]
                    fdv[i] += 2.0 * fa[i]
                    fqs[i], fvs[i] = fq[i] + width * fvs[i], fv[i] + width * fa[i]
            accelerations(t + h, qs, vs, a, onset_rate, rod, right)
            for i in range(size):
                fq[i] += h / 6.0 * (fdq[i] + fvs[i])
                fv[i] += h / 6.0 * (fdv[i] + fa[i])
            before, before_rate = depth, rate
            depth, rate = q[3, n + 1] - law[2], v[3, n + 1]
            if depth > 0.0:
                if onset_rate == 0.0:
                    part = before / (before - depth)
                    onset_rate = before_rate + part * (rate - before_rate)
                    onset = t + part * h if onset < 0.0 else onset
                peak = max(peak, pull(law, depth, rate, onset_rate))
            else:
                onset_rate = 0.0
            if step % every == 0:
                note(q, pull(law, depth, rate, onset_rate), step // every, histories)
        return peak, onset

    return march  # type: ignore[no-any-return]


def start(case: Slider) -> tuple[Array, Array]:
    """Coordinates and speeds: rows x, x', y, y', one column for each node, then one for crank and slider."""
    n = case.elements
    q, v = np.zeros((5, n + 2)), np.zeros((5, n + 2))
    part = np.linspace(0.0, 1.0, n + 1)
    q[0, : n + 1], q[1, : n + 1] = part * case.start_pin, case.start_pin / case.rod_length
    q[2, : n + 1], q[3, : n + 1] = (part - 1.0) * case.crank_length, case.crank_length / case.rod_length
    v[0, : n + 1] = case.start_speed
    q[:, n + 1] = [0.0, -case.crank_length / 2, -math.pi / 2, case.start_pin, 0.0]
    v[:, n + 1] = [case.start_speed / 2, 0.0, case.speed, case.start_speed, 0.0]
    return q, v


def simulate(case: Slider, penalty: Penalty) -> Any:
    """A function of no arguments that runs once and returns the histories, peak and first onset."""
    every = round(case.output_step / case.step)
    histories = np.empty((4, case.steps // every + 1))
    begin, rod, march = start(case), (rod_factor(case), rod_weight(case)), marching(case, penalty)

    def run() -> tuple[Array, float, float]:
        peak, onset = march(*begin, case.step, case.steps, every, rod, histories)
        return histories, peak, onset

    return run


def main() -> None:
    """Run and answer; the curve is the slider's position."""
    given = task()
    penalty = Penalty(**given.pop("penalty", {}))
    case = Slider(**given)
    times, (histories, peak, _) = timed(simulate(case, penalty), case.repeats)
    name = f"hand-written loop, {penalty.points}"
    more = {"y_mid": floats(histories[2]), "peak": (float(peak),)}
    send(Answer(name, f"numba {numba.__version__}", times, floats(histories[0]), more=more))


if __name__ == "__main__":
    main()
