"""What benchmark authors reuse: asking one question, reading answers, comparing them, checking an env."""
