"""The paper's experiments: suites, a runner, baselines, tables and figures."""
