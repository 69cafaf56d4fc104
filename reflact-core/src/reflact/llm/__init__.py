"""Talking to models: prompts, structured replies, roles."""
