"""What bots in Python that play on the project's rules can share: a package for each game."""
