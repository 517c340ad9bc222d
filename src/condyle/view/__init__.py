"""What a person looks at: a run's report, its moving picture, pages of figures, each one self-contained HTML file."""

from condyle.view.plots import figure_page
from condyle.view.run_report import report
from condyle.view.viewer import viewer

__all__ = ["figure_page", "report", "viewer"]
