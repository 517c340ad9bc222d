"""One run as the page's makers see it: its dataset, the series the page takes along, and facts about its model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.results.peaks import effort_unit
from condyle.view.columns import Array, Columns, labels
from condyle.view.facts import Facts

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Run:
    """Short questions to a run, by name."""

    dataset: xr.Dataset
    columns: Columns
    facts: Facts

    def labels(self, dimension: str) -> list[str]:
        """Labels along a dimension; none without it."""
        return labels(self.dataset, dimension)

    def has(self, *keys: tuple[str, ...]) -> bool:
        """Whether there are series of all these names and labels."""
        return all(key in self.columns for key in keys)

    def values(self, *key: str) -> Array:
        """A series in the dataset's units, shape (n_time,)."""
        return self.columns.values(*key)

    def number(self, *key: str, scale: float = 1.0, offset: float = 0.0) -> dict[str, Any]:
        """A series as the page's charts take it: (value + offset) * scale."""
        return {"at": self.columns.take(*key), "scale": scale, "offset": offset}

    def constant(self, name: str, dimension: str, label: str) -> float | None:
        """One number of a variable without time; None where it is missing or not finite."""
        if name not in self.dataset:
            return None
        value = float(self.dataset[name].sel({dimension: label}).item())
        return value if np.isfinite(value) else None

    def spots(self) -> list[str]:
        """Contacts that ever came near; a pair may keep places for more spots than it needs."""
        found = [name for name in self.labels("contact") if self.has(("contact_depth", name))]
        return [name for name in found if np.isfinite(self.values("contact_depth", name)).any()]

    def unit(self, measure: str) -> str:
        """The unit a measure is reported in."""
        coords = self.dataset.coords
        return str(coords["measure_unit"].sel(measure=measure).item()) if "measure_unit" in coords else ""

    def effort_unit(self, dimension: str, name: str) -> str:
        """Unit of a driver's or spring's effort."""
        return effort_unit(self.dataset, dimension, name)

    def outline(self, profile: str) -> Array:
        """Vertices of a profile in its body's frame [m], shape (n, 2)."""
        if profile not in self.labels("profile") or "outline" not in self.dataset:
            return np.zeros((0, 2))
        points = self.dataset["outline"].sel(profile=profile).transpose("vertex", "axis").values[:, :2]
        return np.asarray(points[np.isfinite(points).all(axis=1)], dtype=float)

    def profiles(self, body: str) -> list[str]:
        """Profiles that a body carries."""
        return [name for name in self.labels("profile") if self.facts.profile_body(name) == body]


def largest(*series: Array) -> float:
    """Largest finite magnitude; zero where there is none."""
    finite = [np.abs(part[np.isfinite(part)]).max() for part in series if np.isfinite(part).any()]
    return float(max(finite, default=0.0))
