"""The results of one run: labelled numbers, the spec that made them, and what the run says about its own error."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version as installed_version
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from condyle import __version__
from condyle.results.audit import Audit
from condyle.results.checks import check_dataset, checked, checked_audit
from condyle.results.peaks import Restitution
from condyle.results.plain import from_json, json_text
from condyle.results.store import FILE_NAME, ResultsFileError, read_dataset, write_dataset
from condyle.results.summary import Summary, summarised

if TYPE_CHECKING:
    import xarray as xr

    from condyle.model.spec import Spec


# Characters of what is wrong with a file.
LONGEST_TOLD = 200


@dataclass(frozen=True, eq=False)
class Results:
    """What a run found.

    Parameters
    ----------
    dataset : everything in time, by name, label and unit; its attributes are filled from the other fields, so that
        the dataset alone, or its file, still says where it comes from.
    spec : the model that was run, with the text of its file.
    audit : what the run says about its own error.
    complete : False where the run stopped early; `status` says why and what to try.
    wall_time : time the run took [s].
    """

    dataset: xr.Dataset
    spec: Spec
    audit: Audit
    complete: bool = True
    status: str = ""
    wall_time: float = 0.0

    def __post_init__(self) -> None:
        """Fill the dataset's attributes; what a file kept of an earlier day's versions stays."""
        known = self.dataset.attrs
        origin = {"condyle_version": __version__, "versions": json_text(versions())}
        own = {
            "title": self.spec.model.title,
            "complete": self.complete,
            "status": self.status,
            "wall_time": self.wall_time,
            "spec": self.spec.to_yaml(),
            "spec_name": self.spec.name,
            "spec_source": self.spec.source,
            "spec_overrides": json_text(self.spec.overrides, exact=True),
            "spec_files": json_text(
                _outline_texts(self.spec) or from_json(str(known.get("spec_files", "{}")))
            ),
            "audit": json_text(self.audit.as_dict(), exact=True),
        }
        object.__setattr__(self, "dataset", self.dataset.assign_attrs(origin | known | own))

    def __eq__(self, other: object) -> bool:
        """Equal numbers, labels, units and attributes; the attributes hold all the rest."""
        if not isinstance(other, Results):
            return NotImplemented
        return bool(self.dataset.identical(other.dataset))

    __hash__ = None  # type: ignore[assignment]

    def summary(self) -> Summary:
        """Peaks, ranges, audit: print it, or take `as_dict()`."""
        restitutions = _restitutions(self.spec)
        return summarised(self.dataset, self.audit, restitutions, self.complete, self.status, self.wall_time)

    def save(self, directory: str | os.PathLike[str]) -> Path:
        """Write `results.nc` into a folder, whole or not at all, and return its path."""
        return write_dataset(Path(directory) / FILE_NAME, self.dataset)


def read_results(place: str | os.PathLike[str]) -> Results:
    """The results that `save` wrote, from their folder or file, equal to what was saved.

    Their spec knows no folder: outlines and tables that the model reads from files are kept in the attribute
    `spec_files`.
    """
    dataset = read_dataset(place)
    found = dataset.attrs
    try:
        check_dataset(dataset)
    except ValueError as error:
        raise ResultsFileError(f"{os.fspath(place)}: results missing or damaged: {error}") from error
    try:
        return Results(
            dataset=dataset,
            spec=_spec(found),
            audit=checked_audit(from_json(checked(found["audit"], str, "the audit"))),
            complete=checked(found["complete"], bool, "complete"),
            status=checked(found["status"], str, "status"),
            wall_time=float(checked(found["wall_time"], float, "wall_time")),
        )
    except (KeyError, TypeError, ValueError) as error:
        told = shorten(str(error), LONGEST_TOLD, placeholder=" ...")
        raise ResultsFileError(
            f"{os.fspath(place)}: results with attributes missing or damaged ({told})"
        ) from error


@cache
def versions() -> dict[str, str]:
    """Versions of what computes: condyle, python and the numerical packages."""
    packages = ("numpy", "scipy", "numba", "xarray")
    return {"condyle": __version__, "python": platform.python_version()} | {
        n: installed_version(n) for n in packages
    }


def _spec(attributes: Mapping[str, Any]) -> Spec:
    """The spec as it was run: the file's text, with the values changed afterwards."""
    from condyle.model.spec import parse

    texts = (checked(attributes[name], str, name) for name in ("spec_source", "spec_name", "spec_overrides"))
    source, name, changes = texts
    spec, overrides = parse(source, name), checked(from_json(changes), dict, "spec_overrides")
    return spec.updated(overrides) if overrides else spec


def _outline_texts(spec: Spec) -> dict[str, str]:
    """Texts of the files that the model names; they are as much part of the model as its own.

    Meshes are not among them: their triangles stand in the dataset.
    """
    model = spec.model
    outlines = (profile.outline.file for profile in model.profiles.values())
    tables = (getattr(load.course, "file", None) for load in model.forces.values())
    motions = (getattr(driver.motion, "file", None) for driver in model.drivers.values())
    names = sorted({name for name in (*outlines, *tables, *motions) if name})
    paths = {name: spec.folder / name for name in names} if spec.folder is not None else {}
    return {
        name: path.read_text(encoding="utf-8", errors="replace")
        for name, path in paths.items()
        if path.is_file()
    }


def _restitutions(spec: Spec) -> dict[str, Restitution]:
    """What each contact's law was asked for and what it delivers in a free impact.

    A spring with a damper is not asked, and what it delivers depends on the mass.
    """
    from condyle.contact.declarations import asked_restitution
    from condyle.laws.contact import delivered

    found = {}
    for name, contact in spec.model.profile_contacts.items():
        profiles = (spec.model.profiles[side] for side in contact.between)
        first, second = (spec.model.materials.get(profile.material or "") for profile in profiles)
        kind, asked = contact.law.kind, asked_restitution(contact.law, first, second)
        given = None if kind == "kelvin-voigt" else delivered(kind, 1.0 if asked is None else asked)
        found[name] = Restitution(kind, asked, given)
    return found
