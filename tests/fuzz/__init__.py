"""Fuzzers of everything that reads a user's file: `python -m tests.fuzz --help`.

A target is a module of `tests.fuzz.targets` with a function `one(data)`. It gives a short name of what
happened and raises only where the program is wrong: whatever the bytes, reading them succeeds or ends
in one of our own errors with a one-line message.
"""
