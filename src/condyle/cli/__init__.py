"""The terminal: `condyle run planar-knee` and its sisters. Heavy rooms are imported by the commands that need them."""

from condyle.cli.door import main

__all__ = ["main"]
