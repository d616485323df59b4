"""Ends before it has said anything, with exit code 0."""
