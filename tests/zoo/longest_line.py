"""Answers with lines of exactly as many bytes as a line may have."""

from _speak import line, turns, write

for turn in turns():
    data = line("play", id=turn["id"], actions=turn["legal"][-1:], thoughts="")
    write(data.replace(b'""', b'"%s"' % (b"x" * (65536 - len(data)))))
