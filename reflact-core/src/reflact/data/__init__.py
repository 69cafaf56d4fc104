"""Tasks from files: records, splits, and which tasks a step sees."""
