"""Contact forces: followed roots become spots, spots get forces by the pair's law, forces go to the bodies."""

from __future__ import annotations

import math

from condyle._jit import inlined_kernel
from condyle.contact.detection import (
    BODY_I,
    BODY_J,
    CURVATURE_I,
    CURVATURE_J,
    FIRST_ROOT,
    FIRST_SPOT,
    GAP,
    LABEL,
    MODE,
    N_ROOT,
    N_SPOT,
    NORMAL_X,
    NORMAL_Y,
    REMARK,
    ROOT_I,
    ROOT_J,
    SIDE_BY_SIDE,
    SIZE,
    TIED,
    fill_roots,
    relative_pose,
)
from condyle.contact.roots import NONE, PARALLEL
from condyle.laws.contact.hertz import hertz_energy, hertz_force
from condyle.laws.contact.hysteresis import bounded_rate_ratio, hysteresis_force
from condyle.laws.contact.kelvin_voigt import kelvin_voigt_energy, kelvin_voigt_force
from condyle.laws.friction.brown_mcphee import brown_mcphee_force
from condyle.laws.friction.coulomb import coulomb_force
from condyle.laws.stiffness import generalised_stiffness
from condyle.mechanics.system import (
    COS,
    DISSIPATION,
    PAIRS,
    PX,
    PY,
    SIN,
    TOTALS,
    VALUE,
    Array,
    Model,
    add_force,
    add_power,
    point_velocity,
)

HYSTERESIS, KELVIN_VOIGT = 0, 1
FRICTIONLESS, COULOMB, BROWN_MCPHEE = 0, 1, 2

# A pair's row goes on in `link` behind the columns of detection: law, friction, whether pull is clamped, whether
# the stiffness follows the curvature at the contact.
LAW, FRICTION, CLAMPED, LOCAL_STIFFNESS = 10, 11, 12, 13
# And in `value`.
STIFFNESS, EXPONENT, FACTOR, DAMPING, ONSET_FLOOR = 1, 2, 3, 4, 5
FRICTION_A, FRICTION_B, FRICTION_C, FRICTION_D = 6, 7, 8, 9
COMPLIANCE_I, COMPLIANCE_J, RADIUS_I, RADIUS_J = 10, 11, 12, 13
# A spot's row, in `link`: rows of its watched switches, -1 for none.
GAP_CLOSES, PULL_BEGINS, ROOT_JUMPS = 0, 1, 2
# In `work`: places are global [m]; the normal points out of the second body; pull is what clamping took away [N];
# last the row of the spot's root.
DEPTH, DEPTH_RATE, NORMAL_FORCE, FRICTION_FORCE, NX, NY = 0, 1, 2, 3, 4, 5
FIRST_X, FIRST_Y, SECOND_X, SECOND_Y, ENERGY, LOSS, PULL, ROOT = 6, 7, 8, 9, 10, 11, 12, 13
# In `memory`: in contact or not, approach speed at onset [m/s]; largest depth and force, each with its time; time,
# work and last power of the pull; slowest onset so far; the overlap that does not count, for it was there before the
# contact began, and the largest it ever was [m]; accepted steps of this episode, and of the shortest so far.
TOUCHING, ONSET_SPEED, PEAK_DEPTH, PEAK_FORCE, PULL_TIME, PULL_WORK, PULL_POWER, SLOWEST_ONSET = (
    0,
    1,
    2,
    4,
    6,
    7,
    8,
    9,
)
OFFSET, LARGEST_OFFSET, EPISODE, SHORTEST = 10, 11, 12, 13
# When the outlines first stopped facing each other under load [s], and how deep they were last until then [m].
LOST_AT, LOST_DEPTH = 14, 15
# A pair's row, in `memory`, behind the columns of detection: energy lost where two of its contacts became one [J];
# whether one slipped off the ends of both curves; two for each jump to another root, less one for each step.
MERGED, SLIPPED, JUMPED = 5, 6, 7

# Gaps that differ by less than this part of the size are equal to round-off.
EQUAL_GAPS = 1e-12
# Three jumps in three steps are one too many.
OFTEN = 4.0


@inlined_kernel
def accumulate_contacts(model: Model, memory: Array, work: Array) -> None:
    """Detect every pair and push its bodies apart where their outlines overlap."""
    for p in range(model.layout[PAIRS], model.layout[PAIRS + 1]):
        fill_roots(model, p, relative_pose(work, model.link[p, BODY_I], model.link[p, BODY_J]), work)
        spot, root = model.link[p, FIRST_SPOT], model.link[p, FIRST_ROOT]
        watched = -1
        for s in range(spot, spot + model.link[p, N_SPOT]):
            if model.link[p, N_ROOT] > 1:
                root = root_of_spot(model, p, s, watched, memory, work)
                watched = root
            accumulate_spot(model, p, s, root, memory, work)


@inlined_kernel
def root_of_spot(model: Model, p: int, s: int, watched: int, memory: Array, work: Array) -> int:
    """Row of the root that a spot stands for, -1 for none: its own, or the next to close after the one `watched`.

    Writes by how much the next deepest of a touching spot's overlap is less deep: there the contact jumps.
    """
    single, touching = model.link[p, N_SPOT] == 1, memory[s, TOUCHING] != 0.0
    # A root found in the middle of a step may lie in an overlap that has its spot: it is not watched yet.
    begin = work[watched, GAP] if watched >= 0 and work[watched, LABEL] == 0.0 else -math.inf
    own, nearest, least, rival = -1, -1, math.inf, math.inf
    for r in range(model.link[p, FIRST_ROOT], model.link[p, FIRST_ROOT] + model.link[p, N_ROOT]):
        gap, label = work[r, GAP], work[r, LABEL]
        if work[r, MODE] == NONE:
            continue
        if label == s:
            own = r
        elif label == -s or (single and touching):
            rival = min(rival, gap)
        elif (single or label == 0.0) and gap < least and (gap > begin or (gap == begin and r > watched)):
            nearest, least = r, gap
    ahead = 1.0
    if touching and own >= 0:
        ahead = rival - work[own, GAP]
        # At the instant of a jump both are equally deep, which is no tie unless it jumps to and fro.
        jumped = 0.0 < memory[p, JUMPED] < OFTEN
        if abs(ahead) < EQUAL_GAPS * model.value[p, SIZE] and not jumped:
            work[p, REMARK] = TIED
    work[model.link[s, ROOT_JUMPS], VALUE] = ahead
    return own if touching or own >= 0 else nearest


@inlined_kernel
def accumulate_spot(model: Model, p: int, s: int, r: int, memory: Array, work: Array) -> None:
    """Place one root in the global frame and apply the force there; write down all about it."""
    for column in range(PULL + 1):
        work[s, column] = 0.0
    gap = work[r, GAP] + memory[s, OFFSET] if r >= 0 and work[r, MODE] != NONE else math.inf
    work[s, DEPTH], work[s, ROOT] = -gap, r
    work[model.link[s, GAP_CLOSES], VALUE] = gap
    if model.link[s, PULL_BEGINS] >= 0:
        work[model.link[s, PULL_BEGINS], VALUE] = 1.0
    if gap == math.inf:
        return
    bi, bj = model.link[p, BODY_I], model.link[p, BODY_J]
    ox, oy, cos, sin = work[bj, PX], work[bj, PY], work[bj, COS], work[bj, SIN]
    nx = cos * work[r, NORMAL_X] - sin * work[r, NORMAL_Y]
    ny = sin * work[r, NORMAL_X] + cos * work[r, NORMAL_Y]
    ix = ox + cos * work[r, ROOT_I] - sin * work[r, ROOT_I + 1]
    iy = oy + sin * work[r, ROOT_I] + cos * work[r, ROOT_I + 1]
    jx = ox + cos * work[r, ROOT_J] - sin * work[r, ROOT_J + 1]
    jy = oy + sin * work[r, ROOT_J] + cos * work[r, ROOT_J + 1]
    vix, viy = point_velocity(work, bi, ix, iy)
    vjx, vjy = point_velocity(work, bj, jx, jy)
    rate = -((vix - vjx) * nx + (viy - vjy) * ny)  # Machado 2010, Eq. 12
    work[s, DEPTH_RATE], work[s, NX], work[s, NY] = rate, nx, ny
    work[s, FIRST_X], work[s, FIRST_Y], work[s, SECOND_X], work[s, SECOND_Y] = ix, iy, jx, jy
    # Not the gap but the branch says whether the spot touches (Machado 2010, Eq. 23): a step that ends where contact
    # begins must not feel the force that only then sets in.
    if memory[s, TOUCHING] == 0.0:
        return
    if work[r, MODE] == PARALLEL:
        work[p, REMARK] = SIDE_BY_SIDE
    normal = normal_force(model, p, s, r, memory, work)
    add_force(work, bi, ix, iy, normal * nx, normal * ny)
    add_force(work, bj, jx, jy, -normal * nx, -normal * ny)
    add_power(work, -normal * rate)
    if model.link[p, FRICTION] != FRICTIONLESS:
        apply_friction(model, p, s, normal, work)


@inlined_kernel
def normal_force(model: Model, p: int, s: int, r: int, memory: Array, work: Array) -> float:
    """Normal force [N] of a touching spot by its law; writes stored energy, loss and the pull that was cut off."""
    depth, rate, value = work[s, DEPTH], work[s, DEPTH_RATE], model.value
    stiffness = value[p, STIFFNESS]
    if model.link[p, LOCAL_STIFFNESS]:
        stiffness = local_stiffness(model, p, work[r, CURVATURE_I], work[r, CURVATURE_J])
    if model.link[p, LAW] == KELVIN_VOIGT:
        # Past the end of a contact its branch goes on with the damper alone.
        printed = kelvin_voigt_force(stiffness, value[p, DAMPING], max(depth, 1e-300), rate)
        elastic = stiffness * max(depth, 0.0)
        energy = kelvin_voigt_energy(stiffness, depth)
        sign = printed
    else:
        ratio = bounded_rate_ratio(rate, memory[s, ONSET_SPEED], value[p, ONSET_FLOOR])
        printed = hysteresis_force(stiffness, value[p, EXPONENT], value[p, FACTOR], depth, ratio)
        elastic = hertz_force(stiffness, value[p, EXPONENT], depth)
        energy = hertz_energy(stiffness, value[p, EXPONENT], depth)
        sign = 1.0 + value[p, FACTOR] * ratio
    force = max(printed, 0.0) if model.link[p, CLAMPED] else printed
    if model.link[p, LOCAL_STIFFNESS]:
        # A stiffness that travels with the contact leaves no potential of depth alone: all work is integrated.
        elastic, energy = 0.0, 0.0
    if model.link[s, PULL_BEGINS] >= 0:
        work[model.link[s, PULL_BEGINS], VALUE] = sign
    loss = (force - elastic) * rate
    work[TOTALS, DISSIPATION] += loss
    work[s, NORMAL_FORCE], work[s, ENERGY], work[s, LOSS], work[s, PULL] = (
        force,
        energy,
        loss,
        force - printed,
    )
    return force


@inlined_kernel
def local_stiffness(model: Model, p: int, curvature_i: float, curvature_j: float) -> float:
    """Generalised stiffness from the radii at the contact itself (Machado 2010, Eq. 25); given radii stay as given."""
    radius_i, radius_j = model.value[p, RADIUS_I], model.value[p, RADIUS_J]
    if math.isnan(radius_i):
        radius_i = 1.0 / curvature_i if curvature_i != 0.0 else math.inf
    if math.isnan(radius_j):
        radius_j = 1.0 / curvature_j if curvature_j != 0.0 else math.inf
    if not 1.0 / radius_i + 1.0 / radius_j > 0.0:
        return math.nan  # no point contact: the run stops and says where
    return generalised_stiffness(
        model.value[p, COMPLIANCE_I], model.value[p, COMPLIANCE_J], radius_i, radius_j
    )


@inlined_kernel
def apply_friction(model: Model, p: int, s: int, normal: float, work: Array) -> None:
    """Friction along the contact, applied to both bodies at one place so that no moment is made of nothing."""
    bi, bj = model.link[p, BODY_I], model.link[p, BODY_J]
    x, y = 0.5 * (work[s, FIRST_X] + work[s, SECOND_X]), 0.5 * (work[s, FIRST_Y] + work[s, SECOND_Y])
    tx, ty = work[s, NY], -work[s, NX]
    vix, viy = point_velocity(work, bi, x, y)
    vjx, vjy = point_velocity(work, bj, x, y)
    speed = (vix - vjx) * tx + (viy - vjy) * ty  # Machado 2010, Eq. 13
    a, b, c = model.value[p, FRICTION_A], model.value[p, FRICTION_B], model.value[p, FRICTION_C]
    pressed = max(normal, 0.0)
    if model.link[p, FRICTION] == COULOMB:
        friction = coulomb_force(pressed, a, b, c, speed)
    else:
        friction = brown_mcphee_force(pressed, a, b, c, model.value[p, FRICTION_D], speed)
    add_force(work, bi, x, y, friction * tx, friction * ty)
    add_force(work, bj, x, y, -friction * tx, -friction * ty)
    add_power(work, friction * speed)
    work[TOTALS, DISSIPATION] -= friction * speed
    work[s, FRICTION_FORCE] = friction
    work[s, LOSS] -= friction * speed
