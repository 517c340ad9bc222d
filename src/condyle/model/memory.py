"""Whether the results of a run fit into memory, known before the run."""

from __future__ import annotations

from condyle.model.declarations import RunSpec
from condyle.spec.errors import Problem, SpecError

# Bytes that the rows of a run may take.
MOST_BYTES = 2e9


def check_memory(run: RunSpec, n_row: int, width: int, n_state: int, n_side_face: int = 0) -> None:
    """Refuse a run whose rows of results, each with all there is to know of every element, take too much memory."""
    # Twice a table of all elements: what a run remembers, and what they did. Of each face of each side of a contact its
    # force and its pressure, in single precision.
    row_bytes = 8.0 * (2 * width * n_row + n_state + n_side_face)
    if run.rows() * row_bytes <= MOST_BYTES:
        return
    least = 1.1 * run.duration * row_bytes / MOST_BYTES
    told = f"makes {run.rows():.3g} rows of results, {run.rows() * row_bytes / 1e9:.2g} GB of memory with this model"
    raise SpecError([Problem("run.output_step", f"{told}; take {least:.2g} s or more")])
