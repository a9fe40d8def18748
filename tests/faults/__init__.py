"""Faults on purpose: killed processes, interruptions, limits under load, and long use of one process."""
