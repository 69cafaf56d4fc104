"""What a person reads: pure functions from records to lines of text."""
