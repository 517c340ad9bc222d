"""A checked model: what `load` gives and everything else takes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from condyle.model.declarations import ModelSpec
from condyle.spec.declaration import problems
from condyle.spec.errors import Problem, SpecError, did_you_mean, listed, shown
from condyle.spec.overrides import changed, plain
from condyle.spec.reference import Context
from condyle.spec.yaml import read_text, read_yaml

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

# Sections whose entries have names of a person's choosing.
NAMED_SECTIONS = (
    "bodies",
    "materials",
    "profiles",
    "surfaces",
    "contacts",
    "ligaments",
    "beams",
    "frames",
    "joints",
    "drivers",
    "springs",
    "forces",
    "measures",
    "variants",
)
SUFFIXES = (".yaml", ".yml")
# The sentence that a variant says about itself, beside its changes.
ABOUT = "about"


@dataclass(frozen=True)
class Spec:
    """A model as its file declares it, checked.

    Parameters
    ----------
    model : the declarations, quantities in SI units.
    source : text of the file.
    overrides : dotted paths and values that were changed since, in order.
    name : of the built-in model, or of the file without its suffix.
    folder : where files named by the model are looked for; None for built-in models and those not read from a file.
    data : the tree of the file with the overrides in it.
    """

    model: ModelSpec
    source: str
    overrides: Mapping[str, Any]
    name: str
    folder: Path | None
    data: dict[str, Any] = field(repr=False)

    def updated(self, changes: Mapping[str, Any]) -> Spec:
        """The model with values changed by dotted paths, checked anew: `{"forces.pulse.amplitude": 150}`."""
        data = changed(self.data, changes, NAMED_SECTIONS, self._default)
        kept = {path: value for path, value in self.overrides.items() if path not in changes}
        added = {path: plain(value, path) for path, value in changes.items()}
        return Spec(_checked(data, self.folder), self.source, kept | added, self.name, self.folder, data)

    def variant(self, name: str) -> Spec:
        """The model as one of its variants."""
        variants = self.model.variants
        if name not in variants:
            names = list(variants)
            hint = did_you_mean(name, names) or (
                f"; there are {listed(names, 'and')}" if names else "; it has none"
            )
            raise SpecError([Problem("", f"{self.name} has no variant {shown(name)}{hint}")])
        return self.updated({path: value for path, value in variants[name].items() if path != ABOUT})

    def to_yaml(self) -> str:
        """The effective model file: the source, comments included, with the overrides in it."""
        return self._effective_text

    @cached_property
    def _effective_text(self) -> str:
        """Found once: to edit a text with its comments takes longer than many a run."""
        if not self.overrides:
            return self.source
        from condyle.spec.yaml_writer import edited, written

        try:
            text = edited(
                self.source, lambda tree: changed(tree, self.overrides, NAMED_SECTIONS, self._default)
            )
        except SpecError:  # a name that the editor takes for something else, such as null
            return written(self.data)
        # What matters is that the text says what was checked; comments come second.
        return text if _reads_as(text, self.data) else written(self.data)

    def __str__(self) -> str:
        """What the model consists of."""
        from condyle.model.describe import described

        return described(self)

    def _default(self, path: tuple[str, ...]) -> Any:
        """What the model says at a path, or None."""
        return reduce(_inside, path, self.model)


def load(name: str | os.PathLike[str], variant: str | None = None) -> Spec:
    """A built-in model by its name, or a model file by its path; all mistakes of the file in one `SpecError`."""
    spec = _found(os.fspath(name))
    return spec if variant is None else spec.variant(variant)


def parse(text: str, name: str = "model", folder: Path | None = None, place: str | None = None) -> Spec:
    """The model in a text; `place` is what syntax errors name, `folder` where the model's own files are."""
    data = read_yaml(text, place or name)
    if not isinstance(data, dict):
        what = "the file is empty" if data is None else f"got {shown(data)}"
        raise SpecError([Problem(place or name, f"expected a model: condyle: 1, title, bodies, run; {what}")])
    spec = Spec(_checked(data, folder), text, {}, name, folder, data)
    _check_variants(spec)
    return spec


def builtin_models() -> dict[str, str]:
    """Names and titles of the models that come with Condyle."""
    return {name: _title(file.read_text(encoding="utf-8")) for name, file in sorted(_library().items())}


def _title(text: str) -> str:
    """The title of a built-in model, which stands on a line of its own."""
    line = next(line for line in text.splitlines() if line.startswith("title:"))
    return line.removeprefix("title:").strip()


def _library() -> dict[str, Traversable]:
    folders = (folder for folder in files("condyle").joinpath("library").iterdir() if folder.is_dir())
    return {Path(f.name).stem: f for folder in folders for f in folder.iterdir() if f.name.endswith(SUFFIXES)}


def _found(name: str | bytes) -> Spec:
    """A built-in model, or a file."""
    if not isinstance(name, str):
        raise SpecError([Problem("", "expected the name of a model or a path as text")])
    library = _library()
    if name in library:
        return parse(library[name].read_text(encoding="utf-8"), name)
    path = Path(name)
    looks_like_file = path.suffix in SUFFIXES or len(path.parts) > 1
    if not looks_like_file and not _exists(path):
        hint = did_you_mean(name, library) or f"; there are {listed(sorted(library), 'and')}"
        raise SpecError([Problem("", f"no built-in model {shown(name)}{hint}, and no file of that name")])
    return parse(read_text(path), path.stem, path.parent, place=str(path))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # such as a name too long for the system
        return False


def _checked(data: dict[str, Any], folder: Path | None) -> ModelSpec:
    try:
        return ModelSpec.model_validate(data, context=Context(data, folder))
    except ValidationError as error:
        raise SpecError(problems(error)) from error


def _check_variants(spec: Spec) -> None:
    """Every variant must be a model too; a slip in one shows when the file is read, not when it is picked."""
    found = []
    for name, changes in spec.model.variants.items():
        place = f"variants.{name}"
        if not isinstance(changes.get(ABOUT, ""), str):
            found.append(Problem(f"{place}.{ABOUT}", f"expected text; got {shown(changes[ABOUT])}"))
        try:
            spec.variant(name)
        except SpecError as error:
            found += [Problem(place, str(problem)) for problem in error.problems]
    if found:
        raise SpecError(found)


def _inside(node: Any, key: str) -> Any:
    """One step of a path into the declarations."""
    if isinstance(node, Mapping):
        return node.get(key)
    if isinstance(node, BaseModel):
        names = {declared.alias or name: name for name, declared in type(node).model_fields.items()}
        return getattr(node, names[key]) if key in names else None
    return None


def _reads_as(text: str, data: dict[str, Any]) -> bool:
    try:
        return bool(read_yaml(text) == data)
    except SpecError:
        return False
