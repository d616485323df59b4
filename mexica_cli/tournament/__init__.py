"""Tournaments: who meets whom, what the results add up to, and how sure one may be of it."""
