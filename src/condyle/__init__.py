"""Condyle: human joints as data. Every public name is listed here, with one import path each.

A name is imported when it is first used, so that ``import condyle`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from condyle.model.schema import schema
    from condyle.model.spec import Spec, builtin_models, load
    from condyle.results import Results, read_results
    from condyle.results.coordinate_loads import coordinate_loads, coordinate_stiffness
    from condyle.results.simulation import Interrupted, simulate
    from condyle.spec.errors import SpecError
    from condyle.study.wear import worn
    from condyle.view import report

__version__ = "0.1.0"

__all__ = [
    "Interrupted",
    "Results",
    "Spec",
    "SpecError",
    "__version__",
    "builtin_models",
    "coordinate_loads",
    "coordinate_stiffness",
    "load",
    "read_results",
    "report",
    "schema",
    "simulate",
    "worn",
]

# The same names once more, for the interpreter; the imports above are for type checkers. A test compares the two.
_HOMES: Final = {
    "load": "condyle.model.spec",
    "builtin_models": "condyle.model.spec",
    "Spec": "condyle.model.spec",
    "SpecError": "condyle.spec.errors",
    "schema": "condyle.model.schema",
    "simulate": "condyle.results.simulation",
    "Interrupted": "condyle.results.simulation",
    "worn": "condyle.study.wear",
    "Results": "condyle.results",
    "read_results": "condyle.results",
    "coordinate_loads": "condyle.results.coordinate_loads",
    "coordinate_stiffness": "condyle.results.coordinate_loads",
    "report": "condyle.view",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'condyle' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value  # asked once
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
