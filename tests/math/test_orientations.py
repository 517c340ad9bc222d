"""Orientations in bulk against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from condyle.math.orientations import rotation_matrices, rotation_vectors


def test_matrices_are_those_of_the_parameters_scalar_first_and_need_no_unit_length() -> None:
    parameters = np.random.default_rng(4).normal(size=(50, 2, 4))
    expected = Rotation.from_quat(parameters.reshape(-1, 4)[:, [1, 2, 3, 0]]).as_matrix()
    found = rotation_matrices(parameters)
    assert found.shape == (50, 2, 3, 3)
    np.testing.assert_allclose(found.reshape(-1, 3, 3), expected, atol=1e-14)
    # A quarter of a turn about z takes x to y.
    quarter = rotation_matrices(np.array([np.cos(np.pi / 4), 0.0, 0.0, np.sin(np.pi / 4)]))
    np.testing.assert_allclose(quarter @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, 2.0, np.pi - 1e-7, np.pi])
def test_vectors_give_the_rotation_back_at_all_angles(angle: float) -> None:
    axes = np.random.default_rng(5).normal(size=(40, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    matrices = Rotation.from_rotvec(angle * axes).as_matrix()
    found = rotation_vectors(matrices)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), angle, atol=1e-7)
    np.testing.assert_allclose(Rotation.from_rotvec(found).as_matrix(), matrices, atol=1e-7)
