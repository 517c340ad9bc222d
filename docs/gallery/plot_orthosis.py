"""
What an orthosis takes off the knee
===================================

A man lands from 0.05 m on ground tilted by 5 deg: without a device, with a spring and a damper at the knee, and with
a leaf spring of nylon in front of it, a beam that bends as the knee does.
"""

import matplotlib.pyplot as plt
import numpy as np

import condyle

BODY_WEIGHT = 38 * 9.81  # N; the model is one leg with half the man on it
VARIANTS = ("bare", "spring-damper", "leaf-spring")
runs = {name: condyle.simulate(condyle.load("leg-with-orthosis", variant=name)).dataset for name in VARIANTS}


def ground_reaction(data):
    """Sum of the normal forces under heel and ball [N]."""
    return data.contact_normal_force.sum("contact")


def muscle_torque(data):
    """What the muscles at the knee hold [N m], positive where it extends."""
    return data.spring_effort.sel(spring="knee-muscles")


def knee_force(data):
    """Magnitude of the force in the knee [N]."""
    return np.hypot(
        data.joint_force.sel(joint="knee", axis="x"), data.joint_force.sel(joint="knee", axis="y")
    )


figure, ((flexion, ground), (muscle, knee)) = plt.subplots(2, 2, figsize=(10, 6.5), sharex=True)
for name, data in runs.items():
    time = 1e3 * data.time
    flexion.plot(time, data.measure_value.sel(measure="knee-flexion"), label=name)
    ground.plot(time, ground_reaction(data) / BODY_WEIGHT)
    muscle.plot(time, muscle_torque(data))
    knee.plot(time, knee_force(data) / BODY_WEIGHT)
flexion.set(title="Knee flexion", ylabel="flexion [deg]")
ground.set(title="Ground reaction", ylabel="force [body weights]")
muscle.set(title="Muscles at the knee", xlabel="time [ms]", ylabel="torque [N m]")
knee.set(title="Force in the knee", xlabel="time [ms]", ylabel="force [body weights]")
flexion.legend()
plt.show()

# %%
# The leaf where the knee is bent most, and where it was at first, in the frame of the hip.

bent = runs["leaf-spring"]
deepest = int(bent.measure_value.sel(measure="knee-flexion").values.argmax())
hip = bent.position.sel(body="trunk")
figure, shape = plt.subplots(figsize=(4, 4))
for row, label in ((0, "at first"), (deepest, "bent most")):
    leaf = bent.beam_position.isel(time=row, beam=0) - hip.isel(time=row)
    shape.plot(1e3 * leaf.sel(axis="x"), 1e3 * leaf.sel(axis="y"), label=label)
shape.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", title="The leaf, seen from the hip")
shape.legend()
plt.show()
print(f"largest strain in the leaf: {100 * bent.beam_surface_strain.max().item():.2f} %")

# %%
# What the devices take off the muscles: the peak of their torque, and its integral over the landing.

bare = muscle_torque(runs["bare"])
for name, data in runs.items():
    torque = muscle_torque(data)
    peak = 100 * (1 - torque.max().item() / bare.max().item())
    whole = 100 * (1 - torque.integrate("time").item() / bare.integrate("time").item())
    ground, knee = (force.max().item() / BODY_WEIGHT for force in (ground_reaction(data), knee_force(data)))
    print(
        f"{name:14} muscles {torque.max().item():.1f} N m: {peak:.0f} % off the peak, {whole:.0f} % in all;",
        end=" ",
    )
    print(f"ground {ground:.2f}, knee {knee:.2f} body weights")
