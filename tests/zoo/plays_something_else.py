"""Joins and says that it plays other games."""

from _speak import messages, send

for message in messages():
    if message["type"] == "hello":
        send("join", protocol=1, name="other", games=["chess", "go"])
