"""The loop around the stages: batches, state, observers, resume."""
