"""Tables of what a model file may say, read off the declarations that check it."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from condyle.spec.declaration import Declaration
from condyle.spec.errors import listed
from condyle.spec.family import Family, kinds
from condyle.spec.quantity import BY_DEFAULT, AnyOf, ByDimension, DisplayUnit, Pair, Quantity, Vector
from condyle.spec.reference import Reference

HOMES = (
    "condyle.model.declarations",
    "condyle.multibody.declarations",
    "condyle.multibody.ligament_declarations",
    "condyle.beams.declarations",
    "condyle.multibody.joint_declarations",
    "condyle.multibody.spring_declarations",
    "condyle.contact.declarations",
    "condyle.contact.law_declarations",
    "condyle.contact.outline_declarations",
    "condyle.contact.surface_declarations",
    "condyle.spec.orientation",
)
# Checks that are classes of their own, with the words for what they take.
_SPECIAL = {
    "_ContactStiffness": "stiffness [N/m^exponent] > 0",
    "_Radius": "radius [m], `flat` or `profile`",
    "_Inertia": "moment of inertia [kg m²] > 0; in space three, or a tensor",
}


def declarations() -> dict[str, type[Declaration]]:
    """All declarations that a model file is made of, by name."""
    return {
        name: thing
        for home in map(import_module, HOMES)
        for name, thing in vars(home).items()
        if _is_declaration(thing) and thing.__module__ == home.__name__ and not name.startswith("_")
    }


def _is_declaration(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, Declaration)


def section(name: str) -> str:
    """The sentence that a declaration says about itself."""
    return " ".join((declarations()[name].__doc__ or "").split())


def fields(name: str, *left_out: str) -> str:
    """A table of a declaration's fields: name, what may stand there, default, meaning."""
    rows = ["| field | value | default | meaning |", "|:--|:--|:--|:--|"]
    for key, field in declarations()[name].model_fields.items():
        word = field.alias or key
        if word not in left_out:
            cells = (f"`{word}`", _value(field), _default(field), _meaning(field))
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def _meaning(field: FieldInfo) -> str:
    return (field.description or "").replace("^2", "²")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.default
    if value is None or value in ({}, []):
        return "–"
    if isinstance(value, BaseModel):
        return f"`{getattr(value, 'kind', value)}`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if value == BY_DEFAULT:
        return "–" if "by default" in (field.description or "") else "`[0, 0]`"
    if isinstance(value, tuple):
        return f"`[{', '.join(f'{part:g}' for part in value)}]`"
    if isinstance(value, float):
        return f"`{value:g}`"
    return f"`{value}`" if value != "" else "–"


def _value(field: FieldInfo) -> str:
    """What may stand in a field, in words."""
    words = [text for text in map(_check_words, field.metadata) if text]
    if words:
        return words[0]
    text = _type_words(field.annotation)
    limits = {type(part).__name__: part for part in field.metadata}
    if text == "whole number":
        bounds = [f"from {limits['Ge'].ge:,}"] if "Ge" in limits else []
        bounds += [f"to {limits['Le'].le:,}"] if "Le" in limits and limits["Le"].le < 10**9 else []
        return " ".join([text, *bounds]).replace(",", "\u202f")
    return text


def _check_words(check: object) -> str:
    """What a check of a value takes."""
    if isinstance(check, Quantity):
        return _quantity(check)
    if isinstance(check, AnyOf):
        return listed([_quantity(quantity) for quantity in check.kinds])
    if isinstance(check, Pair | Vector | ByDimension):
        return _vector(check)
    if isinstance(check, Reference):
        return f"name of a {check.kind}"
    if isinstance(check, DisplayUnit):
        return "unit of angle" if check.unit == "rad" else "unit of length"
    if isinstance(check, Family):
        bare = "name of a law, or a mapping" if check.bare and "law" in check.name else "mapping"
        every = [kind for member in check.members for kind in kinds(member)]
        return f"{bare} with its `kind`: {listed([f'`{kind}`' for kind in every])}"
    return _SPECIAL.get(type(check).__name__, "")


def _vector(check: Pair | Vector | ByDimension) -> str:
    """What a check of vectors takes."""
    if isinstance(check, ByDimension):
        return f"{_quantity(check.quantity)}; in space `[x, y, z]`"
    in_space = " or `[x, y, z]`" if isinstance(check, Vector) else ""
    return f"`[x, y]`{in_space}{_unit(check.quantity)}"


def _quantity(quantity: Quantity) -> str:
    limits = ((">", quantity.above), ("≥", quantity.least), ("≤", quantity.most), ("<", quantity.below))
    bounds = [f"{sign} {limit:g}" for sign, limit in limits if limit is not None]
    name = re.sub(r"^an? ", "", quantity.name)
    return " ".join([f"{name}{_unit(quantity)}", " and ".join(bounds)]).rstrip()


def _unit(quantity: Quantity) -> str:
    return f" [{quantity.unit}]".replace("^2", "²") if quantity.unit else ""


def _type_words(annotation: Any) -> str:
    """What an annotation takes."""
    checks = [text for text in map(_check_words, getattr(annotation, "__metadata__", ())) if text]
    if checks:
        return checks[0]
    parts = get_args(annotation)
    if hasattr(annotation, "__metadata__"):
        return _type_words(parts[0])
    if parts:
        return _compound_words(get_origin(annotation), parts)
    if _is_declaration(annotation):
        return _link(annotation)
    plain = {bool: "`true` or `false`", str: "text", int: "whole number", Any: "values"}
    return plain.get(annotation, str(annotation))


def _compound_words(origin: Any, parts: tuple[Any, ...]) -> str:
    """What an annotation made of others takes."""
    if origin is Literal:
        return listed([f"`{part}`" for part in parts])
    if origin is tuple and len(parts) > 2:
        return f"{len(parts)} {_plural(_type_words(parts[0]))}"
    if origin is tuple:
        return f"`[first, second]`, each {_with_article(_type_words(parts[0]))}"
    if origin is list:
        return f"list of {_plural(_type_words(parts[0]))}"
    if origin is dict and Any in get_args(parts[1]):
        return "for each name, a mapping of paths to values"
    if origin is dict:
        return f"for each name, {_with_article(_type_words(parts[1]))}"
    return listed([_type_words(part) for part in parts if part is not type(None)])


def _with_article(words: str) -> str:
    """`a mapping`, `the name of a body`; what is in the plural stays."""
    if words.startswith("name of"):
        return f"the {words}"
    return words if words.startswith(("values", "for each")) else f"a {words}"


def _plural(words: str) -> str:
    many = {"number": "numbers", "`[x, y]` [m]": "points `[x, y]` [m]"}
    singular = r"\b(time|length|angle|force|torque)(?= \[)"
    return many.get(words, re.sub(singular, r"\1s", words.replace("[mapping]", "[mappings]")))


def _link(declaration: type[Declaration]) -> str:
    """A mapping, linked to the heading that describes it."""
    name = declaration.__name__
    return f"[mapping](#{re.sub(r'(?<=[a-z])(?=[A-Z])', '-', name.removesuffix('Spec')).lower()})"
