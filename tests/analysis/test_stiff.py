"""The implicit method on what is stiff."""

from __future__ import annotations

import condyle
from small_models import Section, held, model, run


def test_many_jacobians_overflow_nothing() -> None:
    """A strongly damped rod: differences over the work integrals, which move nothing, must not widen without end.

    Warnings are errors in these tests, and a Jacobian of SciPy's own takes four times as many evaluations.
    """
    beam: Section = {"from": [0.0, 0.0], "to": [0.5, 0.0], "elements": 4, "damping": 0.5, "young": 2e6}
    spec = model(
        {"wall": {"fixed": True}},
        run(1.0, 1e-3, "stiff"),
        beams={"rod": {**beam, "section": {"width": 0.02, "height": 0.01}, "density": 500.0}},
        frames={"root": {"beam": "rod", "along": 0.0}, "tip": {"beam": "rod", "along": 1.0}},
        joints={"clamp": {"kind": "weld", "from": held("wall"), "to": held("root")}},
        forces={"pull": {"body": "tip", "direction": [0.0, 1.0], "amplitude": 1e-3}},
    )
    found = condyle.simulate(spec)
    assert found.audit.passed
    assert found.audit.evaluations < 10_000
