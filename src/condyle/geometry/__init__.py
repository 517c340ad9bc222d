"""Outlines of bodies: points become curves, curves give points, tangents, normals and curvature."""
