"""mini-swe-agent at work on one issue, with our student as its model."""
