"""Reads `hello`, and never says a word."""

from _speak import live_on

live_on()
