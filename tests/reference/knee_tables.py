"""The planar knee of Machado 2010 as numbers, for the independent solution in `knee.py`.

The misprints of the paper's tables that are settled here: the femur's angle is 0 for these data (Table 1
prints 90 deg), a plane has an infinite radius in Eq. 25, and the plateau's place, which is not printed, is
the one that just touches at the start.
"""

from __future__ import annotations

import cmath
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Plane = NDArray[np.complex128]

TIBIA_MASS = 3.750  # [kg], Machado 2010, Table 1
TIBIA_INERTIA = 0.165  # [kg m^2], Table 1
TIBIA_START = (-0.2016, -0.1749, 35.21)  # [m, m, deg], Table 1
FEMUR_RADIUS = 0.04  # [m], section 6
YOUNG, POISSON = 5e6, 0.46  # [Pa, -], Table 3
PULSE_TIME, PULSE_DECAY = 0.05, 4.73  # [s, -], section 6 and Eq. 30
GRAVITY = -9.81j  # [m/s^2]

LIGAMENTS = ("MCL", "LCL", "ACL", "PCL")
FEMUR_ENDS = np.array([-0.023 - 0.014j, -0.025 - 0.019j, -0.033 - 0.017j, -0.019 - 0.014j])  # [m], Table 2
TIBIA_ENDS = np.array([0.163 + 0.008j, 0.178 + 0.025j, 0.213 - 0.009j, 0.210 + 0.035j])  # [m], Table 2
REST_LENGTHS = np.array([0.0784, 0.0562, 0.0438, 0.0332])  # [m], Table 2
LIGAMENT_STIFFNESS = np.array([15e6, 15e6, 35e6, 30e6])  # [N/m^2], Table 2


@dataclass(frozen=True)
class Knee:
    """One problem: what the tables leave open, and where the whole of it lies in the plane.

    Vectors are complex numbers, so that a turn by a is a product with exp(i a), a mirror image a conjugate.

    amplitude: A of the pulse [N], Eq. 30.
    bearing_radius: None for the plane, else the radius of the hollow circle in the tibia [m].
    hysteresis: chi in F = K d^(3/2) (1 + chi d'/v0); 0 is Hertz, 3 (1 - c^2)/4 Lankarani-Nikravesh (Eq. 27).
    onset_speed: v0 [m/s], set by the solution at each onset.
    clamped: a force that would pull is zero; otherwise as printed.
    turn: angle by which femur, tibia and gravity are turned together [rad].
    mirrored: everything is reflected in the x axis before that.
    """

    amplitude: float = 50.0
    bearing_radius: float | None = None
    hysteresis: float = 0.0
    onset_speed: float = np.inf
    clamped: bool = True
    turn: float = 0.0
    mirrored: bool = False

    def _placed(self, vector: complex) -> complex:
        """A global vector of the upright problem as it lies in this one."""
        return (vector.conjugate() if self.mirrored else vector) * cmath.exp(1j * self.turn)

    @cached_property
    def gravity(self) -> complex:
        """Gravity [m/s^2] in the global frame."""
        return self._placed(GRAVITY)

    @cached_property
    def start(self) -> tuple[complex, float]:
        """Centre of mass [m] and angle [rad] of the tibia at the start."""
        x, y, degrees = TIBIA_START
        angle = float(np.deg2rad(degrees))
        return self._placed(complex(x, y)), (-angle if self.mirrored else angle) + self.turn

    @cached_property
    def femur_ends(self) -> Plane:
        """Femoral insertions in the global frame [m]; the femur never moves."""
        return np.asarray((FEMUR_ENDS.conj() if self.mirrored else FEMUR_ENDS) * cmath.exp(1j * self.turn))

    @cached_property
    def tibia_ends(self) -> Plane:
        """Tibial insertions in the tibia's frame [m]."""
        return np.asarray(TIBIA_ENDS.conj() if self.mirrored else TIBIA_ENDS)

    @cached_property
    def femur_centre_seen(self) -> complex:
        """The femur's centre in the tibia's frame at the start [m]."""
        centre, angle = self.start
        return -centre * cmath.exp(-1j * angle)

    @cached_property
    def plateau(self) -> float:
        """Where the plateau lies on the tibia's xi axis [m]: zero gap at the start."""
        return self.femur_centre_seen.real - FEMUR_RADIUS

    @cached_property
    def bearing_centre(self) -> complex:
        """Centre of the bearing in the tibia's frame [m]: it touches first where the plane would."""
        assert self.bearing_radius is not None
        return complex(self.plateau + self.bearing_radius, self.femur_centre_seen.imag)

    @cached_property
    def contact_stiffness(self) -> float:
        """K [N/m^1.5] of Eqs. 25-26; a plane's radius is infinite and a hollow circle's negative."""
        curvature = 1 / FEMUR_RADIUS - (1 / self.bearing_radius if self.bearing_radius else 0.0)
        return float(4 / (3 * 2 * (1 - POISSON**2) / YOUNG) / np.sqrt(curvature))

    @property
    def onset_memory(self) -> float:
        """chi / v0 [s/m], zero before the first onset."""
        return self.hysteresis / self.onset_speed


def pulse(amplitude: float, time: float) -> float:
    """A exp(-4.73 (t/t_d)^2) sin(pi t/t_d) [N], not cut off at t_d (Machado 2010, Eq. 30)."""
    ratio = time / PULSE_TIME
    return amplitude * float(np.exp(-PULSE_DECAY * ratio * ratio) * np.sin(np.pi * ratio))


def contact_depth(knee: Knee, centre: Plane | complex, direction: Plane | complex) -> Array:
    """Depth [m], positive when touching, for centres of mass r and xi axes e of the tibia (any shape).

    Plane: X + R + r . e. Bearing: |c| - (R_b - R), c = r + e b the way from the femur's centre to the other.
    """
    if knee.bearing_radius is None:
        return np.asarray(knee.plateau + FEMUR_RADIUS + (centre * np.conj(direction)).real)
    offset = np.abs(centre + direction * knee.bearing_centre)
    return np.asarray(offset - (knee.bearing_radius - FEMUR_RADIUS))


def ligament_stretch(knee: Knee, centre: Plane | complex, direction: Plane | complex) -> Array:
    """Length minus rest length [m] of the four, shape (4,) or (4, n)."""
    place, turn = np.asarray(centre), np.asarray(direction)
    column = (4, *(1,) * place.ndim)
    span = knee.femur_ends.reshape(column) - place - turn * knee.tibia_ends.reshape(column)
    return np.asarray(np.abs(span) - REST_LENGTHS.reshape(column))
