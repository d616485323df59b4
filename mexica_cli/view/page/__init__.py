"""Games as a web page: messages that tell a game step by step, and the page that shows them.

changes    what differs between two states, as JSON
messages   what a page is told of a game: in a file all at once, live one after the other
feed       makes these messages from observations
logged     the games of a log as messages
pieces     drawings of the pieces, for the page to place
document   the page itself
"""
