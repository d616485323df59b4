"""Says what the protocol knows, and what nobody asked for: joins again, chats, answers no ping."""

from _speak import play, send, turns

for turn in turns():
    send("join", protocol=1, name="animal")
    send("say", match=turn["match"], text="good luck")
    send("pong", id=turn["id"])
    send("ready", match=turn["match"])
    play(turn)
