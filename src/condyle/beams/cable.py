"""The planar cable element: two nodes with a place and a slope each, cubic between them, no shear.

Its axial strain is the stretch |r'| - 1 and its bending strain the curvature theta' = (r' x r'') / |r'|^2 per length at
rest, so that its axial force and moment are those of the extensible elastica (Gerstmayr 2008); Green's strain and
the curvature per current length of the first formulations (Shabana 1998) are the same for small strains only. Both are
taken less what they are at rest, so a beam may be curved from the start.
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
    STRAIN_POWER,
)
from condyle.mechanics.system import N_COORDINATE, Array, Model

# A point of integration in the pool: its length, then the slopes and the second derivatives of the four functions.
POINT_WIDTH = 9


@kernel
def accumulate_cable(model: Model, row: int, states: Array, at: int, to: int, work: Array) -> None:
    """Add the elastic and damping forces of a beam of cable elements to its generalised forces in row `to`."""
    n, pool = model.layout[N_COORDINATE], model.pool
    axial, bending, delay = model.value[row, AXIAL], model.value[row, BENDING], model.value[row, DAMPING]
    damped, rest = model.link[row, DAMPED] != 0, model.link[row, REST]
    energy, loss, power = 0.0, 0.0, 0.0
    for element in range(model.link[row, N_ELEMENT]):
        q = model.link[row, FIRST] + 4 * element
        v = n + q
        ax, ay, bx, by = states[at, q], states[at, q + 1], states[at, q + 2], states[at, q + 3]
        cx, cy, dx, dy = states[at, q + 4], states[at, q + 5], states[at, q + 6], states[at, q + 7]
        fax, fay, fbx, fby, fcx, fcy, fdx, fdy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for point in range(model.link[row, N_POINT]):
            p = model.link[row, SHAPES] + POINT_WIDTH * point
            length, a1, b1, c1, d1 = pool[p], pool[p + 1], pool[p + 2], pool[p + 3], pool[p + 4]
            a2, b2, c2, d2 = pool[p + 5], pool[p + 6], pool[p + 7], pool[p + 8]
            sx, sy = a1 * ax + b1 * bx + c1 * cx + d1 * dx, a1 * ay + b1 * by + c1 * cy + d1 * dy
            kx, ky = a2 * ax + b2 * bx + c2 * cx + d2 * dx, a2 * ay + b2 * by + c2 * cy + d2 * dy
            stretch = math.sqrt(sx * sx + sy * sy)
            shrink = 1.0 / stretch
            inverse = shrink * shrink
            curvature = (sx * ky - sy * kx) * inverse
            strain, bend = stretch - 1.0 - pool[rest], curvature - pool[rest + 1]
            rest += 2
            force, moment = axial * strain, bending * bend
            energy += 0.5 * length * (force * strain + moment * bend)
            # Gradients of the stretch with respect to r', and of the curvature with respect to r' and r''.
            ex, ey = sx * shrink, sy * shrink
            gx = (ky - 2.0 * curvature * sx) * inverse
            gy = (-kx - 2.0 * curvature * sy) * inverse
            hx, hy = -sy * inverse, sx * inverse
            if damped:
                ux = (
                    a1 * states[at, v]
                    + b1 * states[at, v + 2]
                    + c1 * states[at, v + 4]
                    + d1 * states[at, v + 6]
                )
                uy = (
                    a1 * states[at, v + 1]
                    + b1 * states[at, v + 3]
                    + c1 * states[at, v + 5]
                    + d1 * states[at, v + 7]
                )
                wx = (
                    a2 * states[at, v]
                    + b2 * states[at, v + 2]
                    + c2 * states[at, v + 4]
                    + d2 * states[at, v + 6]
                )
                wy = (
                    a2 * states[at, v + 1]
                    + b2 * states[at, v + 3]
                    + c2 * states[at, v + 5]
                    + d2 * states[at, v + 7]
                )
                strain_rate, bend_rate = ex * ux + ey * uy, gx * ux + gy * uy + hx * wx + hy * wy
                force += axial * delay * strain_rate
                moment += bending * delay * bend_rate
                loss += length * delay * (axial * strain_rate * strain_rate + bending * bend_rate * bend_rate)
            px, py = length * (force * ex + moment * gx), length * (force * ey + moment * gy)
            mx, my = length * moment * hx, length * moment * hy
            fax, fay = fax + a1 * px + a2 * mx, fay + a1 * py + a2 * my
            fbx, fby = fbx + b1 * px + b2 * mx, fby + b1 * py + b2 * my
            fcx, fcy = fcx + c1 * px + c2 * mx, fcy + c1 * py + c2 * my
            fdx, fdy = fdx + d1 * px + d2 * mx, fdy + d1 * py + d2 * my
        states[to, v], states[to, v + 1] = states[to, v] - fax, states[to, v + 1] - fay
        states[to, v + 2], states[to, v + 3] = states[to, v + 2] - fbx, states[to, v + 3] - fby
        states[to, v + 4], states[to, v + 5] = states[to, v + 4] - fcx, states[to, v + 5] - fcy
        states[to, v + 6], states[to, v + 7] = states[to, v + 6] - fdx, states[to, v + 7] - fdy
        power -= (
            fax * states[at, v] + fay * states[at, v + 1] + fbx * states[at, v + 2] + fby * states[at, v + 3]
        )
        power -= (
            fcx * states[at, v + 4]
            + fcy * states[at, v + 5]
            + fdx * states[at, v + 6]
            + fdy * states[at, v + 7]
        )
    work[row, ENERGY], work[row, LOSS], work[row, STRAIN_POWER] = energy, loss, power
