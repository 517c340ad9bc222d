"""The planar knee of Machado 2010, solved a second time by other means than Condyle's own.

A circle on a plane (or in a hollow circle) needs no search for the contact, so the whole problem fits in
closed formulas; they stand in `knee_rates.py` in two independent forms. `solve` integrates either with any
method of SciPy, in pieces that end where a contact or a ligament switches, so that no accepted step
straddles a kink.

What it reaches is measured in `tests/papers/test_reference_itself.py`: two formulations, two integrators
and the energy balance agree to 1e-10 m, 1e-10 rad and 1e-6 N over the 0.5 s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from reference.knee_rates import from_hamilton, hamilton_rates, newton_rates, to_hamilton
from reference.knee_tables import (
    FEMUR_RADIUS,
    LIGAMENT_STIFFNESS,
    REST_LENGTHS,
    TIBIA_INERTIA,
    TIBIA_MASS,
    Array,
    Knee,
    Plane,
    contact_depth,
    ligament_stretch,
)

Flags = NDArray[np.bool_]
CONTACT, PULL = 0, 5  # places in `switch_values`; 1 to 4 are the ligaments


def depth_rate(knee: Knee, states: Array) -> Array:
    """d depth/dt [m/s] of Newton states (7,) or (7, n)."""
    centre, velocity = states[0] + 1j * states[1], states[3] + 1j * states[4]
    direction, omega = np.exp(1j * states[2]), states[5]
    if knee.bearing_radius is None:
        return np.asarray((velocity * np.conj(direction) + centre * np.conj(1j * omega * direction)).real)
    arm = direction * knee.bearing_centre
    offset = centre + arm
    return np.asarray((np.conj(offset) * (velocity + 1j * omega * arm)).real / np.abs(offset))


def switch_values(knee: Knee, state: Array) -> Array:
    """Depth, four stretches [m] and the factor 1 + chi d'/v0, shape (6,): kinks of the forces at zero."""
    centre, direction = state[0] + 1j * state[1], np.exp(1j * state[2])
    depth = float(contact_depth(knee, centre, direction))
    factor = 1 + knee.onset_memory * float(depth_rate(knee, state)) if depth > 0 else 1.0
    return np.array([depth, *ligament_stretch(knee, centre, direction), factor])


@dataclass(frozen=True)
class Switch:
    """Something took hold (+1) or let go (-1) at `time` [s].

    which: 0 the contact, 1 to 4 a ligament, 5 the contact's force (it lets go where it would pull).
    depth_rate: d depth/dt there [m/s], at the onset of a contact its approach speed.
    """

    time: float
    which: int
    way: int
    depth_rate: float


@dataclass(frozen=True)
class Solution:
    """States (x, y, phi, vx, vy, omega, work), SI units, shape (7, n), at `times` (n,), and all switches."""

    knee: Knee
    times: Array
    states: Array
    switches: tuple[Switch, ...]

    @cached_property
    def centre(self) -> Plane:
        """Centre of mass of the tibia [m] as complex numbers, shape (n,)."""
        return np.asarray(self.states[0] + 1j * self.states[1])

    @cached_property
    def direction(self) -> Plane:
        """The tibia's xi axis, shape (n,)."""
        return np.asarray(np.exp(1j * self.states[2]))

    @cached_property
    def flexion(self) -> Array:
        """90 deg minus the tibia's angle [deg]; for the upright problem."""
        return np.asarray(90.0 - np.rad2deg(self.states[2]))

    @cached_property
    def depth(self) -> Array:
        """Contact depth [m], positive when touching, shape (n,)."""
        return contact_depth(self.knee, self.centre, self.direction)

    @cached_property
    def hertz_force(self) -> Array:
        """K d^(3/2) [N], shape (n,): the elastic part of the normal force."""
        return np.asarray(self.knee.contact_stiffness * np.maximum(self.depth, 0.0) ** 1.5)

    @cached_property
    def normal_force(self) -> Array:
        """K d^(3/2) (1 + chi d'/v0) [N], shape (n,), with the approach speed of each contact; no pull if clamped."""
        factor = np.ones_like(self.times)
        onsets = [s for s in self.switches if s.which == CONTACT and s.way > 0]
        for (begin, end), onset in zip(self.episodes, onsets, strict=True):
            during = (self.times > begin) & (self.times <= end)
            rate = depth_rate(self.knee, self.states[:, during])
            factor[during] += self.knee.hysteresis / onset.depth_rate * rate
        return self.hertz_force * (np.maximum(factor, 0.0) if self.knee.clamped else factor)

    @cached_property
    def strain(self) -> Array:
        """Stretch over rest length, shape (4, n); negative where slack."""
        return np.asarray(ligament_stretch(self.knee, self.centre, self.direction) / REST_LENGTHS[:, None])

    @cached_property
    def ligament_force(self) -> Array:
        """Tension [N], shape (4, n)."""
        return np.asarray(
            LIGAMENT_STIFFNESS[:, None] * np.maximum(self.strain * REST_LENGTHS[:, None], 0.0) ** 2
        )

    @cached_property
    def contact_point(self) -> Plane:
        """The femur's deepest point, global [m], shape (n,)."""
        if self.knee.bearing_radius is None:
            return np.asarray(-FEMUR_RADIUS * self.direction)
        offset = self.centre + self.direction * self.knee.bearing_centre
        return np.asarray(-FEMUR_RADIUS * offset / np.abs(offset))

    @cached_property
    def contact_on_tibia(self) -> Plane:
        """The same point in the tibia's frame, xi + i eta [m], shape (n,)."""
        return np.asarray((self.contact_point - self.centre) * np.conj(self.direction))

    @cached_property
    def episodes(self) -> list[tuple[float, float]]:
        """Times at which each contact began and ended [s]; the end of the run closes the last one."""
        begins = [s.time for s in self.switches if s.which == CONTACT and s.way > 0]
        ends = [s.time for s in self.switches if s.which == CONTACT and s.way < 0]
        return list(zip(begins, [*ends, float(self.times[-1])], strict=False))

    @cached_property
    def energy_error(self) -> Array:
        """Kinetic + potential energy - work of pulse and hysteresis, less its start value [J], shape (n,)."""
        _, _, _, vx, vy, omega, work = self.states
        kinetic = TIBIA_MASS * (vx**2 + vy**2) / 2 + TIBIA_INERTIA * omega**2 / 2
        weight = -TIBIA_MASS * (self.centre * np.conj(self.knee.gravity)).real
        ligaments = LIGAMENT_STIFFNESS @ np.maximum(self.strain * REST_LENGTHS[:, None], 0.0) ** 3 / 3
        total = kinetic + weight + ligaments + 0.4 * self.depth * self.hertz_force - work
        return np.asarray(total - total[0])


def _events(
    knee: Knee, back: Callable[[Array], Array], holding: Flags
) -> list[Callable[[float, Array], float]]:
    """One event per switch, each waiting for the change that can come next."""

    def event(which: int) -> Callable[[float, Array], float]:
        def value(_time: float, state: Array) -> float:
            return float(switch_values(knee, back(state))[which])

        value.terminal = True  # type: ignore[attr-defined]  # SciPy reads both from the function
        value.direction = -1.0 if holding[which] else 1.0  # type: ignore[attr-defined]
        return value

    return [event(which) for which in range(6 if knee.hysteresis else 5)]


def _after(knee: Knee, state: Array, which: int, holding: Flags) -> Knee:
    """Note the switch in `holding`; a contact that begins remembers its approach speed."""
    holding[which] = not holding[which]
    if which == CONTACT and holding[CONTACT] and knee.hysteresis:
        holding[PULL] = True
        return replace(knee, onset_speed=float(depth_rate(knee, state)))
    return knee


def solve(
    knee: Knee,
    times: Array,
    hamilton: bool = False,
    method: str = "DOP853",
    tolerance: float = 1e-12,
    max_step: float = 1e-3,
) -> Solution:
    """Integrate from rest at times[0] and sample at `times` [s], increasing.

    tolerance: relative; the absolute one is a hundredth of it, in SI units.

    A piece that ends in a switch is integrated again from its last step up to that instant, because SciPy's
    dense output, by which it finds the instant, is less accurate than its steps.
    """
    rates, back = (hamilton_rates, from_hamilton) if hamilton else (newton_rates, np.asarray)
    options: dict[str, Any] = {
        "method": method,
        "rtol": tolerance,
        "atol": tolerance / 100,
        "max_step": max_step,
    }
    centre, angle = knee.start
    first = np.array([centre.real, centre.imag, angle, 0.0, 0.0, 0.0, 0.0])
    holding = switch_values(knee, first) > 1e-15  # a zero gap at rest is open
    state, begin, end = to_hamilton(first) if hamilton else first, float(times[0]), float(times[-1])
    states, switches = np.full((7, times.size), np.nan), list[Switch]()
    while True:
        events = _events(knee, back, holding)
        rates_now = partial(rates, knee)
        piece: Any = solve_ivp(rates_now, (begin, end), state, events=events, dense_output=True, **options)
        reached = float(piece.t[-1])
        inside = (times >= begin) & (times <= reached)
        if inside.any():
            states[:, inside] = back(piece.sol(times[inside]))
        if piece.status != 1:
            if not piece.success:
                raise RuntimeError(piece.message)
            return Solution(knee, times, states, tuple(switches))
        which = next(k for k, instants in enumerate(piece.t_events) if instants.size)
        if reached > begin:
            last = int(np.searchsorted(piece.t, reached)) - 1
            last_step = (float(piece.t[last]), reached)
            state = solve_ivp(rates_now, last_step, piece.y[:, last], **options).y[:, -1]
        here = back(state)
        knee, begin = _after(knee, here, which, holding), reached
        way = 1 if holding[which] else -1
        switches.append(Switch(reached, which, way, float(depth_rate(knee, here))))
