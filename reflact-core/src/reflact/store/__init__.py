"""The run folder: artifacts written once, atomically, and read back on resume."""
