"""`mexica`: an arena in which programs play Mexica and Moctezuma over a line protocol."""

__version__ = "0.1.0"
