"""Prove a task: wrong programs fail, right ones pass, cheats never do, and every cell of that is evidence."""
