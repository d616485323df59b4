# Speaks the protocol (protocol/PROTOCOL.md). What is played is decided in choose.jq.
include "choose";

# Numbers that look like chance, each made from the one before: the same seed gives the same match again.
def next_seed: . * 16807 % 2147483647;
def chances: [limit(3; recurse(next_seed)) / 2147483647];

# The state is {seed, legal, say}: `say` is the answer to the message, or null.

def play($id):
  .say = {type: "play", id: $id, actions: [choose(.legal; .seed | chances)]}
  | .seed |= (next_seed | next_seed | next_seed);

# Can't happen while an action comes from the list. If it does: all but the action that was refused.
def again($m):
  if $m.code == "turn_over" or $m.strikes_left == 0 then .
  else .legal -= [$m.action] | play($m.id)
  end;

def answer($m):
  .say = null
  | if $m.type == "hello" then .say = {type: "join", protocol: 1, name: "starter-sh", games: ["mexica"], want: ["legal"]}
    elif $m.type == "start" then .seed = $m.seed % 2147483646 + 1 | .say = {type: "ready", match: $m.match}
    elif $m.type == "turn" then .legal = $m.legal | play($m.id)
    elif $m.type == "reject" then again($m)
    elif $m.type == "ping" then .say = {type: "pong", id: $m.id}
    else .  # messages that it doesn't know are passed over
    end;

foreach inputs as $message ({}; answer($message); .say // empty)
