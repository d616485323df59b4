"""Ends its lines with CR LF and puts blank ones between them."""

from _speak import answer, messages, write

for message in messages():
    write(b"\r\n  \n" + answer(message).replace(b"\n", b"\r\n\r\n"))
