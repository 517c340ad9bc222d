"""
A bouncing ball against its closed form
=======================================

With an instant rebound of restitution 0.8 each flight is a parabola that is known beforehand. Gonthier's law follows it
bounce by bounce; two others, asked for the same 0.8, bounce higher, as much as their delivered restitution says.
"""

import matplotlib.pyplot as plt
import numpy as np

import condyle
from condyle.laws.contact import delivered

GRAVITY, DROP, ASKED = 9.81, 0.3, 0.8
LAWS = ("gonthier", "hunt-crossley", "lankarani-nikravesh")


def closed_form(time, restitution):
    """Height [m] of a ball dropped from DROP that leaves the ground at once with a part of its speed."""
    speed, landing = np.sqrt(2 * GRAVITY * DROP), np.sqrt(2 * DROP / GRAVITY)
    height = DROP - GRAVITY * time**2 / 2
    while landing < time[-1]:
        speed *= restitution
        flight = np.clip(time - landing, 0, None)
        height = np.where(time > landing, speed * flight - GRAVITY * flight**2 / 2, height)
        landing += 2 * speed / GRAVITY
    return height


# %%
# The dashes are the closed form with the restitution that the law delivers in a free impact. A real contact takes
# time, here some 5 ms each, so the computed ball falls behind by and by.

ball = condyle.load("bouncing-ball").updated({"run.duration": 1.6})
figure, panels = plt.subplots(3, 1, figsize=(8, 6), sharex=True, sharey=True)
rebounds = {}
for k, (panel, law) in enumerate(zip(panels, LAWS, strict=True)):
    results = condyle.simulate(ball.updated({"contacts.bounce.law": {"kind": law, "restitution": ASKED}}))
    time = results.dataset.time.values
    height = results.dataset.measure_value.sel(measure="height").values
    panel.plot(time, 1e-3 * height, color=f"C{k}", label=law)
    panel.plot(
        time,
        closed_form(time, delivered(law, ASKED)),
        "--",
        color="#1b2126",
        linewidth=1,
        label="closed form",
    )
    panel.set(title=f"{law}: asked {ASKED}, delivers {delivered(law, ASKED):.3f}", ylabel="height [m]")
    tops = [h for a, h, b in zip(height, height[1:], height[2:], strict=False) if a < h >= b]
    rebounds[law] = np.sqrt(np.array(tops) / np.array([1e3 * DROP, *tops[:-1]]))
panels[0].set_ylim(-0.01, 0.32)
panels[-1].set_xlabel("time [s]")
panels[0].legend(loc="upper right", ncols=2)
plt.show()

# %%
# The square root of one height over the one before is the restitution of that bounce. It lies below the free impact's,
# and the more so the slower the bounce: gravity acts during the contact, too.

for law, found in rebounds.items():
    print(f"{law:20} delivers {delivered(law, ASKED):.3f}, bounces with", *(f"{e:.3f}" for e in found[:4]))
