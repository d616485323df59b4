"""Never answers its first turn. It does see the end of its input."""

from _speak import turns

for _ in turns():
    pass
