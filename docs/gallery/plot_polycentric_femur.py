"""
A condyle that is rounder at the back
=====================================

Real femoral condyles roll on a smaller radius the more the knee bends. Beside the circle of 40 mm of Machado 2010, the
contact stays further back on the plateau, the knee straightens further, and the anterior cruciate has more to hold.
"""

import matplotlib.pyplot as plt

import condyle

MODELS = {"planar-knee": "circle", "planar-knee-polycentric": "five arcs"}
runs = {name: condyle.simulate(condyle.load(name)).dataset for name in MODELS}

figure, (shape, path, tension) = plt.subplots(1, 3, figsize=(10, 3.6))
for name, words in MODELS.items():
    data = runs[name]
    outline = 1e3 * data.outline.sel(profile="condyle").values
    shape.plot(outline[:, 0], outline[:, 1], label=words)

    # Where the plateau is touched, in the tibia's own frame: its second axis points to the back.
    touching = data.contact_depth.squeeze() > 0
    place = 1e3 * data.contact_point_local.sel(side="second", axis="y").squeeze().where(touching)
    flexion = data.measure_value.sel(measure="flexion")
    path.plot(flexion, place)
    tension.plot(flexion, data.ligament_force.sel(ligament="ACL"))

shape.set(title="Outline of the condyle", xlabel="x, to the front [mm]", ylabel="y [mm]", aspect="equal")
path.set(title="Contact on the plateau", xlabel="flexion [deg]", ylabel="towards the back [mm]")
tension.set(title="Anterior cruciate", xlabel="flexion [deg]", ylabel="tension [N]")
for panel in (path, tension):
    panel.invert_xaxis()
shape.legend(loc="center")
plt.show()

# %%
# The same in numbers.

for name, data in runs.items():
    flexion, peaks = data.measure_value.sel(measure="flexion"), data.peak_ligament_force
    forces = ", ".join(
        f"{ligament} {peaks.sel(ligament=ligament).item():.0f} N" for ligament in peaks.ligament.values
    )
    print(f"{name:24} straightens to {flexion.min().item():5.1f} deg; {forces}")
