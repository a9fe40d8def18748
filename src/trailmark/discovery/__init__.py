"""Discovery of landmark graphs from training trajectories: exact, and by an ASP solver."""
