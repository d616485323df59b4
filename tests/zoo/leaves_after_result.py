"""Takes the end of a match for the end of everything: it dawdles, and exits."""

import time

from _speak import answer, messages, write

for message in messages():
    if message["type"] == "result":
        time.sleep(0.2)
        break
    write(answer(message))
