"""From an incident's description to what its reproducer showed on every tree."""
