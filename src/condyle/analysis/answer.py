"""The question a model file asks, answered."""

from __future__ import annotations

from condyle.analysis.equilibrium import equilibrium
from condyle.analysis.forward import forward
from condyle.analysis.kinematics import kinematics
from condyle.analysis.progress import Progress
from condyle.analysis.trajectory import Trajectory
from condyle.model.compiled import CompiledModel


def answered(model: CompiledModel, progress: Progress | None = None) -> Trajectory:
    """What `run.analysis` asks for: motion under forces, motion that drivers decide, or rest under load."""
    analysis = model.spec.model.run.analysis
    if analysis in ("kinematics", "inverse"):
        return kinematics(model, progress)
    if analysis == "equilibrium":
        return equilibrium(model, progress)
    return forward(model, progress)
