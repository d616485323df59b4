"""Has a lot to say before each answer, and says all of it in one write."""

from _speak import answer, line, messages, write

for message in messages():
    if message["type"] == "turn":
        write(line("thinking") * 40 + line("pong", id=1) * 40 + answer(message))
    else:
        write(answer(message))
