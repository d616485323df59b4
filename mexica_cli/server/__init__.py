"""`mexica serve`: a server where bots and spectators meet at tables.

From the wire inwards:

- `streams`: lines over TCP, TLS or anything; `gate`: who gets in, and how much each may say
- `door`: the first lines of a connection; `guest`: a bot that may go and come back; `spectator`: who only watches
- `lobby`: who is where, and what they may ask; `broadcast`: what spectators are shown of a match
- `table`: what tables have in common; `matches` and `ladder`: the two kinds; `pairing` and `book`: a ladder's sums
- `journal`, `ledger` and `index`: what is on disk
- `server`: all of it, started and stopped; `meters`: how it does
- `settings` and `tokens`: the files that a person writes
"""
