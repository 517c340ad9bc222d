"""Laws of the elastic foundation: pressure over depth, at each place of a surface by itself.

Nothing in this file compiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class FoundationLaw:
    """A law of pressure over depth.

    Parameters
    ----------
    name : as in a model file.
    title : one sentence on what it is and when to take it.
    reference : key in ``docs/references.bib``.
    equation : pressure [Pa] over depth d [m]; h is the thickness, K the confined modulus, m a pressure modulus.
    kind : the integer by which kernels know it.
    """

    name: str
    title: str
    reference: str
    equation: str
    kind: int


_LAWS = (
    FoundationLaw(
        name="linear",
        title="A thin elastic layer; right while the depth is a small part of the thickness.",
        reference="Bei2004",
        equation="K d / h",
        kind=0,
    ),
    FoundationLaw(
        name="logarithmic",
        title="A thin elastic layer that stiffens as it thins; for deep contact.",
        reference="Bei2004",
        equation="-K ln(1 - d / h)",
        kind=1,
    ),
    FoundationLaw(
        name="volume",
        title="Force in proportion to the volume of overlap, of no layer; to keep surfaces apart.",
        reference="Andersen2017",
        equation="m d",
        kind=2,
    ),
)

FOUNDATION_LAWS: Mapping[str, FoundationLaw] = MappingProxyType({law.name: law for law in _LAWS})
