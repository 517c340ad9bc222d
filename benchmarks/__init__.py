"""Speed of Condyle beside peers and hand-written loops on the same work: `python -m benchmarks`."""
