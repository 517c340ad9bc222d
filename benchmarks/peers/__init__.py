"""One module per peer; each runs in a process of its own: `python -m benchmarks.peers.NAME TASK`."""
