"""The page for spectators of a running server: `mexica serve --web PORT`.

relay      one match on its way to all who watch it
document   the page
app        the page and its WebSockets, as an ASGI application
serving    serves the application beside the server, over hypercorn
"""
