"""SUNDIALS' IDA on the differential-algebraic equations, behind the face of one of SciPy's solvers.

IDA (Hindmarsh2005) is a backward differentiation formula of order 1 to 5 that chooses its own order and step. Joints
and drivers are kept at both levels by multipliers of their own (Gear1985, Gear1986), so that nothing drifts and no
projection ever makes the method begin anew, at order 1:

    q' = v + M^-1 J^T mu,   v' = a(q, v, t) + M^-1 J^T nu,   Phi(q, t) = 0,   Phi'(q, v, t) = 0

The acceleration a is that of the right-hand side, forces of the joints included, so mu and nu are zero for the exact
solution and of the size of the error otherwise. Reactions are therefore never unknowns of the method, whose
multipliers in an equation of index 2 are less accurate than its coordinates and stay out of its error test: they
follow from coordinates and rates, as for every other method, and are as good as those.

Beams ring at frequencies far beyond what anybody looks at. Formulas above order 2 grow along such waves and then
resolve each of them, and so does an error test that looks at their rates. With beams the order is 2, which is stable
whatever the frequency, and rates of beams stay out of the test: waves that a step cannot follow die out.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np

from condyle._jit import kernel
from condyle.analysis.coordinates import over_mass
from condyle.mechanics.frames import accelerate_carriers, clear_pushes, push
from condyle.mechanics.system import EQUATIONS, N_COORDINATE, N_WORK, TURNED_OVER, Array, Model
from condyle.model.compiled import CompiledModel
from condyle.multibody.constraints import triple
from condyle.multibody.equations import FIRST_FRAME, IDLE, J_FIRST, J_SECOND, MISS, MISS_RATE, SECOND_FRAME
from condyle.spec.errors import Problem, SpecError

# The absolute error of what is left out of the error test.
ANY = 1e100
# Orders of the formula without beams and with them.
HIGHEST_ORDER, STABLE_ORDER = 5, 2


def ida_solver() -> Any:
    """The class of scikit-sundae that drives IDA; an error that names the remedy where it is not installed."""
    try:
        from sksundae.ida import IDA
    except ImportError as error:
        told = (
            "ida needs the package scikit-sundae, which is not installed; install it with "
            "pip install 'condyle[sundials]', or take generalized-alpha or stiff"
        )
        raise SpecError([Problem("run.integrator", told)]) from error
    return IDA


@kernel
def fill_response(model: Model, work: Array, states: Array, to: int, efforts: Array) -> None:
    """Write M^-1 J^T times efforts, one an equation, into the rates of row `to` of the states."""
    first, n = model.layout[EQUATIONS], model.layout[N_COORDINATE]
    for k in range(n):
        states[to, n + k] = 0.0
    clear_pushes(model, work)
    for k in range(efforts.shape[0]):
        row = first + k
        push(model, model.link[row, FIRST_FRAME], efforts[k], triple(work, row, J_FIRST), work, states, to)
        push(model, model.link[row, SECOND_FRAME], efforts[k], triple(work, row, J_SECOND), work, states, to)
    accelerate_carriers(model, work, states, to)


class Stabilised:
    """The equations above, with the multipliers mu and nu behind the state: their residual and its Jacobian.

    rate(time, y) : the right-hand side, which leaves the equations evaluated in `work`; slopes(seen, time, y) : how
    what `seen` gives changes with the state, by differences.
    """

    def __init__(
        self,
        model: CompiledModel,
        work: Array,
        rate: Callable[[float, Array], Array],
        slopes: Callable[[Callable[[float, Array], Array], float, Array], Array],
    ) -> None:
        self.model, self.work, self.rate, self.slopes = model, work, rate, slopes
        self.rows = np.array(model.rows(EQUATIONS), dtype=np.int64)
        self.count, self.n = len(self.rows), model.n_coordinate
        self.size = 2 * self.n + N_WORK
        self.room = np.zeros((1, self.size))
        # What other equations say already has multipliers that stay zero, and is not asked for.
        idle = np.flatnonzero(work[self.rows, IDLE])
        self.idle = self.size + np.concatenate([idle, self.count + idle])

    def response(self, efforts: Array) -> Array:
        """M^-1 J^T times efforts, shape (n,)."""
        fill_response(self.model.arrays, self.work, self.room, 0, efforts)
        return np.array(self.room[0, self.n : 2 * self.n])

    def seen(self, time: float, y: Array) -> Array:
        """The rate of the state, then what the equations miss and the rates of that."""
        rate = self.rate(time, y)
        return np.concatenate([rate, self.work[self.rows, MISS], self.work[self.rows, MISS_RATE]])

    def fill_residual(self, time: float, unknown: Array, rates: Array, residual: Array) -> None:
        """Write what is left of the equations, as IDA asks for it."""
        n, size, count = self.n, self.size, self.count
        residual[:] = self.seen(time, unknown[:size])
        residual[:size] = rates[:size] - residual[:size]
        if count:
            first, second = unknown[size : size + count], unknown[size + count :]
            residual[:n] -= self.response(np.array(first))
            residual[n : 2 * n] -= self.response(np.array(second))
            residual[self.idle] = unknown[self.idle]

    def fill_jacobian(
        self, time: float, unknown: Array, _rates: Array, _residual: Array, factor: float, matrix: Array
    ) -> None:
        """Write d residual / d unknown + factor d residual / d rate, but for what multipliers near zero add."""
        n, size, count = self.n, self.size, self.count
        slopes = self.slopes(self.seen, time, np.array(unknown[:size]))
        responses = over_mass(self.model, slopes[size : size + count, :n].T)
        matrix[:] = 0.0
        matrix[:size, :size] = factor * np.eye(size) - slopes[:size]
        matrix[size:, :size] = slopes[size:]
        matrix[:n, size : size + count] = -responses
        matrix[n : 2 * n, size + count :] = -responses
        matrix[self.idle] = 0.0
        matrix[self.idle, self.idle] = 1.0


class Ida:
    """One run of IDA from a state to an instant: as much of a SciPy solver's face as a run looks at."""

    def __init__(self, equations: Stabilised, start: float, y: Array, bound: float, **settings: Any) -> None:
        self.t_old, self.t, self.y, self.bound, self.status = start, start, y, bound, "running"
        self.size = equations.size
        multipliers = np.zeros(2 * equations.count)
        absolute = np.append(settings["absolute"], np.full(len(multipliers), ANY))
        absolute[self.size - N_WORK + TURNED_OVER] = ANY
        rigid = 3 * len(equations.model.free_bodies)
        absolute[equations.n + rigid : 2 * equations.n] = ANY
        self.solver = ida_solver()(
            equations.fill_residual,
            jacfn=equations.fill_jacobian,
            algebraic_idx=list(range(self.size, self.size + len(multipliers))),
            rtol=settings["relative"],
            atol=absolute,
            max_step=settings["longest"],
            max_order=HIGHEST_ORDER if rigid == equations.n else STABLE_ORDER,
        )
        rates = np.append(equations.rate(start, y), multipliers)
        self.solver.init_step(start, np.append(y, multipliers), rates)

    def step(self) -> str | None:
        """Take one step; what went wrong, or None."""
        self.t_old = self.t
        with contextlib.redirect_stdout(io.StringIO()):
            found = self.solver.step(self.bound, method="onestep", tstop=self.bound)
            if found.success and found.t <= self.t_old:
                # A look back within the last step makes IDA give its end once more.
                found = self.solver.step(self.bound, method="onestep", tstop=self.bound)
        if not found.success or found.t <= self.t_old:
            self.status = "failed"
            return "Steps are too small to change the time." if found.success else str(found.message)
        self.t = min(float(found.t), self.bound)
        self.y = found.y[: self.size]
        if self.t >= self.bound:
            self.status = "finished"
        return None

    def dense_output(self) -> Callable[[float], Array]:
        """The state within the last step, by the polynomial of the formula itself."""

        def state(time: float) -> Array:
            if time >= self.t:
                return np.array(self.y)
            found = self.solver.step(max(time, self.t_old), method="normal")
            return np.array(found.y[: self.size])

        return state
