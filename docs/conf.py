"""How the documentation is built: pages in MyST, a gallery that is run, tables and terminals that are computed.

Nothing is fetched, neither while building nor while reading: formulas become MathML, fonts come with the theme.
"""

from __future__ import annotations

import sys
from pathlib import Path

import condyle

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "Condyle"
author = "Condyle developers"
copyright = "Condyle developers, Apache-2.0"
release = version = condyle.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_gallery.gen_gallery", "condyle_docs"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
default_role = "literal"  # docstrings and gallery texts set names in single backticks
exclude_patterns = ["_build", "gallery", "_ext"]
suppress_warnings = ["config.cache"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_use_type_comments = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 110
toc_object_entries_show_parents = "hide"

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "within_subsection_order": "condyle_docs.figures.in_reading_order",
    "reset_modules": ("condyle_docs.figures.house_style",),
    "image_srcset": ["2x"],
    "abort_on_example_error": True,
    "download_all_examples": False,
    "write_computation_times": False,
    "min_reported_time": 10**6,
    "thumbnail_size": (480, 330),
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
}

html_theme = "furo"
html_math_renderer = "mathml"
html_title = "Condyle"
html_static_path = ["_static"]
html_css_files = ["condyle.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#5bb4ea", "color-brand-content": "#5bb4ea"},
}
pygments_style = "tango"
pygments_dark_style = "github-dark"
