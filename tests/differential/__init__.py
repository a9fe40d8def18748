"""Trailmark against independent programs, on many cases drawn from one seed.

    python -m tests.differential [PART...] --seed S --count N --save FOLDER

Every part compares one thing we compute with what other software computes from the same files. It
counts agreements, disagreements, and what the other program cannot handle, with the reason.
"""
