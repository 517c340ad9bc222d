"""Results in the formats of other programs."""

from condyle.io.formats import FORMATS, ExportError, export, fitting_formats

__all__ = ["FORMATS", "ExportError", "export", "fitting_formats"]
