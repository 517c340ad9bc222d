"""Papers whose results can be run again: one module `author_year` each, with one function `reproduce`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

# Names as the terminal takes them; the module is the same with an underscore.
PAPERS: Final = {
    "machado-2010": "Development of a planar multibody model of the human knee joint",
    "kasai-2024": "An Integration of Contact Force Models with Multibody Dynamics Analyses for Human Joint Mechanisms "
    "and Effects of Viscoelastic Ground Contact",
    "lin-2010": "Surrogate articular contact models for computationally efficient multibody dynamic simulations",
}


class UntrustedRunsError(Exception):
    """Runs that did not finish or whose audits failed; the page is written all the same and says so."""

    def __init__(self, page: Path, reasons: Sequence[str]) -> None:
        super().__init__(f"{page}: do not trust this page; {'; '.join(reasons)}")
        self.page, self.reasons = page, tuple(reasons)
