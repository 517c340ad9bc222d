"""
A knee replacement in a simulator machine
=========================================

A Stanmore machine flexes the femoral component, presses both components together, pushes the insert forwards and
backwards and twists it, once per step of walking. Metal on polyethylene is taken for an elastic foundation: the
pressure at a place follows from how deep the condyle sits in it (Lin 2010).
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

import condyle

results = condyle.simulate(condyle.load("stanmore-tkr"))
data = results.dataset
print(results.summary().verdict)

# %%
# What the machine does to the knee, and how the two sides share the load. The medial side bears more of it: the load
# acts 5 mm to that side.

figure, (turning, sliding, forces) = plt.subplots(1, 3, figsize=(10, 3.4))
for name, panel in (
    ("flexion", turning),
    ("internal-rotation", turning),
    ("anterior", sliding),
    ("height", sliding),
):
    value = data.measure_value.sel(measure=name)
    panel.plot(data.time, value - value[0] if name == "height" else value, label=name)
for side in ("medial", "lateral"):
    forces.plot(data.time, data.contact_normal_force.sel(contact=f"tibiofemoral/{side}"), label=side)
turning.set(title="Rotations", xlabel="time [s]", ylabel="[deg]")
sliding.set(title="Translations", xlabel="time [s]", ylabel="from the start [mm]")
forces.set(title="Contact forces", xlabel="time [s]", ylabel="[N]")
for panel in (turning, sliding, forces):
    panel.legend(fontsize=8)
plt.show()

# %%
# The insert from above, to the front upwards: pressure at the two peaks of the load and in swing, and what five million
# steps wear away.

on_insert = np.flatnonzero(data.surface[data.face_surface] == "insert")
corners = 1e3 * data.surface_vertex.values[data.surface_face.values[on_insert]][:, :, [2, 0]]


def drawn(panel, values, title, unit):
    """One value on every triangle."""
    shown = PolyCollection(
        corners, array=np.where(values > 0, values, np.nan), cmap="viridis", edgecolors="face", lw=0.2
    )
    panel.add_collection(PolyCollection(corners, facecolors="#e4e6e5"))
    panel.add_collection(shown)
    panel.set(title=title, aspect="equal")
    panel.axis("off")
    panel.autoscale_view()
    panel.figure.colorbar(shown, ax=panel, label=unit, orientation="horizontal", shrink=0.8)


figure, panels = plt.subplots(2, 2, figsize=(9, 7.4))
for panel, time in zip(panels.flat, (0.13, 0.49, 0.72), strict=False):
    now = data.sel(time=time, method="nearest")
    flexion = now.measure_value.sel(measure="flexion").item()
    title = f"{time:.2f} s, {flexion:.0f}° of flexion"
    drawn(panel, 1e-6 * now.face_pressure.values[on_insert].astype(float), title, "pressure [MPa]")
volume = 1e9 * data.wear_volume.sel(contact="tibiofemoral").item()
drawn(panels[1, 1], 1e6 * data.face_wear.values[on_insert], f"worn away: {volume:.1f} mm³", "depth [µm]")
for panel in panels.flat:
    panel.text(0.02, 0.02, "lateral", transform=panel.transAxes, fontsize=8)
    panel.text(0.98, 0.02, "medial", transform=panel.transAxes, fontsize=8, ha="right")
plt.show()

# %%
# Which way is it stiff? Eq. 1 of the paper: how each load grows along its own coordinate. Across the surfaces it is
# hundreds of times stiffer than along them; a surrogate of this contact must be sampled accordingly.

six = ["anterior", "height", "lateral-shift", "varus", "internal-rotation", "flexion"]
stiffness = condyle.coordinate_stiffness(results, six).sel(contact="tibiofemoral")
for name, value, unit in zip(six, stiffness.values, stiffness.coordinate_unit.values, strict=True):
    print(f"{name:18} {-value:12.3g} {unit}")
