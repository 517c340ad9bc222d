"""
What finer beams cost
=====================

A soft beam swings on a pin, in 8 to 512 elements. The time that a step takes grows linearly with their number, by an
explicit and by the implicit method: mass matrices are factored once, and Newton's method solves with a band.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

import condyle

ELEMENTS = np.array([8, 16, 32, 64, 128, 256, 512])
STEPS = 200


def seconds_per_step(elements, integrator, step):
    """What is told while a run goes on, from behind its first steps to its end, times the steps alone."""
    run = {"integrator": integrator, "step": step, "duration": STEPS * step, "output_step": STEPS * step}
    changed = {f"run.{name}": value for name, value in run.items()}
    spec = condyle.load("flexible-pendulum").updated({"beams.bar.elements": int(elements), **changed})
    told = []
    condyle.simulate(spec, progress=lambda part: told.append((part, time.process_time())))
    (begun, first), (ended, last) = told[0], told[-1]
    return (last - first) / ((ended - begun) * STEPS)


# %%
# The fastest wave in the beam bends it, and the explicit step must shrink with the square of an element's length. That
# is why an explicit run to the same instant costs the cube of the number of elements, and an implicit one the number.

times = {
    "rk4": [min(seconds_per_step(n, "rk4", 1e-4 * (16 / n) ** 2) for _ in range(3)) for n in ELEMENTS],
    "generalized-alpha": [
        min(seconds_per_step(n, "generalized-alpha", 1e-3) for _ in range(3)) for n in ELEMENTS
    ],
}
figure, axes = plt.subplots(figsize=(7, 4.5))
for name, found in times.items():
    exponent = np.polyfit(np.log(ELEMENTS), np.log(found), 1)[0]
    axes.loglog(ELEMENTS, 1e6 * np.array(found), "o-", label=f"{name}: exponent {exponent:.2f}")
axes.loglog(ELEMENTS, 0.5e6 * times["rk4"][0] * ELEMENTS / ELEMENTS[0], "--", color="gray", label="linear")
axes.set(xlabel="elements", ylabel="time per step [µs]", title="Time per step of a swinging beam")
axes.set_xticks(ELEMENTS, [str(n) for n in ELEMENTS])
axes.minorticks_off()
axes.legend(loc="lower right")
plt.show()
