"""Surfaces of triangles: files, repair, shapes, and the search for closest points and hits of rays."""
