"""What a run found: the labelled dataset, the audit, the summary, and how they are kept on disk."""

from condyle.results.audit import Audit
from condyle.results.results import Results, read_results
from condyle.results.summary import Summary

__all__ = ["Audit", "Results", "Summary", "read_results"]
