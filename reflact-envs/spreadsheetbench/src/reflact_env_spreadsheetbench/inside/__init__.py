"""Programs that run in the sandbox, by path: they know the standard library and openpyxl, and nothing of ours."""
