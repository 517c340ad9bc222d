"""Ligament bundles: straight lines between two held points that pull by a law of their length."""

from __future__ import annotations

import math

from condyle._jit import inlined_kernel, kernel
from condyle.laws.ligament.quadratic import quadratic_energy, quadratic_force
from condyle.laws.ligament.toe_linear import toe_linear_energy, toe_linear_force
from condyle.mechanics.system import (
    DISSIPATION,
    LIGAMENTS,
    SIGN,
    TOTALS,
    VALUE,
    Array,
    Model,
    add_force,
    add_power,
    point_motion,
)

QUADRATIC, TOE_LINEAR = 0, 1

# A bundle's row, in `link`: law, bodies, watched switches (rows, -1 for none).
LAW, ORIGIN_BODY, INSERTION_BODY, SLACK, TOE, TEAR, LIMP = 0, 1, 2, 3, 4, 5, 6
# In `value`: places on the bodies [m], stiffness, length at rest [m], junction strain, damping [N s/m], limits.
ORIGIN_X, ORIGIN_Y, INSERTION_X, INSERTION_Y = 0, 1, 2, 3
STIFFNESS, REST, LINEAR_STRAIN, DAMPING, ALLOWED_STRAIN, ALLOWED_FORCE = 4, 5, 6, 7, 8, 9
# In `work`: length [m], rate [m/s], tension [N], stored energy [J], loss [W], ends [m].
LENGTH, RATE, TENSION, ENERGY, LOSS, FROM_X, FROM_Y, TO_X, TO_Y = 0, 1, 2, 3, 4, 5, 6, 7, 8
# In `memory`: torn or not and when [s], largest length and tension, each with its time.
TORN, TORN_AT, PEAK_LENGTH, PEAK_TENSION = 0, 1, 2, 4


@inlined_kernel
def accumulate_ligaments(model: Model, memory: Array, work: Array) -> None:
    """Pull every pair of attachments together by the bundle's law and watch where the law changes its branch."""
    for row in range(model.layout[LIGAMENTS], model.layout[LIGAMENTS + 1]):
        origin, insertion = model.link[row, ORIGIN_BODY], model.link[row, INSERTION_BODY]
        ax, ay, avx, avy = point_motion(work, origin, model.value[row, ORIGIN_X], model.value[row, ORIGIN_Y])
        bx, by, bvx, bvy = point_motion(
            work, insertion, model.value[row, INSERTION_X], model.value[row, INSERTION_Y]
        )
        dx, dy = bx - ax, by - ay
        length = math.sqrt(dx * dx + dy * dy)
        # Attachments that coincide leave the direction open; a bundle of no length pulls nowhere.
        inverse = 1.0 / length if length > 0.0 else 0.0
        ex, ey = dx * inverse, dy * inverse
        rate = (bvx - avx) * ex + (bvy - avy) * ey
        tension = tension_of(model, row, length, rate, memory, work)
        if tension != 0.0:
            add_force(work, origin, ax, ay, tension * ex, tension * ey)
            add_force(work, insertion, bx, by, -tension * ex, -tension * ey)
        work[row, FROM_X], work[row, FROM_Y], work[row, TO_X], work[row, TO_Y] = ax, ay, bx, by


@inlined_kernel
def tension_of(model: Model, row: int, length: float, rate: float, memory: Array, work: Array) -> float:
    """Tension [N] of a bundle of a length [m] that changes at a rate [m/s]; what it stores and loses is written."""
    tension, energy, elastic = 0.0, 0.0, 0.0
    limp = 1.0
    # Not the length but the branch says whether a bundle is taut: a damper sets in all at once.
    if memory[model.link[row, SLACK], SIGN] < 0.0 and memory[row, TORN] == 0.0:
        energy, elastic = stored_and_pull(model, row, length)
        limp = elastic + model.value[row, DAMPING] * rate
        # A bundle carries no compression, however fast it shortens (Machado 2010, Eq. 29).
        tension = max(limp, 0.0)
    if tension != 0.0:
        add_power(work, -tension * rate)
    loss = (tension - elastic) * rate
    work[TOTALS, DISSIPATION] += loss
    work[row, LENGTH], work[row, RATE], work[row, TENSION] = length, rate, tension
    work[row, ENERGY], work[row, LOSS] = energy, loss
    fill_switches(model, row, length, tension, limp, work)
    return tension


@kernel
def stored_and_pull(model: Model, row: int, length: float) -> tuple[float, float]:
    """Stored energy [J] and elastic tension [N] of one bundle, by its law."""
    stiffness, rest = model.value[row, STIFFNESS], model.value[row, REST]
    if model.link[row, LAW] == QUADRATIC:
        return quadratic_energy(stiffness, rest, length), quadratic_force(stiffness, rest, length)
    junction = model.value[row, LINEAR_STRAIN]
    return toe_linear_energy(stiffness, junction, rest, length), toe_linear_force(
        stiffness, junction, rest, length
    )


@kernel
def fill_switches(model: Model, row: int, length: float, tension: float, limp: float, work: Array) -> None:
    """Write how far a bundle is from going taut, from its linear branch, from tearing and from shortening so fast that
    its damper takes all tension away, where that is watched.
    """
    slack, toe, tear = model.link[row, SLACK], model.link[row, TOE], model.link[row, TEAR]
    if model.link[row, LIMP] >= 0:
        work[model.link[row, LIMP], VALUE] = limp
    rest = model.value[row, REST]
    work[slack, VALUE] = rest - length
    if toe >= 0:
        work[toe, VALUE] = rest * (1.0 + 2.0 * model.value[row, LINEAR_STRAIN]) - length
    if tear >= 0:
        strain_margin = model.value[row, ALLOWED_STRAIN] - (length / rest - 1.0)
        force_margin = 1.0 - tension / model.value[row, ALLOWED_FORCE]
        work[tear, VALUE] = min(strain_margin, force_margin)
