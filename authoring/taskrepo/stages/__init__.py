"""The stages of the main job, each rerunnable: what it reads, what it calls, what it leaves."""
