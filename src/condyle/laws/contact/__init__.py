"""The laws of normal contact, by name.

A new law of the hysteresis family is one file with `hysteresis_factor` and one entry here. Nothing in this file
compiles: the kernels are in `hertz`, `hysteresis` and `kelvin_voigt`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from condyle.laws.contact import (
    carvalho_martins,
    flores,
    gonthier,
    hu_guo,
    hunt_crossley,
    lankarani_nikravesh,
    zhang_sharf,
)
from condyle.laws.contact.restitution import checked_restitution, delivered_restitution

HYSTERESIS, KELVIN_VOIGT = 0, 1


@dataclass(frozen=True)
class ContactLaw:
    """A law of normal contact.

    Parameters
    ----------
    name : as in a model file.
    title : one sentence on what it is and when to take it.
    reference : key in ``docs/references.bib``.
    equation : force [N] over depth d [m] and its rate v [m/s]; v0 is the rate at onset, e the restitution asked.
    hysteresis_factor : from the restitution asked [-] to the factor c [-] of ``F = K d^n (1 + c v / v0)``;
        None where a law asks for no restitution.
    kind : HYSTERESIS (Hertz has the factor 0) or KELVIN_VOIGT.
    """

    name: str
    title: str
    reference: str
    equation: str
    hysteresis_factor: Callable[[float], float] | None
    kind: int


_LAWS = (
    ContactLaw(
        name="hertz",
        title="Elastic, loses nothing.",
        reference="Hertz1882",
        equation="K d^n",
        hysteresis_factor=None,
        kind=HYSTERESIS,
    ),
    ContactLaw(
        name="lankarani-nikravesh",
        title="Damped, made for restitutions near 1; loses far too little below 0.8.",
        reference="Lankarani1990",
        equation="K d^n [1 + 3 (1 - e^2) / 4 * v / v0]",
        hysteresis_factor=lankarani_nikravesh.hysteresis_factor,
        kind=HYSTERESIS,
    ),
    ContactLaw(
        name="hunt-crossley",
        title="Damped, made for restitutions near 1; loses too little below 0.8.",
        reference="Hunt1975",
        equation="K d^n [1 + 3 (1 - e) / 2 * v / v0]",
        hysteresis_factor=hunt_crossley.hysteresis_factor,
        kind=HYSTERESIS,
    ),
    ContactLaw(
        name="flores",
        title="Damped, for soft materials; loses a little too much, within 0.05 of the restitution asked.",
        reference="Flores2011",
        equation="K d^n [1 + 8 (1 - e) / (5 e) * v / v0]",
        hysteresis_factor=flores.hysteresis_factor,
        kind=HYSTERESIS,
    ),
    ContactLaw(
        name="gonthier",
        title="Damped, delivers the restitution asked exactly.",
        reference="Gonthier2004",
        equation="K d^n [1 + c v / v0], (1 + c) / (1 - e c) = exp(c (1 + e))",
        hysteresis_factor=gonthier.hysteresis_factor,
        kind=HYSTERESIS,
    ),
    ContactLaw(
        name="carvalho-martins",
        title="Damped, an explicit fit that delivers the restitution asked from 1/3 up.",
        reference="Carvalho2019",
        equation="K d^n [1 + 3 (1 - e) (11 - e) / (2 (1 + 9 e)) * v / v0]",
        hysteresis_factor=carvalho_martins.hysteresis_factor,
        kind=HYSTERESIS,
    ),
    ContactLaw(
        name="hu-guo",
        title="Damped, within 0.03 of the restitution asked from 0.3 up; loses too much below.",
        reference="Hu2015",
        equation="K d^n [1 + 3 (1 - e) / (2 e) * v / v0]",
        hysteresis_factor=hu_guo.hysteresis_factor,
        kind=HYSTERESIS,
    ),
    ContactLaw(
        name="zhang-sharf",
        title="Damped, with the exact factor of the impact equation; the same numbers as gonthier.",
        reference="Zhang2009",
        equation="K d^n [1 + c v / v0], (1 + c) / (1 - e c) = exp(c (1 + e))",
        hysteresis_factor=zhang_sharf.hysteresis_factor,
        kind=HYSTERESIS,
    ),
    ContactLaw(
        name="kelvin-voigt",
        title="Linear spring and damper; its restitution follows from damping, stiffness and mass.",
        reference="Schwager2007",
        equation="K d + C v",
        hysteresis_factor=None,
        kind=KELVIN_VOIGT,
    ),
)

CONTACT_LAWS: Mapping[str, ContactLaw] = MappingProxyType({law.name: law for law in _LAWS})


def delivered(name: str, restitution: float) -> float:
    """Restitution [-] that a law delivers in a free impact when asked for `restitution` [-], in (0, 1].

    Hertz delivers 1 whatever is asked. Kelvin-Voigt is not asked for a restitution and raises ValueError: see
    `condyle.laws.contact.restitution.kelvin_voigt_restitution`.
    """
    law = CONTACT_LAWS[name]
    if law.kind == KELVIN_VOIGT:
        raise ValueError(
            f"{name} takes no restitution: what it delivers follows from its damping and the mass"
        )
    asked = checked_restitution(restitution)
    return 1.0 if law.hysteresis_factor is None else delivered_restitution(law.hysteresis_factor(asked))
