"""What the figures of a planar knee show of one run, in the units they show it in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from condyle.results import Results

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

TIBIA, CONTACT, FLEXION = "tibia", "tibiofemoral", "flexion"


@dataclass(frozen=True, eq=False)
class Motion:
    """A run of a planar knee at its n output times; lengths [mm], angles [deg], forces [N], strains [%]."""

    results: Results

    @cached_property
    def time(self) -> Array:
        """Time [s], shape (n,)."""
        return np.asarray(self.results.dataset["time"].values, dtype=float)

    @cached_property
    def flexion(self) -> Array:
        """Knee flexion [deg], shape (n,)."""
        return self._of("measure_value", measure=FLEXION)

    @cached_property
    def centre(self) -> Array:
        """Centre of mass of the tibia [mm], shape (n, 2)."""
        return 1e3 * self._of("position", body=TIBIA, axis=["x", "y"])

    @cached_property
    def touching(self) -> Flags:
        """Whether the bones touch, shape (n,)."""
        return self._of("contact_depth", contact=CONTACT) > 0.0

    @cached_property
    def depth(self) -> Array:
        """Depth of the contact [mm], zero while the bones are apart, shape (n,)."""
        return np.where(self.touching, 1e3 * self._of("contact_depth", contact=CONTACT), 0.0)

    @cached_property
    def rate(self) -> Array:
        """Rate of the depth [m/s], NaN while apart, shape (n,)."""
        return np.where(self.touching, self._of("contact_rate", contact=CONTACT), np.nan)

    @cached_property
    def force(self) -> Array:
        """Normal contact force [N], shape (n,)."""
        return self._of("contact_normal_force", contact=CONTACT)

    @cached_property
    def path(self) -> Array:
        """Contact point on the tibia in the global frame [mm], NaN while apart, shape (n, 2)."""
        local = 1e3 * self._of("contact_point_local", contact=CONTACT, side="second", axis=["x", "y"])
        angle = self._of("angle", body=TIBIA)
        cos, sin = np.cos(angle), np.sin(angle)
        turned = np.stack(
            [cos * local[:, 0] - sin * local[:, 1], sin * local[:, 0] + cos * local[:, 1]], axis=1
        )
        return np.where(self.touching[:, None], self.centre + turned, np.nan)  # Machado 2010, Eq. 9

    @cached_property
    def along(self) -> Array:
        """The contact point's coordinate along the plateau, eta on the tibia [mm], NaN while apart, shape (n,)."""
        local = 1e3 * self._of("contact_point_local", contact=CONTACT, side="second", axis="y")
        return np.where(self.touching, local, np.nan)

    @cached_property
    def ligaments(self) -> tuple[str, ...]:
        """Names of the ligaments, in the order of the columns of strain and tension."""
        return tuple(str(name) for name in self.results.dataset["ligament"].values)

    @cached_property
    def strain(self) -> Array:
        """Strains of the ligaments [%], negative when slack, shape (n, n_ligament)."""
        return 100.0 * self._of("ligament_strain")

    @cached_property
    def tension(self) -> Array:
        """Tensions of the ligaments [N], shape (n, n_ligament)."""
        return self._of("ligament_force")

    @cached_property
    def peak_strain(self) -> dict[str, float]:
        """Largest strain of each ligament over all steps [%]."""
        return {name: 100.0 * self._peak("ligament_strain", ligament=name) for name in self.ligaments}

    @cached_property
    def peak_tension(self) -> dict[str, float]:
        """Largest tension of each ligament over all steps [N]."""
        return {name: self._peak("ligament_force", ligament=name) for name in self.ligaments}

    @cached_property
    def peak_depth(self) -> float:
        """Largest depth over all steps [mm]."""
        return 1e3 * self._peak("contact_depth", contact=CONTACT)

    @cached_property
    def peak_force(self) -> float:
        """Largest normal contact force over all steps [N]."""
        return self._peak("contact_force", contact=CONTACT)

    @cached_property
    def stored(self) -> Array:
        """Energy that the contact holds [J], shape (n,)."""
        return self._of("energy", kind="contact")

    @cached_property
    def dissipated(self) -> float:
        """Energy that the laws took out of the motion, integrated along with it [J]."""
        return float(self._of("energy", kind="dissipated")[-1])

    @cached_property
    def loop_area(self) -> float:
        """Area of the loops of force over depth as drawn [J]: the integral of F dd by trapezoids.

        A contact that still lasts at the end has an open loop: what it holds then counts as given back.
        """
        middle = 0.5 * (self.force[1:] + self.force[:-1])
        return float(1e-3 * np.sum(middle * np.diff(self.depth)) - self.stored[-1])

    @cached_property
    def episodes(self) -> tuple[Episode, ...]:
        """The contacts one after the other."""
        edges = np.flatnonzero(np.diff(self.touching.astype(int), prepend=0, append=0))
        return tuple(
            self._episode(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)
        )

    def _episode(self, first: int, last: int) -> Episode:
        depth = self.depth[first:last]
        turns = np.flatnonzero(np.diff(np.sign(np.diff(depth))) != 0.0) + 1
        inside = slice(max(first - 1, 0), last + 1)
        middle = 0.5 * (self.force[inside][1:] + self.force[inside][:-1])
        return Episode(
            begin=float(self.time[first]),
            onset_speed=float(self.rate[first]),
            finished=last < len(self.time),
            turns=tuple(float(value) for value in depth[turns]),
            work=float(1e-3 * np.sum(middle * np.diff(self.depth[inside]))),
        )

    def _of(self, name: str, **labels: str | list[str]) -> Array:
        return np.asarray(self.results.dataset[name].sel(labels).values, dtype=float)

    def _peak(self, name: str, **labels: str) -> float:
        return float(self.results.dataset[f"peak_{name}"].sel(labels).item())


@dataclass(frozen=True)
class Episode:
    """One contact, from touch to release.

    begin : when the bones touch [s]. onset_speed : rate of the depth then, at the output's resolution [m/s].
    finished : whether they part before the run ends.
    turns : depths at which loading turned into unloading and back, in order [mm].
    work : integral of F dd [J]; where the contact is finished, the area of its loop.
    """

    begin: float
    onset_speed: float
    finished: bool
    turns: tuple[float, ...]
    work: float

    @property
    def interruptions(self) -> int:
        """How many times unloading stopped short of release because loading began anew."""
        return len(self.turns) // 2  # every second turn is one from unloading to loading
