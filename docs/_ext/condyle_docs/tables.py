"""Tables computed from the package while a page is read."""

from __future__ import annotations

import condyle
from condyle.laws.contact import CONTACT_LAWS, KELVIN_VOIGT, delivered
from condyle.laws.contact.restitution import kelvin_voigt_restitution
from condyle.results.variables import IN_SPACE, VARIABLES

ASKED = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9)
CLOSE = 0.005
RATIOS = (0.05, 0.1, 0.2, 0.4, 0.8)


def restitution() -> str:
    """Restitution that each law delivers in a free impact, beside the one it is asked for; bold where they agree."""
    head = ["| asked | " + " | ".join(f"{e:g}" for e in ASKED) + " |", "|:--|" + "--:|" * len(ASKED)]
    rows = []
    for law in CONTACT_LAWS.values():
        if law.kind != KELVIN_VOIGT:
            given = (_agreed(delivered(law.name, e), e) for e in ASKED)
            rows.append(f"| `{law.name}` | {' | '.join(given)} |")
    return "\n".join([*head, *rows])


def laws() -> str:
    """What each contact law is, its force and its source."""
    rows = ["| law | force | what it is |", "|:--|:--|:--|"]
    for law in CONTACT_LAWS.values():
        source = f"[{law.reference[:-4]} {law.reference[-4:]}](#{law.reference.lower()})"
        rows.append(f"| `{law.name}` | `{law.equation}` | {law.title} {source} |")
    return "\n".join(rows)


def _agreed(given: float, asked: float) -> str:
    return f"**{given:.2f}**" if abs(given - asked) < CLOSE else f"{given:.2f}"


def kelvin_voigt() -> str:
    """Restitution of a spring with a damper over its damping ratio, with the pull clamped and as printed."""
    rows = [
        "| damping ratio | " + " | ".join(f"{z:g}" for z in RATIOS) + " |",
        "|:--|" + "--:|" * len(RATIOS),
    ]
    for tension in ("clamp", "printed"):
        given = " | ".join(f"{kelvin_voigt_restitution(z, tension):.2f}" for z in RATIOS)
        rows.append(f"| restitution, `tension: {tension}` | {given} |")
    return "\n".join(rows)


def variables(where: str = "") -> str:
    """The variables of a dataset: dimensions, unit, meaning; with `space` those of models in space only."""
    rows = ["| variable | dimensions | unit | meaning |", "|:--|:--|:--|:--|"]
    for name, (dims, units, words) in (IN_SPACE if where else VARIABLES).items():
        unit = {"1": "–", "measure_unit": "its own"}.get(units, units)
        rows.append(f"| `{name}` | {', '.join(dims)} | {unit} | {words} |")
    return "\n".join(rows)


def models() -> str:
    """The built-in models with their titles."""
    rows = (f"| `{name}` | {title} |" for name, title in condyle.builtin_models().items())
    return "\n".join(["| name | what it is |", "|:--|:--|", *rows])
