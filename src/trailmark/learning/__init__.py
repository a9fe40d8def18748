"""Learning: where training plans come from, problem classes, and the learner."""
