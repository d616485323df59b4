"""One match: seats, channels to the bots, clock, referee."""
