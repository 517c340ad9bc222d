"""The audit every run keeps: what it can say about its own error."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

# What is exchanged below this part of the energy there is, is judged by that part: rounding is a millionth of it.
HARDLY_ANY = 1e-7


@dataclass(frozen=True)
class Audit:
    """Balance of one forward run.

    energy_residual : change of energy less the work of loads plus what laws dissipated [J].
    energy_throughput : half the time integral of the magnitudes of all powers [J]; the scale of the residual.
    energy_size : largest magnitude of an energy [J], whose rounding is no fault of the run.
    tolerance : largest relative residual that passes.
    unbalanced : forces that do not balance at rest, in parts of the largest; None where the model moves.
    constraint_drift : largest violation of a constraint [m or rad]; zero without constraints.
    deepest_penetration : largest depth by contact [m].
    clamped_time, clamped_work : time [s] and work [J] for which a pulling contact force was set to zero, by contact.
    notes : sentences a reader should see: onset below the floor, ligament past its allowed strain, chatter.
    """

    energy_residual: float
    energy_throughput: float
    tolerance: float
    unbalanced: float | None = None
    constraint_drift: float = 0.0
    deepest_penetration: dict[str, float] = field(default_factory=dict)
    clamped_time: dict[str, float] = field(default_factory=dict)
    clamped_work: dict[str, float] = field(default_factory=dict)
    steps: int = 0
    rejected_steps: int = 0
    events: int = 0
    evaluations: int = 0
    finished: bool = True
    energy_size: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def relative_residual(self) -> float:
        """Energy residual in parts of the throughput, or of a bit of the energy where hardly any was exchanged; zero
        for a run in which nothing happened.
        """
        scale = max(self.energy_throughput, HARDLY_ANY * self.energy_size)
        return abs(0.0 * self.energy_residual) if scale == 0.0 else abs(self.energy_residual) / scale

    @property
    def passed(self) -> bool:
        """Whether the numbers can be trusted: the run finished, and its energy or its forces balance."""
        residual = self.relative_residual if self.unbalanced is None else self.unbalanced
        return self.finished and residual <= self.tolerance

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self) | {"relative_residual": self.relative_residual, "passed": self.passed}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Audit:
        """The audit that `as_dict` described."""
        own = {name: values[name] for name in cls.__dataclass_fields__ if name in values}
        return cls(**(own | {"notes": tuple(own.get("notes", ()))}))
