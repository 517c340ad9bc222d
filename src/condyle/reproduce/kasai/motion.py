"""What the figures of a slider-crank show of one run, in the units they show it in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from condyle.results import Results

Array = NDArray[np.float64]

CONTACT, MOTOR = "impact", "motor"
JOINTS = ("O", "A", "B", "guide")


@dataclass(frozen=True, eq=False)
class Motion:
    """A run of a slider-crank at its n output times; lengths [mm], angles [deg], forces [N], torque [N m]."""

    results: Results

    @cached_property
    def time(self) -> Array:
        """Time [s], shape (n,)."""
        return np.asarray(self.results.dataset["time"].values, dtype=float)

    @cached_property
    def crank(self) -> Array:
        """Angle of the crank [deg], shape (n,)."""
        return self._of("measure_value", measure="crank")

    @cached_property
    def contact_point(self) -> Array:
        """x of the slider's end, the contact point CP [mm], shape (n,)."""
        return self._of("measure_value", measure="slider")

    @cached_property
    def face(self) -> Array:
        """x of the face [mm], shape (n,)."""
        return self.contact_point + 1e3 * self._of("contact_depth", contact=CONTACT) * -1.0

    @cached_property
    def deflection(self) -> Array:
        """How far the rod's middle is to the left of the line from A to B [mm], below it where negative, shape (n,)."""
        if "beam_position" not in self.results.dataset:
            return np.zeros(len(self.time))
        place = self.results.dataset["beam_position"].sel(beam="rod", axis=["x", "y"]).values
        first, middle, last = place[:, 0], place[:, place.shape[1] // 2], place[:, -1]
        along, out = last - first, middle - first
        return np.asarray(1e3 * (along[:, 0] * out[:, 1] - along[:, 1] * out[:, 0]) / np.hypot(*along.T))

    @cached_property
    def torque(self) -> Array:
        """Torque of the drive on the crank [N m], shape (n,)."""
        return self._of("driver_effort", driver=MOTOR)

    def reaction(self, joint: str) -> Array:
        """Magnitude of a joint's force [N], shape (n,)."""
        return np.asarray(np.hypot(*self._of("joint_force", joint=joint, axis=["x", "y"]).T))

    @cached_property
    def force(self) -> Array:
        """Normal contact force [N], shape (n,)."""
        return self._of("contact_normal_force", contact=CONTACT)

    @cached_property
    def touching(self) -> NDArray[np.bool_]:
        """Whether the slider touches the face, shape (n,)."""
        return self._of("contact_depth", contact=CONTACT) > 0.0

    @cached_property
    def peak_force(self) -> float:
        """Largest contact force over all steps [N]."""
        return float(self.results.dataset["peak_contact_force"].sel(contact=CONTACT).item())

    @cached_property
    def peak_depth(self) -> float:
        """Largest depth of the contact over all steps [mm]."""
        return 1e3 * float(self.results.dataset["peak_contact_depth"].sel(contact=CONTACT).item())

    @cached_property
    def onsets(self) -> tuple[float, ...]:
        """When contacts begin [s]: the gap of the last three outputs before, carried on to zero."""
        gap, found = -self._of("contact_depth", contact=CONTACT), []
        for row in np.flatnonzero(self.touching[1:] & ~self.touching[:-1]):
            rows = slice(max(row - 2, 0), row + 1)
            curve = np.polyfit(self.time[rows] - self.time[row], gap[rows], min(2, int(row)))
            ahead = [root.real for root in np.roots(curve) if root.imag == 0.0 and root.real >= 0.0]
            found.append(float(self.time[row] + min(ahead, default=0.0)))
        return tuple(found)

    @cached_property
    def released(self) -> float:
        """When the slider has parted from the face for the last time [s], at the output's resolution."""
        return float(self.time[np.flatnonzero(self.touching)[-1]])

    def _of(self, name: str, **labels: str | list[str]) -> Array:
        return np.asarray(self.results.dataset[name].sel(labels).values, dtype=float)
