"""The skill document: protected regions and edits."""
