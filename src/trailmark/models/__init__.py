"""Models: a guidance with where it came from, its estimate of plan length, and the model file."""
