"""Landmark graphs and plans for people: text, pictures and pages."""
