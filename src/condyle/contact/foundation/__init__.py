"""The elastic foundation: pressure between two surfaces of triangles from the depth of one in the other.

surface  : what a contact needs of a surface, as plain arrays, and its scratch.
pool     : all surfaces of a model in one set of arrays.
clear    : whether a ball lies outside a surface.
depth    : depth of a point in a surface.
pressure : pressure on one triangle, cut where the contact ends.
sweep    : all faces of one surface that touch another.
pair     : both surfaces together; what they do to the two bodies.
load     : the same as one call from Python.
wear     : Archard's law on what a sweep left behind.
"""
