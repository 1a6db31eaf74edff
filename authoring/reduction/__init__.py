"""From the trees of an incident to one small program with three versions."""
