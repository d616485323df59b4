# What to play: `choose` is given the legal actions as texts and three numbers of chance, each from 0 up to 1, and returns
# one of the actions. How actions are written is told in protocol/NOTATION.md.
#
# If you want to know more than what is legal: add "state" to `want` in bot.jq, and hand `$m.state` on to here.

def pick(list; $number): list[(list | length) * $number | floor];

def words: split(" ");

# The actions by their first word: {"walk": ["walk h5", "walk h7"], "end": ["end"]}
def by_kind: group_by(words[0]) | map({key: (.[0] | words[0]), value: .}) | from_entries;

# An action of one of these kinds, each kind being equally likely. Most of the thousand legal actions are canals.
def any_of($kinds; $among; $chance):
  ($among | map(select(in($kinds)))) as $there
  | if $there == [] then null else pick($kinds[pick($there; $chance[0])]; $chance[1]) end;

# The ones with the greatest number after the first word: the largest district, the highest temple.
def greatest: group_by(words[1] | tonumber) | last;

# Founds whenever it can, builds the highest temple there is, just anywhere, and else digs and wanders about.
def choose($legal; $chance):
  ($legal | by_kind) as $kinds
  | if $kinds.found then pick($kinds.found | greatest; $chance[2])
    elif $kinds.temple then pick($kinds.temple | greatest; $chance[2])
    else any_of($kinds; ["canal", "walk", "bridge", "boat"]; $chance)
      // any_of($kinds; $kinds | keys - ["retire"]; $chance)
    end;
