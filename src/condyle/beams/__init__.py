"""Flexible beams in absolute nodal coordinates, and the frames they carry."""
