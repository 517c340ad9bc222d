"""Rest under load: at every output time the pose in which all forces balance, as if the load changed slowly.

Newton's method on Q + J^T e = 0 and Phi = 0 together, for the coordinates and the efforts of joints and drivers. What
moves freely must be held by something, a spring, a contact or a joint. Where Newton's method does not get there at
once, the load is brought on in parts: at the first time from nothing, later along the way in between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from condyle._jit import plain
from condyle.analysis import dynamics
from condyle.analysis.assembly import Assembler, assembled
from condyle.analysis.coordinates import jacobian, mass_times, moved, sizes
from condyle.analysis.dynamics import recall, right_hand_side
from condyle.analysis.kinematics import still_trajectory
from condyle.analysis.progress import Progress
from condyle.analysis.trajectory import Status, Trajectory, output_times
from condyle.contact.foundation.pair import PAIR_FORCE
from condyle.mechanics import system
from condyle.mechanics.space import GRAVITY_Z, MASS
from condyle.mechanics.system import EQUATIONS, LIGAMENTS, LOADS, PATCHES, SPRINGS, Array
from condyle.model.compiled import CompiledModel
from condyle.multibody import springs
from condyle.multibody.equations import EFFORT, MISS
from condyle.multibody.ligaments import TENSION
from condyle.multibody.loads import AMPLITUDE
from condyle.multibody.space_elements import LOAD_FORCE
from condyle.spec.errors import Problem, SpecError

MOST_ITERATIONS = 25
# No coordinate moves further in a step of Newton's method [m, rad].
LONGEST_STEP = 0.5
# Forces balance when what is left is below this part of the largest of them.
BALANCED = 1e-9
ROUND_OFF = 1e-15
SMALLEST_PART = 1e-3
# A coordinate is moved by this part of its size to see how forces change.
NUDGE = 1e-7


@dataclass(frozen=True)
class Pose:
    """A pose with what acts in it: unbalanced forces, how far joints are open, J, the efforts, and a size of forces."""

    q: Array
    efforts: Array
    force: Array
    miss: Array
    slopes: Array
    scale: float

    @property
    def unbalance(self) -> float:
        """What is left of forces, in parts of the largest."""
        return float(np.abs(self.force).max() / self.scale)


class Statics:
    """A model at rest at one time, under a part of its load."""

    def __init__(self, model: CompiledModel, time: float, part: float) -> None:
        self.model, self.time = _loaded(model, part), time
        self.memory, self.work = model.memory.copy(), model.work.copy()
        self.smallest = 1e-12
        self.signs = plain(dynamics.fill_signs)

    def forces(self, q: Array) -> tuple[Array, Array, Array]:
        """Generalised forces without those of joints, what joints miss, and J, at a pose at rest."""
        n, model = len(q), self.model
        states = np.zeros((2, len(model.start)))
        states[0, :n] = q
        # Twice: the first look tells which contacts touch and which ligaments are taut.
        for _ in range(2):
            recall(model.arrays, self.memory, self.work)
            right_hand_side(self.time, states, 0, 1, model.arrays, self.memory, self.work)
            self.signs(model.arrays, self.memory, self.work, 0.0)
        rows, slopes = model.rows(EQUATIONS), jacobian(model, self.work)
        total = mass_times(model, states[1, model.rates])
        return total - slopes.T @ self.work[rows, EFFORT], self.work[rows, MISS].copy(), slopes

    def pose(self, q: Array, efforts: Array) -> Pose:
        """What acts at a pose under given efforts."""
        force, miss, slopes = self.forces(q)
        pull = slopes.T @ efforts
        sizes_of_forces = (np.abs(part).max(initial=0.0) for part in (force, pull, self._single()))
        scale = max(*map(float, sizes_of_forces), self.smallest)
        return Pose(q, efforts, force + pull, miss, slopes, scale)

    def _single(self) -> Array:
        """Forces one by one at the last look, in space: on a body that nothing holds but contacts and ligaments they
        are large where their sum is nothing.
        """
        model, work = self.model, self.work
        if model.dimensions == 2:
            return np.zeros(0)
        value, bodies = model.arrays.value, [model.body_rows[name] for name in model.free_bodies]
        gravity = value[system.TOTALS, [system.GRAVITY_X, system.GRAVITY_Y, GRAVITY_Z]]
        parts = (
            np.outer(value[bodies, MASS], gravity),
            work[model.rows(LOADS), LOAD_FORCE : LOAD_FORCE + 3],
            work[model.rows(PATCHES), PAIR_FORCE : PAIR_FORCE + 3],
            work[model.rows(LIGAMENTS), TENSION],
            work[model.rows(SPRINGS), springs.EFFORT],
        )
        return np.concatenate([np.ravel(part) for part in parts])

    def stiffness(self, at: Pose) -> Array:
        """How the forces change along all rates while the efforts stay, shape (n_rate, n_rate)."""
        nudges = np.diag(np.maximum(sizes(self.model, at.q), 1e-2) * NUDGE)
        columns = []
        for k, nudge in enumerate(nudges):
            step, sides = nudge[k], []
            for sign in (1.0, -1.0):
                force, _, slopes = self.forces(moved(self.model, at.q, sign * nudge))
                sides.append(force + slopes.T @ at.efforts)
            columns.append((sides[0] - sides[1]) / (2.0 * step))
        return np.array(columns).T

    def solved(self, q: Array, efforts: Array) -> Pose | None:
        """The balanced pose near a guess, or None where Newton's method does not find one."""
        now = self.pose(q, efforts)
        n, m = self.model.n_rate, len(efforts)
        for _ in range(MOST_ITERATIONS):
            stiffness = self.stiffness(now)
            # Where there is no load, what is left of large stiffnesses times round-off is nothing.
            self.smallest = max(
                self.smallest,
                ROUND_OFF / BALANCED * float((np.abs(stiffness) @ sizes(self.model, now.q)).max()),
            )
            now = replace(now, scale=max(now.scale, self.smallest))
            if now.unbalance <= BALANCED and np.abs(now.miss).max(initial=0.0) <= 1e-12:
                return now
            matrix = np.zeros((n + m, n + m))
            matrix[:n, :n], matrix[:n, n:], matrix[n:, :n] = stiffness, now.slopes.T, now.slopes
            # Rows and columns of very different size (stretching against bending) are brought to one.
            size = 1.0 / np.sqrt(np.maximum(np.abs(matrix).max(axis=1), 1e-300))
            change = (
                size
                * np.linalg.lstsq(
                    matrix * np.outer(size, size), -size * np.concatenate([now.force, now.miss]), rcond=1e-14
                )[0]
            )
            # Forces may grow on the way (a beam is far stiffer along than across): only the size of a step is bounded.
            part = min(1.0, LONGEST_STEP / max(float(np.abs(change[:n]).max()), 1e-300))
            now = self.pose(moved(self.model, now.q, part * change[:n]), now.efforts + part * change[n:])
        return None


def equilibrium(model: CompiledModel, progress: Progress | None = None) -> Trajectory:
    """The balanced poses at the output times, or as far as there are any."""
    settings = model.spec.model.run
    times = output_times(settings.duration, settings.output_step)
    memory = model.memory.copy()
    start = assembled(model, memory, model.work.copy())
    n = model.n_coordinate
    pose = _brought_on(model, float(times[0]), start.y[:n], np.zeros(len(model.equations)))
    found: list[Pose] = []
    status, message = Status.COMPLETE, "All forces balance."
    try:
        for before, time in zip([times[0], *times], times, strict=False):
            if pose is not None and time > before:
                pose = _led_on(model, pose, float(before), float(time))
            if pose is None:
                status = Status.STOPPED
                message = f"Stopped at {time:.6g} s: no pose was found in which the forces balance; {_REMEDY}"
                break
            found.append(pose)
            if progress is not None:
                progress(float(time / times[-1]))
    except KeyboardInterrupt:
        status, message = Status.INTERRUPTED, "Interrupted; what was done is kept."
    rows = np.zeros((max(len(found), 1), len(model.start)))
    rows[:, :n] = [pose.q for pose in found] or [start.y[:n]]
    worst = max((pose.unbalance for pose in found), default=np.inf)
    return still_trajectory(model, times[: len(rows)], rows, status, message, start.notes, residual=worst)


def at_rest(model: CompiledModel, memory: Array, work: Array, y: Array) -> Array:
    """A state in which the loads of the first instant balance, near one that keeps the joints; drivers move on."""
    n, found = model.n_coordinate, y.copy()
    pose = _brought_on(model, 0.0, y[:n], np.zeros(len(model.equations)))
    if pose is None:
        raise SpecError(
            [Problem("run.start", f"no pose was found in which the forces balance at the start; {_REMEDY}")]
        )
    found[:n] = pose.q
    found[model.rates] = 0.0
    return Assembler(model, memory, work, 0.0).moving(found)[0] if model.equations else found


_REMEDY = "something may be free to move away, or the load too large for the pose to follow it"


def _brought_on(model: CompiledModel, time: float, q: Array, efforts: Array) -> Pose | None:
    """The balanced pose at the first time: the load is brought on in as many parts as it takes."""
    done, step, pose = 0.0, 1.0, None
    while done < 1.0:
        part = min(1.0, done + step)
        found = Statics(model, time, part).solved(q, efforts)
        if found is None:
            step *= 0.5
            if step < SMALLEST_PART:
                return None
            continue
        pose, q, efforts, done, step = found, found.q, found.efforts, part, 1.5 * step
    return pose


def _led_on(model: CompiledModel, pose: Pose, before: float, time: float) -> Pose | None:
    """The balanced pose at a later time, by way of times in between where the step is too long."""
    now, step = before, time - before
    while now < time:
        later = min(time, now + step)
        found = Statics(model, later, 1.0).solved(pose.q, pose.efforts)
        if found is None:
            step *= 0.5
            if step < SMALLEST_PART * (time - before):
                return None
            continue
        pose, now, step = found, later, 1.5 * step
    return pose


def _loaded(model: CompiledModel, part: float) -> CompiledModel:
    """The model under a part of its weight and loads."""
    if part == 1.0:
        return model
    value = model.arrays.value.copy()
    value[system.TOTALS, [system.GRAVITY_X, system.GRAVITY_Y, GRAVITY_Z]] *= part
    value[list(model.rows(LOADS)), AMPLITUDE] *= part
    value.setflags(write=False)
    return replace(model, arrays=model.arrays._replace(value=value))
