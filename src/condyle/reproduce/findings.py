"""What came out, sentence by sentence, and the verdict that follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from condyle.view.plots import Figure, Panel, Verdict

# What is "practically the same" or without "significant influence" may differ by this part of the range; what is
# said to differ must differ by more.
NEGLIGIBLE = 0.05
# What "similar" curves correlate by at least.
SIMILAR = 0.95
# Before a sentence that bears the paper out, one that does not, a remark.
MARKS = {True: "✓", False: "✗", None: "·"}


class Finding(NamedTuple):
    """A sentence with numbers, without its full stop; whether it bears the paper out, or None for a remark."""

    text: str
    holds: bool | None = None

    def __str__(self) -> str:
        """The sentence as the page has it, on a line of its own."""
        return f"{MARKS[self.holds]} {self.text}."


def verdict(findings: Sequence[Finding]) -> Verdict:
    """Reproduced where every claim holds, not reproduced where none does."""
    judged = [finding.holds for finding in findings if finding.holds is not None]
    if all(judged):
        return "reproduced"
    return "differs" if any(judged) else "not reproduced"


def figure(title: str, paper: str, findings: Sequence[Finding], panels: Sequence[Panel]) -> Figure:
    """A figure with its verdict; without one where nothing in it can be judged."""
    found = "\n".join(map(str, findings))
    made: Figure = {"title": title, "paper": paper, "found": found, "panels": panels}
    if any(finding.holds is not None for finding in findings):
        made["verdict"] = verdict(findings)
    return made


def listed(values: Mapping[str, float], form: str = ".1f") -> str:
    """Names with values, for a sentence."""
    return ", ".join(f"{name} {value:{form}}" for name, value in values.items())
