"""ReflACT on the command line."""
