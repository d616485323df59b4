"""Writes JSON as nobody else does: spaces, escapes, fields of its own, no ASCII."""

import json

from _speak import answer, messages, write

for message in messages():
    if data := answer(message):
        fields = {"größe": "übergroß", **json.loads(data), "extra": [{}, None, 1e-3], "note": "¿qué? \U0001f5ff"}
        text = json.dumps(fields, ensure_ascii=message["type"] == "turn", separators=(" ,\t", "  : "))
        write(b" \t" + text.encode() + b"  \n")
