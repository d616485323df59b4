#!/bin/sh
# Starts jq once for the whole run: what the arena writes goes in, what bot.jq makes of it goes out, line by line.
exec jq --null-input --compact-output --unbuffered -L "$(dirname "$0")" --from-file "$(dirname "$0")/bot.jq"
