"""Trailmark inside other systems: Unified Planning, and the planning competition's learning track."""
