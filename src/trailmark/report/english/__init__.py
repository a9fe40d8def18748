"""Features in English, for someone who knows the domain but no logic."""
