"""Tests that press Ctrl-C must be able to: a job that was started in the background comes with the signal ignored."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
