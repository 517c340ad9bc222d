"""The planar shear-deformable element: two nodes with a place, a slope r_x and a section vector r_y each (Omar 2001).

Strains by the elastic line: with n the unit normal of the section and r_y its vector, axial strain n . r_x - 1, shear
strain r_y . r_x / |r_y|, bending strain theta' with theta the angle of r_y (Reissner's), and (r_y . r_y - 1) / 2 of the
section itself, as stiff as the beam along its axis. As Omar 2001 prints it, with the strains of a plane continuum,
the element locks: it bends many times too stiffly, since a section that is linear across cannot thin and widen as it
bends, nor follow the cubic axis. Strains by the elastic line at two points do not.
"""

from __future__ import annotations

import math

from condyle._jit import kernel
from condyle.beams.columns import (
    AXIAL,
    BENDING,
    DAMPED,
    DAMPING,
    ENERGY,
    FIRST,
    LOSS,
    N_ELEMENT,
    N_POINT,
    REST,
    SHAPES,
    SHEAR,
    STRAIN_POWER,
)
from condyle.mechanics.system import N_COORDINATE, Array, Model

# A point of integration in the pool: its length, slopes of the four cubic functions, the linear ones, their slope.
POINT_WIDTH = 8
# First coordinates of the pairs of the axis, and of the section vectors, in an element.
AXIS = (0, 2, 6, 8)


@kernel
def accumulate_shearable(model: Model, row: int, states: Array, at: int, to: int, work: Array) -> None:
    """Add the elastic and damping forces of a beam of shear-deformable elements to those in row `to`."""
    n, pool = model.layout[N_COORDINATE], model.pool
    axial, bending, shear = model.value[row, AXIAL], model.value[row, BENDING], model.value[row, SHEAR]
    delay = model.value[row, DAMPING] if model.link[row, DAMPED] != 0 else 0.0
    rest, energy, loss, power = model.link[row, REST], 0.0, 0.0, 0.0
    for element in range(model.link[row, N_ELEMENT]):
        q = model.link[row, FIRST] + 6 * element
        v = n + q
        for point in range(model.link[row, N_POINT]):
            p = model.link[row, SHAPES] + POINT_WIDTH * point
            length, one, two, over = pool[p], pool[p + 5], pool[p + 6], pool[p + 7]
            sx, sy, ux, uy = 0.0, 0.0, 0.0, 0.0
            for k in range(4):
                f, j = pool[p + 1 + k], AXIS[k]
                sx, sy = sx + f * states[at, q + j], sy + f * states[at, q + j + 1]
                ux, uy = ux + f * states[at, v + j], uy + f * states[at, v + j + 1]
            dx, dy = between(states, at, q, one, two)
            tx, ty = between(states, at, q, -over, over)
            vx, vy = between(states, at, v, one, two)
            wx, wy = between(states, at, v, -over, over)
            shrink = 1.0 / math.sqrt(dx * dx + dy * dy)
            inverse = shrink * shrink
            # The section's unit vector e, and its normal (ey, -ex) along the axis.
            ex, ey = dx * shrink, dy * shrink
            along, across = ey * sx - ex * sy, ex * sx + ey * sy
            curvature = (dx * ty - dy * tx) * inverse
            swell = 0.5 * (dx * dx + dy * dy - 1.0) - pool[rest + 3]
            # Turning the section by an angle takes `across` off `along`, and gives it `along`.
            turn = (dx * vy - dy * vx) * inverse
            along_rate = ey * ux - ex * uy + across * turn
            across_rate = ex * ux + ey * uy - along * turn
            swell_rate = dx * vx + dy * vy
            bend_rate = (vx * ty - vy * tx + dx * wy - dy * wx - 2.0 * curvature * swell_rate) * inverse
            strain, bend, slide = (
                along - 1.0 - pool[rest],
                curvature - pool[rest + 1],
                across - pool[rest + 2],
            )
            rest += 4
            force, moment, shove, squeeze = axial * strain, bending * bend, shear * slide, axial * swell
            energy += 0.5 * length * (force * strain + moment * bend + shove * slide + squeeze * swell)
            loss += length * delay * (axial * along_rate**2 + bending * bend_rate**2 + shear * across_rate**2)
            loss += length * delay * axial * swell_rate**2
            force, moment = force + delay * axial * along_rate, moment + delay * bending * bend_rate
            shove, squeeze = shove + delay * shear * across_rate, squeeze + delay * axial * swell_rate
            power -= length * (
                force * along_rate + moment * bend_rate + shove * across_rate + squeeze * swell_rate
            )
            fx, fy = length * (force * ey + shove * ex), length * (shove * ey - force * ex)
            for k in range(4):
                f, j = pool[p + 1 + k], AXIS[k]
                states[to, v + j] -= f * fx
                states[to, v + j + 1] -= f * fy
            # What turns the section, what bends it, what swells it.
            torque = length * (force * across - shove * along) * inverse
            share = length * moment * inverse
            gx = -dy * torque + share * (ty - 2.0 * curvature * dx) + length * squeeze * dx
            gy = dx * torque + share * (-tx - 2.0 * curvature * dy) + length * squeeze * dy
            hx, hy = -dy * share * over, dx * share * over
            push_sections(states, to, v, one * gx - hx, one * gy - hy, two * gx + hx, two * gy + hy)
    work[row, ENERGY], work[row, LOSS], work[row, STRAIN_POWER] = energy, loss, power


@kernel
def between(states: Array, row: int, q: int, one: float, two: float) -> tuple[float, float]:
    """A combination of the two section vectors, or of their rates, of the element that begins at `q`."""
    return (
        one * states[row, q + 4] + two * states[row, q + 10],
        one * states[row, q + 5] + two * states[row, q + 11],
    )


@kernel
def push_sections(
    states: Array, to: int, v: int, first_x: float, first_y: float, second_x: float, second_y: float
) -> None:
    """Take forces off those on the two section vectors."""
    states[to, v + 4] -= first_x
    states[to, v + 5] -= first_y
    states[to, v + 10] -= second_x
    states[to, v + 11] -= second_y
