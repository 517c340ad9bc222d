"""The generalised-alpha method on the differential-algebraic equations, compiled: positions keep the joints exactly.

Chung and Hulbert's method in the form of Arnold 2007 for index 3: joints and drivers hold at the end of every step,
their efforts are unknowns of the step. Waves that the step cannot follow are damped by `spectral_radius`. Newton's
method keeps its matrix as long as it converges well; the matrix comes from the forces themselves, each coordinate of
a body nudged in turn, and those of beams all together in three colours of nodes, since a node feels its neighbours
only.
"""

from __future__ import annotations

from typing import NamedTuple

from condyle._jit import inlined_kernel, kernel
from condyle.analysis.dynamics import any_flipped
from condyle.analysis.march import (
    AMBIGUOUS,
    COLLAPSED,
    DONE,
    DY,
    DY_NEW,
    END,
    EVALUATIONS,
    FLIPPED,
    KINK,
    NOT_FINITE,
    REJECTED,
    RUNNING,
    STAGE,
    STEP,
    STEPS,
    STOP,
    TARGET,
    TIME,
    Y_NEW,
    Run,
    Y,
    accept,
    asked_by_contacts,
    is_finite,
    just_before,
    next_stop,
)
from condyle.analysis.space_implicit import (
    fill_space_forces,
    fill_space_residual,
    fill_space_system,
    place_moved,
)
from condyle.beams.beams import fill_beam_forces
from condyle.beams.columns import FACTOR_BAND, FIRST, MASS, N_NODE_PAIR, N_PAIR
from condyle.contact.forces import accumulate_contacts
from condyle.contact.foundation.pairs import Space
from condyle.mechanics import system
from condyle.mechanics.frames import fill_frames, spread_gradient
from condyle.mechanics.space import N_BODY_COORDINATE, N_BODY_RATE, fill_space_rates
from condyle.mechanics.system import (
    BEAMS,
    BODIES,
    EQUATIONS,
    FX,
    FY,
    INERTIA,
    MOMENT,
    N_COORDINATE,
    N_FREE,
    N_RATE,
    Array,
    Model,
    accumulate_gravity,
    add_power,
    fill_poses,
    fill_rates,
    first_work,
)
from condyle.multibody.equations import (
    EFFORT,
    FIRST_FRAME,
    J_FIRST,
    J_SECOND,
    MISS,
    SECOND_FRAME,
    TARGET_RATE,
    fill_equations,
)
from condyle.multibody.ligaments import accumulate_ligaments
from condyle.multibody.loads import accumulate_loads
from condyle.multibody.springs import accumulate_springs
from condyle.solve.bordered import Bordered, clear_system, factor_system, solve_system

# Rows of the states behind the trial: a nudged state and its forces; forces at the trial.
NUDGED, NUDGED_FORCE, FORCE = STAGE, STAGE + 1, STAGE + 2
N_STATE_ROW = STAGE + 3
# Slots of `Alpha.setting`: weights of the method; change of a coordinate at which Newton's method has converged
# [m, rad]; relative and absolute error of a step that is put up with, the first zero where steps are as given.
ALPHA_M, ALPHA_F, GAMMA, BETA, SETTLED, RELATIVE, ABSOLUTE = 0, 1, 2, 3, 4, 5, 6
# Slots of `Alpha.matrix`: step for which the matrix was made [s], or 0; step to try next where it is chosen [s]; by
# how much a rate [1/s] and an acceleration [1/s^2] change with a coordinate, and by what equations of motion are scaled
# [s^2].
MADE_FOR, NEXT_STEP, TO_VELOCITY, TO_ACCELERATION, SCALE = 0, 1, 2, 3, 4
# How far a coordinate is nudged [m, rad, 1].
NUDGE = 1e-7
MOST_ITERATIONS = 12
# The matrix is made afresh when an iteration takes away less than this part of the error.
SLOW = 0.4
# Steps that differ by less than this part share a matrix.
SAME_STEP = 1e-6
# A step is halved so often before it is given up.
MOST_HALVINGS = 20


class Alpha(NamedTuple):
    """What a run by this method keeps: `drift` (n_rate,) the method's own accelerations, `trial` those of the step that
    is tried, `shift` by how much that moves; `setting` (7,); `matrix` (5,); the system of Newton's method and its
    right-hand side `beams` and `border`.
    """

    drift: Array
    trial: Array
    shift: Array
    setting: Array
    matrix: Array
    system: Bordered
    beams: Array
    border: Array


@kernel
def march_implicit(model: Model, memory: Array, work: Array, run: Run, alpha: Alpha, steps: int) -> int:
    """Go on for a number of steps, to the end, a kink, or a step in which a law changes its branch; returns which.

    No step, `steps` 0, is one that is tried up to `clock[TARGET]` and not accepted; RUNNING, or COLLAPSED. It is
    asked for here since a kernel of its own would compile all that a step calls once more.
    """
    clock, count = run.clock, run.tally
    if steps == 0:
        return RUNNING if fill_alpha_step(model, memory, work, run, alpha, clock[TARGET]) else COLLAPSED
    for _ in range(steps):
        chooses = alpha.setting[RELATIVE] > 0.0
        end = clock[TIME] + alpha.matrix[NEXT_STEP] if chooses else clock[STEP] * (count[STEPS] + 1)
        if end > clock[END] - 1e-9 * clock[STEP]:
            end = clock[END]
        while clock[TIME] < end:
            code = one_step(model, memory, work, run, alpha, next_stop(run, end))
            if code != RUNNING:
                return code
            if chooses:
                break
        count[STEPS] += 1
        code = asked_by_contacts(model, memory, work)
        if code == AMBIGUOUS:
            return code
        if clock[TIME] >= clock[END]:
            return DONE
        if code != RUNNING:
            return code
    return RUNNING


@kernel
def one_step(model: Model, memory: Array, work: Array, run: Run, alpha: Alpha, until: float) -> int:
    """Step to an instant, or not so far where the step must be shorter, and accept it; RUNNING, or why it was not."""
    clock, count = run.clock, run.tally
    clock[TARGET] = until
    for _ in range(MOST_HALVINGS):
        if fill_alpha_step(model, memory, work, run, alpha, clock[TARGET]):
            error = step_error(model.space, run, alpha)
            if error <= 1.0:
                if not is_finite(run.states, Y_NEW):
                    return NOT_FINITE
                if any_flipped(model, memory, work):
                    return FLIPPED
                choose_step(run, alpha, error)
                accept_alpha(model, memory, work, run, alpha, clock[TARGET])
                at_stop = count[STOP] < run.stop.shape[0] and run.stop[count[STOP]] == clock[TIME]
                return KINK if at_stop else RUNNING
        count[REJECTED] += 1
        clock[TARGET] = clock[TIME] + 0.5 * (clock[TARGET] - clock[TIME])
        alpha.matrix[NEXT_STEP] = clock[TARGET] - clock[TIME]
    return COLLAPSED


@kernel
def step_error(space: Space | None, run: Run, alpha: Alpha) -> float:
    """Error of the step that is tried, in parts of what is put up with; zero where steps are as given."""
    relative, absolute = alpha.setting[RELATIVE], alpha.setting[ABSOLUTE]
    if relative == 0.0:
        return 0.0
    step = run.clock[TARGET] - run.clock[TIME]
    share, largest = abs(alpha.setting[BETA] - 1.0 / 6.0) * step * step, 0.0
    for k in range(alpha.drift.shape[0]):
        error = share * abs(alpha.trial[k] - alpha.drift[k])
        largest = max(largest, error / (absolute + relative * size_along(space, run.states, k)))
    return largest


@kernel
def size_along(space: Space | None, states: Array, k: int) -> float:
    """How large the coordinate of the trial is that a rate changes; turns count as 1 in space."""
    if space is None:
        return abs(states[Y_NEW, k])
    part = k % N_BODY_RATE
    return abs(states[Y_NEW, N_BODY_COORDINATE * (k // N_BODY_RATE) + part]) if part < 3 else 1.0


@kernel
def choose_step(run: Run, alpha: Alpha, error: float) -> None:
    """Choose the next step by the error of the last one; a little is not worth a new matrix."""
    step = run.clock[TARGET] - run.clock[TIME]
    growth = min(0.9 / max(error, 1e-3) ** (1.0 / 3.0), 2.0)
    planned = alpha.matrix[NEXT_STEP]
    if growth > 1.5 and step >= 0.999 * planned:
        alpha.matrix[NEXT_STEP] = min(growth * step, run.clock[END])
    elif growth < 1.0:
        alpha.matrix[NEXT_STEP] = min(growth * step, planned)


@kernel
def accept_alpha(model: Model, memory: Array, work: Array, run: Run, alpha: Alpha, now: float) -> None:
    """Make the trial the state."""
    accept(model, memory, work, run, now)
    for k in range(alpha.drift.shape[0]):
        alpha.drift[k] = alpha.trial[k]


@kernel
def fill_alpha_step(model: Model, memory: Array, work: Array, run: Run, alpha: Alpha, now: float) -> bool:
    """Write the state after a step to `now` and its rate; whether Newton's method found it."""
    setting = alpha.setting
    step, time = now - run.clock[TIME], max(just_before(now), run.clock[TIME])
    am, af, gamma, beta = setting[ALPHA_M], setting[ALPHA_F], setting[GAMMA], setting[BETA]
    alpha.matrix[TO_VELOCITY] = gamma / (beta * step)
    alpha.matrix[TO_ACCELERATION] = (1.0 - am) / (beta * step * step * (1.0 - af))
    alpha.matrix[SCALE] = step * step
    begin_step(model.space, model, run.states, alpha, step)
    before, fresh = 0.0, False
    for iteration in range(MOST_ITERATIONS):
        fill_trial_forces(model.plane, model.space, time, model, memory, work, run)
        if abs(alpha.matrix[MADE_FOR] - step) > SAME_STEP * step:
            fill_system(model.plane, model.space, time, model, memory, work, run, alpha)
            alpha.matrix[MADE_FOR], fresh = step, True
        fill_residual(model.plane, model.space, model, work, run.states, alpha)
        solve_system(alpha.system, alpha.beams, alpha.border)
        change = apply_change(model.space, model, work, run.states, alpha)
        if change <= setting[SETTLED]:
            fill_trial_forces(model.plane, model.space, time, model, memory, work, run)
            fill_trial(model.space, model, run.states, work, alpha, step)
            return True
        if not change < 1e6:
            break
        if iteration > 0 and change > SLOW * before and not fresh:
            alpha.matrix[MADE_FOR] = 0.0
        fresh, before = False, change
    alpha.matrix[MADE_FOR] = 0.0
    return False


@kernel
def begin_step(space: Space | None, model: Model, states: Array, alpha: Alpha, step: float) -> None:
    """Write the trial as if the acceleration went on as it is."""
    setting, n = alpha.setting, model.layout[N_COORDINATE]
    am, gamma, beta = setting[ALPHA_M], setting[GAMMA], setting[BETA]
    for k in range(model.layout[N_RATE]):
        v, a, drift = states[Y, n + k], states[DY, n + k], alpha.drift[k]
        new = (a - am * drift) / (1.0 - am)
        alpha.shift[k] = step * v + step * step * ((0.5 - beta) * drift + beta * new)
        states[Y_NEW, n + k] = v + step * ((1.0 - gamma) * drift + gamma * new)
        states[DY_NEW, n + k] = a
    place_trial(space, model, states, alpha)


@kernel
def place_trial(space: Space | None, model: Model, states: Array, alpha: Alpha) -> None:
    """Write the coordinates of the trial, moved from the accepted state by the shift of the step."""
    if space is not None:
        place_moved(model, states, Y, Y_NEW, alpha.shift)
    else:
        for k in range(model.layout[N_COORDINATE]):
            states[Y_NEW, k] = states[Y, k] + alpha.shift[k]


@kernel
def fill_trial_forces(
    plane: Array | None, space: Space | None, time: float, model: Model, memory: Array, work: Array, run: Run
) -> None:
    """Write the forces at the trial."""
    run.tally[EVALUATIONS] += 1
    if space is not None:
        fill_space_forces(space, time, run.states, FORCE, model, memory, work)
    if plane is not None:
        fill_forces(time, run.states, Y_NEW, FORCE, model, memory, work)


@inlined_kernel
def fill_trial(
    space: Space | None, model: Model, states: Array, work: Array, alpha: Alpha, step: float
) -> None:
    """Write the method's own accelerations and the rates of the works at the end of the step, and the works."""
    n, setting = model.layout[N_COORDINATE], alpha.setting
    am, af = setting[ALPHA_M], setting[ALPHA_F]
    for k in range(model.layout[N_RATE]):
        a, new = states[DY, n + k], states[DY_NEW, n + k]
        alpha.trial[k] = ((1.0 - af) * new + af * a - am * alpha.drift[k]) / (1.0 - am)
    for row in range(model.layout[EQUATIONS], model.layout[EQUATIONS + 1]):
        power = work[row, EFFORT] * work[row, TARGET_RATE]
        if power != 0.0:
            add_power(work, power)
            work[system.TOTALS, system.DRIVER_POWER] += power
    if space is not None:
        fill_space_rates(model, states, Y_NEW, DY_NEW, work)
    else:
        fill_rates(model, states, Y_NEW, DY_NEW, work)
    for k in range(first_work(model), states.shape[1]):
        states[Y_NEW, k] = states[Y, k] + 0.5 * step * (states[DY, k] + states[DY_NEW, k])


@kernel
def fill_forces(
    time: float, states: Array, at: int, to: int, model: Model, memory: Array, work: Array
) -> None:
    """Write all generalised forces, those of joints and drivers by their present efforts included, into row `to`."""
    fill_poses(model, states, at, work)
    fill_frames(model, states, at, memory, work)
    fill_equations(model, time, work)
    for row in range(model.layout[EQUATIONS], model.layout[EQUATIONS + 1]):
        effort = work[row, EFFORT]
        pull(work, model.link[row, FIRST_FRAME], effort, row, J_FIRST)
        pull(work, model.link[row, SECOND_FRAME], effort, row, J_SECOND)
    accumulate_gravity(model, work)
    accumulate_ligaments(model, memory, work)
    accumulate_springs(model, work)
    accumulate_loads(model, time, work)
    accumulate_contacts(model, memory, work)
    fill_beam_forces(model, states, at, to, work)
    first, n = model.layout[BODIES], model.layout[N_COORDINATE]
    for b in range(model.layout[N_FREE]):
        row, v = first + b, n + 3 * b
        states[to, v], states[to, v + 1], states[to, v + 2] = work[row, FX], work[row, FY], work[row, MOMENT]


@kernel
def pull(work: Array, body: int, effort: float, row: int, column: int) -> None:
    """Add the force of an equation's effort to one of its bodies or frames."""
    work[body, FX] += effort * work[row, column]
    work[body, FY] += effort * work[row, column + 1]
    work[body, MOMENT] += effort * work[row, column + 2]


@kernel
def fill_residual(
    plane: Array | None, space: Space | None, model: Model, work: Array, states: Array, alpha: Alpha
) -> None:
    """Write what Newton's method must take away: forces less mass times acceleration, scaled, and open joints."""
    if plane is not None:
        fill_plane_residual(model, states, alpha)
    if space is not None:
        fill_space_residual(model, states, FORCE, alpha.border, alpha.matrix[SCALE])
    first = model.layout[N_RATE] - alpha.beams.shape[0]
    for k in range(model.layout[EQUATIONS + 1] - model.layout[EQUATIONS]):
        alpha.border[first + k] = -work[model.layout[EQUATIONS] + k, MISS]


@kernel
def fill_plane_residual(model: Model, states: Array, alpha: Alpha) -> None:
    """Write forces less mass times acceleration, scaled, of bodies and beams in the plane."""
    n, n_body, scale = model.layout[N_COORDINATE], 3 * model.layout[N_FREE], alpha.matrix[SCALE]
    first = model.layout[BODIES]
    for k in range(n_body):
        column = system.MASS if k % 3 < 2 else INERTIA
        inertia = model.value[first + k // 3, column] * states[DY_NEW, n + k]
        alpha.border[k] = scale * (states[FORCE, n + k] - inertia)
    for row in range(model.layout[BEAMS], model.layout[BEAMS + 1]):
        begin, count, block = model.link[row, FIRST], model.link[row, N_PAIR], model.link[row, MASS]
        for i in range(count):
            x, y = 0.0, 0.0
            for k in range(max(i - FACTOR_BAND, 0), min(i + FACTOR_BAND + 1, count)):
                entry = model.pool[block + (2 * FACTOR_BAND + 1) * i + k - i + FACTOR_BAND]
                x += entry * states[DY_NEW, n + begin + 2 * k]
                y += entry * states[DY_NEW, n + begin + 2 * k + 1]
            at = begin + 2 * i
            alpha.beams[at - n_body] = scale * (states[FORCE, n + at] - x)
            alpha.beams[at + 1 - n_body] = scale * (states[FORCE, n + at + 1] - y)


@kernel
def apply_change(space: Space | None, model: Model, work: Array, states: Array, alpha: Alpha) -> float:
    """Move the trial by the solution; returns the largest change of a coordinate, or by an effort on a unit of mass."""
    n, n_body, scale = (
        model.layout[N_COORDINATE],
        model.layout[N_RATE] - alpha.beams.shape[0],
        alpha.matrix[SCALE],
    )
    to_velocity, to_acceleration = alpha.matrix[TO_VELOCITY], alpha.matrix[TO_ACCELERATION]
    largest = 0.0
    for k in range(model.layout[N_RATE]):
        change = alpha.border[k] if k < n_body else alpha.beams[k - n_body]
        alpha.shift[k] += change
        states[Y_NEW, n + k] += to_velocity * change
        states[DY_NEW, n + k] += to_acceleration * change
        largest = max(largest, abs(change))
    place_trial(space, model, states, alpha)
    for k in range(model.layout[EQUATIONS + 1] - model.layout[EQUATIONS]):
        work[model.layout[EQUATIONS] + k, EFFORT] += alpha.border[n_body + k] / scale
        largest = max(largest, abs(alpha.border[n_body + k]))
    return largest


@kernel
def fill_system(
    plane: Array | None,
    space: Space | None,
    time: float,
    model: Model,
    memory: Array,
    work: Array,
    run: Run,
    alpha: Alpha,
) -> None:
    """Write and factor the matrix of Newton's method at the trial."""
    if plane is not None:
        fill_plane_system(time, model, memory, work, run, alpha)
    if space is not None:
        factors = (
            NUDGED,
            NUDGED_FORCE,
            FORCE,
            alpha.matrix[TO_VELOCITY],
            alpha.matrix[TO_ACCELERATION],
            alpha.matrix[SCALE],
        )
        fill_space_system(space, time, model, memory, work, run, alpha.system, factors)


@kernel
def fill_plane_system(time: float, model: Model, memory: Array, work: Array, run: Run, alpha: Alpha) -> bool:
    """Write and factor the matrix of Newton's method at the trial, whose forces are there already."""
    states, n, n_body = run.states, model.layout[N_COORDINATE], 3 * model.layout[N_FREE]
    to_velocity, scale = alpha.matrix[TO_VELOCITY], alpha.matrix[SCALE]
    clear_system(alpha.system)
    add_jacobian(model, work, alpha)
    add_masses(model, alpha, scale * alpha.matrix[TO_ACCELERATION])
    for k in range(2 * n):
        states[NUDGED, k] = states[Y_NEW, k]
    for k in range(n_body):
        states[NUDGED, k] += NUDGE
        states[NUDGED, n + k] += to_velocity * NUDGE
        fill_forces(time, states, NUDGED, NUDGED_FORCE, model, memory, work)
        states[NUDGED, k], states[NUDGED, n + k] = states[Y_NEW, k], states[Y_NEW, n + k]
        for i in range(n):
            slope = -scale * (states[NUDGED_FORCE, n + i] - states[FORCE, n + i]) / NUDGE
            if i < n_body:
                alpha.system.corner[i, k] += slope
            else:
                # What a body does to a beam, a beam does to the body: so it is for springs, nearly for the rest.
                alpha.system.right[i - n_body, k] += slope
                alpha.system.left[i - n_body, k] += slope
    add_beam_stiffness(time, model, memory, work, run, alpha)
    run.tally[EVALUATIONS] += n_body
    fill_forces(time, states, Y_NEW, FORCE, model, memory, work)
    return factor_system(alpha.system)


@kernel
def add_beam_stiffness(time: float, model: Model, memory: Array, work: Array, run: Run, alpha: Alpha) -> None:
    """Add how forces on beams change with their own coordinates: every third node of all beams is nudged at once."""
    states, n, n_body = run.states, model.layout[N_COORDINATE], 3 * model.layout[N_FREE]
    if n == n_body:
        return
    band, width = alpha.system.band, alpha.system.band.shape[1] // 2
    to_velocity, scale = alpha.matrix[TO_VELOCITY], alpha.matrix[SCALE]
    most = 0
    for row in range(model.layout[BEAMS], model.layout[BEAMS + 1]):
        most = max(most, 2 * model.link[row, N_NODE_PAIR])
    for colour in range(3):
        for k in range(most):
            nudge_nodes(model, states, colour, k, to_velocity)
            fill_forces(time, states, NUDGED, NUDGED_FORCE, model, memory, work)
            run.tally[EVALUATIONS] += 1
            for row in range(model.layout[BEAMS], model.layout[BEAMS + 1]):
                size, begin = 2 * model.link[row, N_NODE_PAIR], model.link[row, FIRST]
                nodes = 2 * model.link[row, N_PAIR] // size
                if k >= size:
                    continue
                for node in range(colour, nodes, 3):
                    j = begin + node * size + k
                    states[NUDGED, j], states[NUDGED, n + j] = states[Y_NEW, j], states[Y_NEW, n + j]
                    for i in range(begin + max(node - 1, 0) * size, begin + min(node + 2, nodes) * size):
                        slope = -scale * (states[NUDGED_FORCE, n + i] - states[FORCE, n + i]) / NUDGE
                        band[i - n_body, j - i + width] += slope


@kernel
def nudge_nodes(model: Model, states: Array, colour: int, k: int, to_velocity: float) -> None:
    """Nudge coordinate `k` of every third node of all beams."""
    n = model.layout[N_COORDINATE]
    for row in range(model.layout[BEAMS], model.layout[BEAMS + 1]):
        size, begin = 2 * model.link[row, N_NODE_PAIR], model.link[row, FIRST]
        if k < size:
            for node in range(colour, 2 * model.link[row, N_PAIR] // size, 3):
                j = begin + node * size + k
                states[NUDGED, j] += NUDGE
                states[NUDGED, n + j] += to_velocity * NUDGE


@kernel
def add_jacobian(model: Model, work: Array, alpha: Alpha) -> None:
    """Add J below and -J^T beside the matrix of forces."""
    first, n_body = model.layout[EQUATIONS], 3 * model.layout[N_FREE]
    for row in range(first, model.layout[EQUATIONS + 1]):
        k = n_body + row - first
        for side in range(2):
            frame = model.link[row, FIRST_FRAME + side]
            spread_gradient(model, frame, work, row, J_FIRST + 3 * side, alpha.beams, alpha.border)
        for i in range(n_body):
            alpha.system.corner[k, i] += alpha.border[i]
            alpha.system.corner[i, k] -= alpha.border[i]
            alpha.border[i] = 0.0
        for i in range(alpha.beams.shape[0]):
            alpha.system.left[i, k] += alpha.beams[i]
            alpha.system.right[i, k] -= alpha.beams[i]
            alpha.beams[i] = 0.0


@kernel
def add_masses(model: Model, alpha: Alpha, factor: float) -> None:
    """Add the mass matrix times a factor."""
    first, n_body = model.layout[BODIES], 3 * model.layout[N_FREE]
    for k in range(n_body):
        column = system.MASS if k % 3 < 2 else INERTIA
        alpha.system.corner[k, k] += factor * model.value[first + k // 3, column]
    width = alpha.system.band.shape[1] // 2
    for row in range(model.layout[BEAMS], model.layout[BEAMS + 1]):
        begin, count, block = model.link[row, FIRST] - n_body, model.link[row, N_PAIR], model.link[row, MASS]
        for i in range(count):
            for k in range(max(i - FACTOR_BAND, 0), min(i + FACTOR_BAND + 1, count)):
                entry = factor * model.pool[block + (2 * FACTOR_BAND + 1) * i + k - i + FACTOR_BAND]
                at = begin + 2 * i
                if entry != 0.0:
                    alpha.system.band[at, 2 * (k - i) + width] += entry
                    alpha.system.band[at + 1, 2 * (k - i) + width] += entry
