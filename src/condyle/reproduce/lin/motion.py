"""What the figures of a knee replacement in its machine show of one run, in the units they show it in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle.results import Results
from condyle.results.coordinate_loads import coordinate_loads, coordinate_stiffness

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

NET, MEDIAL, LATERAL = "tibiofemoral", "tibiofemoral/medial", "tibiofemoral/lateral"
INSERT = "insert"


class Coordinate(NamedTuple):
    """A generalised coordinate of Lin 2010, Fig. 1: the model's measure, its sign, its name, its load, its unit."""

    measure: str
    sign: float
    title: str
    load: str
    unit: str


# In the order of the paper's x, y, z, α, β, γ; z and β count the other way in the model.
COORDINATES = {
    "x": Coordinate("anterior", 1.0, "anterior-posterior translation of the insert", "F_x", "mm"),
    "y": Coordinate("height", 1.0, "superior-inferior translation of the femoral component", "F_y", "mm"),
    "z": Coordinate("lateral-shift", -1.0, "medial-lateral translation of the insert", "F_z", "mm"),
    "α": Coordinate("varus", 1.0, "varus-valgus rotation of the femoral component", "T_α", "deg"),
    "β": Coordinate("internal-rotation", -1.0, "internal-external rotation of the insert", "T_β", "deg"),
    "γ": Coordinate("flexion", 1.0, "flexion-extension of the femoral component", "T_γ", "deg"),
}
TRANSLATIONS, ROTATIONS = ("x", "y", "z"), ("α", "β", "γ")
MEASURES = tuple(coordinate.measure for coordinate in COORDINATES.values())


@dataclass(frozen=True, eq=False)
class Motion:
    """A run of the knee replacement at its n output times; lengths [mm], angles [deg], forces [N], torques [N m]."""

    results: Results

    @cached_property
    def time(self) -> Array:
        """Time [s], shape (n,)."""
        return np.asarray(self.results.dataset["time"].values, dtype=float)

    def value(self, name: str) -> Array:
        """A coordinate of Fig. 1 [mm, deg], shape (n,)."""
        one = COORDINATES[name]
        return one.sign * self._of("measure_value", measure=one.measure)

    def load(self, name: str, contact: str) -> Array:
        """The contact's load conjugate to a coordinate [N, N m], shape (n,)."""
        one = COORDINATES[name]
        return one.sign * np.asarray(self._loads.sel(contact=contact, coordinate=one.measure).values)

    def sensitivity(self, time: float) -> dict[str, float]:
        """The sensitivity vector s of net loads at a time [N/m, N m/rad], by coordinate (Lin 2010, Eq. 1)."""
        found = coordinate_stiffness(self.results, MEASURES, time).sel(contact=NET)
        return {name: float(found.sel(coordinate=one.measure)) for name, one in COORDINATES.items()}

    @cached_property
    def compression(self) -> Array:
        """Medial and lateral contact force, magnitudes [N], shape (n, 2)."""
        return self._of("contact_normal_force", contact=[MEDIAL, LATERAL])

    @cached_property
    def peak_pressure(self) -> Array:
        """Greatest pressure of the whole contact [MPa], shape (n,)."""
        return 1e-6 * self._of("contact_peak_pressure", contact=NET)

    def wear(self, contact: str = NET) -> float:
        """Volume worn away in all cycles, triangle by triangle [mm^3]."""
        return 1e9 * float(self.results.dataset["wear_volume"].sel(contact=contact))

    @cached_property
    def wear_by_centre(self) -> float:
        """The same by the centres of pressure of both sides [mm^3], as the paper has it."""
        found = self.results.dataset["wear_volume_by_centre"].sel(contact=[MEDIAL, LATERAL])
        return 1e9 * float(found.sum())

    @cached_property
    def triangles(self) -> Array:
        """The insert from above, z to the right and x upwards [mm], shape (n_face, 3, 2)."""
        data = self.results.dataset
        corners = data["surface_vertex"].values[data["surface_face"].values[self._of_insert]]
        return np.asarray(1e3 * corners[:, :, [2, 0]])

    @cached_property
    def worn(self) -> Array:
        """Depth worn away of the insert's triangles [µm], shape (n_face,)."""
        return np.asarray(1e6 * self.results.dataset["face_wear"].values[self._of_insert])

    def pressure(self, row: int) -> Array:
        """Pressure on the insert's triangles [MPa], shape (n_face,)."""
        return np.asarray(
            1e-6 * self.results.dataset["face_pressure"].values[row, self._of_insert], dtype=float
        )

    @cached_property
    def _of_insert(self) -> NDArray[np.intp]:
        data = self.results.dataset
        number = data["surface"].values.tolist().index(INSERT)
        return np.flatnonzero(data["face_surface"].values == number)

    @cached_property
    def _loads(self) -> xr.DataArray:
        return coordinate_loads(self.results, MEASURES)

    def _of(self, name: str, **labels: str | list[str]) -> Array:
        return np.asarray(self.results.dataset[name].sel(labels).values, dtype=float)
