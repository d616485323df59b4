"""Games in a terminal, with a person at it: `replayer` goes through a logged one, `person` plays one."""
