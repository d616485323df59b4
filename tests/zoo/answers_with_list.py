"""Answers with a JSON list, where a message is an object."""

import json

from _speak import turns, write

for turn in turns():
    write(json.dumps(["play", turn["id"], turn["legal"][0]]).encode() + b"\n")
