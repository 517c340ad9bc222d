"""Putting a mechanism together: coordinates and rates that keep all joints and drivers, close to those given.

Near is measured by the mass matrix: a light body gives way to a heavy one, and rates change as by an impact (the
projection of Gauss's principle). The same correction serves at the start, where the file is only nearly right, and
against drift during a run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from condyle.analysis.coordinates import apart, jacobian, moved, over_mass
from condyle.analysis.dynamics import recall, right_hand_side
from condyle.mechanics.system import EQUATIONS, Array
from condyle.model.compiled import CompiledModel
from condyle.multibody.equations import MISS, MISS_RATE
from condyle.multibody.space_constraints import MEASURE_ROW
from condyle.multibody.space_measures import ANGLE_OF_SEQUENCE, KIND
from condyle.spec.errors import Problem, SpecError

# A joint that is open by less than this at the start is closed [m or rad].
CLOSED = 1e-12
MOST_ITERATIONS = 60
# Bodies that are moved by more than this to close the joints are told about [m or rad].
WORTH_TELLING = 1e-3
# Singular values below this part of the largest say that an equation says nothing new.
RANK = 1e-7


@dataclass(frozen=True)
class Assembled:
    """A state in which all joints are closed, equations that say nothing new, and sentences worth reading."""

    y: Array
    redundant: tuple[int, ...]
    notes: tuple[str, ...]


class Assembler:
    """Newton's method on the equations of a model, at one time, from one state."""

    def __init__(self, model: CompiledModel, memory: Array, work: Array, time: float) -> None:
        self.model, self.memory, self.work, self.time = model, memory.copy(), work, time

    def looked_at(self, y: Array) -> tuple[Array, Array, Array]:
        """What the equations miss, the rates of that, and J, at a state."""
        states = np.full((2, len(y)), np.nan)
        states[0] = y
        recall(self.model.arrays, self.memory, self.work)
        right_hand_side(self.time, states, 0, 1, self.model.arrays, self.memory, self.work)
        rows = self.model.rows(EQUATIONS)
        return (
            self.work[rows, MISS].copy(),
            self.work[rows, MISS_RATE].copy(),
            jacobian(self.model, self.work),
        )

    def correction(self, slopes: Array, miss: Array, free: Array | None = None) -> Array:
        """Least change of the coordinates, by the mass matrix, that takes away what the equations miss."""
        moved = slopes if free is None else slopes * free
        response = over_mass(self.model, moved.T)
        if free is not None:
            response *= free[:, None]
        scale = np.sqrt(np.maximum(np.diag(moved @ response), 1e-300))
        matrix = (moved @ response) / np.outer(scale, scale)
        efforts = np.linalg.lstsq(matrix, miss / scale, rcond=RANK**2)[0] / scale
        return -response @ efforts

    def closed(self, y: Array, free: Array | None = None, enough: float = CLOSED) -> tuple[Array, Array]:
        """The state with its joints closed, and what they still miss; steps are halved while they do not help.

        enough : what may stay open [m or rad].
        """
        n, now = self.model.n_coordinate, y.copy()
        miss, _, slopes = self.looked_at(now)
        for _ in range(MOST_ITERATIONS):
            size = np.linalg.norm(miss)
            if np.abs(miss).max() <= enough:
                break
            change, part = self.correction(slopes, miss, free), 1.0
            while True:
                trial = now.copy()
                trial[:n] = moved(self.model, now[:n], part * change)
                found = self.looked_at(trial)
                if np.linalg.norm(found[0]) < size or part < 1e-3:
                    break
                part *= 0.5
            if not np.linalg.norm(found[0]) < size:
                break
            now, (miss, _, slopes) = trial, found
        return now, miss

    def moving(self, y: Array) -> tuple[Array, Array]:
        """The state with rates that keep the joints closed, and by how much they still miss it."""
        now = y.copy()
        for _ in range(2):
            _, rate, slopes = self.looked_at(now)
            now[self.model.rates] += self.correction(slopes, rate)
        return now, self.looked_at(now)[1]


def assembled(model: CompiledModel, memory: Array, work: Array) -> Assembled:
    """The start with all joints closed and moving as they can, keeping what the file gives if that can be kept."""
    assembler = Assembler(model, memory, work, 0.0)
    _check_directions(model, assembler.looked_at(model.start)[2])
    given = _given(model)
    y, miss = assembler.closed(model.start, 1.0 - given)
    if np.abs(miss).max() > CLOSED:
        # What the file gives is not exact, or more than can be kept: take it for a first guess.
        y, miss = assembler.closed(model.start)
    if np.abs(miss).max() > 1e3 * CLOSED:
        raise SpecError([_open_joint(model, miss)])
    y, rate = assembler.moving(y)
    slopes = assembler.looked_at(y)[2]
    if np.abs(rate).max() > 1e-9 * max(1.0, float(np.abs(y).max())):
        raise SpecError([_stuck(model, rate)])
    redundant = _redundant(model, slopes)
    return Assembled(y, redundant, (*_moves(model, y), *_redundancies(model, redundant)))


def projected(model: CompiledModel, y: Array, memory: Array, work: Array, time: float) -> Array:
    """A state of a run, drawn back onto its joints, as far as numbers go: singular poses magnify what is left.

    A state so far astray that nothing can be computed with it comes back as no numbers, at which the run stops.
    """
    assembler = Assembler(model, memory, work, time)
    with np.errstate(over="ignore", invalid="ignore"):
        try:
            return assembler.moving(assembler.closed(y, enough=0.0)[0])[0]
        except np.linalg.LinAlgError:
            return np.full_like(y, np.nan)


def _given(model: CompiledModel) -> Array:
    """1 for coordinates that the file gives, 0 for those it leaves to be found, along rates, shape (n_rate,)."""
    given = np.ones(model.n_rate)
    places = model.dimensions
    width, turn = (3, "angle") if places == 2 else (6, "orientation")
    for k, name in enumerate(model.free_bodies):
        said = model.spec.model.bodies[name].model_fields_set
        given[width * k : width * k + places] = "position" in said
        given[width * k + places : width * (k + 1)] = turn in said
    return given


def _redundant(model: CompiledModel, slopes: Array) -> tuple[int, ...]:
    """Equations that say nothing that earlier ones do not say."""
    found, kept = [], np.zeros((0, slopes.shape[1]))
    scaled = slopes * np.sqrt(np.maximum(np.diag(over_mass(model, np.eye(slopes.shape[1]))), 0.0))
    for k, row in enumerate(scaled):
        rest = row - (row @ kept.T) @ kept
        rest -= (rest @ kept.T) @ kept
        if np.linalg.norm(rest) <= RANK * np.linalg.norm(row):
            found.append(k)
        else:
            kept = np.vstack([kept, rest / np.linalg.norm(rest)])
    return tuple(found)


def _check_directions(model: CompiledModel, slopes: Array) -> None:
    """Two points that meet have a distance, but none of its rates of change; so have angles about axes in line."""
    unclear = np.flatnonzero(~np.isfinite(slopes).all(axis=1))
    if unclear.size:
        row, arrays = model.rows(EQUATIONS)[int(unclear[0])], model.arrays
        name = model.equations[int(unclear[0])].owner
        told = "the two points meet as the file places them, so their distance has no direction; place one elsewhere"
        if model.dimensions == 3 and arrays.link[arrays.link[row, MEASURE_ROW], KIND] == ANGLE_OF_SEQUENCE:
            told = (
                "the first and the last axis of its sequence lie in line as the file places the bodies, so its angles "
                "have no rates; take another sequence"
            )
        raise SpecError([Problem(owner(model, name), told)])


def _open_joint(model: CompiledModel, miss: Array) -> Problem:
    worst = int(np.abs(miss).argmax())
    equation = model.equations[worst]
    return Problem(
        owner(model, equation.owner),
        f"cannot be met: its {equation.what} stays off by {abs(miss[worst]):.3g}, however the bodies are placed; "
        "check its points, and what other joints leave free",
    )


def _stuck(model: CompiledModel, rate: Array) -> Problem:
    worst = int(np.abs(rate).argmax())
    equation = model.equations[worst]
    return Problem(
        owner(model, equation.owner),
        f"cannot move as asked: the rate of its {equation.what} stays off by {abs(rate[worst]):.3g} per second, "
        "whatever the bodies do; they are locked there",
    )


def owner(model: CompiledModel, name: str) -> str:
    """Path of a joint or driver in the model file."""
    return f"drivers.{name}" if name in model.spec.model.drivers else f"joints.{name}"


def _moves(model: CompiledModel, y: Array) -> list[str]:
    """Bodies that had to go elsewhere than the file says."""
    notes = []
    places, n = model.dimensions, model.n_coordinate
    width, turn = (3, "angle") if places == 2 else (6, "orientation")
    changes = np.abs(apart(model, y[:n], model.start[:n]))
    for k, name in enumerate(model.free_bodies):
        said = model.spec.model.bodies[name].model_fields_set
        change = changes[width * k : width * (k + 1)]
        shift, angle = change[:places].max(), np.linalg.norm(change[places:])
        if "position" in said and shift > WORTH_TELLING:
            notes.append(f"body '{name}' was moved by {1e3 * shift:.3g} mm at the start to close the joints")
        if turn in said and angle > WORTH_TELLING:
            notes.append(
                f"body '{name}' was turned by {np.degrees(angle):.3g} deg at the start to close the joints"
            )
    return notes


def _redundancies(model: CompiledModel, redundant: tuple[int, ...]) -> list[str]:
    return [
        f"{owner(model, model.equations[k].owner)}: its {model.equations[k].what} is kept by other joints already; "
        "the forces among them are the least that do it"
        for k in redundant
    ]
