"""`mexica serve`: a server where bots and spectators meet at tables.

From the wire inwards:

- `streams`: lines over TCP, TLS or anything; `gate`: who gets in, and how much each may say; `descriptors`: how many
  connections the system has room for
- `door`: the first lines of a connection; `guest`: a bot that may go and come back; `spectator`: who only watches
- `lobby`: who is where, and what they may ask; `listening`: to a client outside of matches; `broadcast`: what
  spectators are shown of a match
- `table`: what tables have in common; `matches` and `ladder`: the two kinds; `pairing` and `book`: a ladder's sums;
  `furniture`: which tables there are
- `journal`, `ledger` and `index`: what is on disk
- `server`: all of it, started and stopped; `meters`: how it does; `oplog`: what it logs
- `settings` and `tokens`: the files that a person writes
- `visit` and `relay`: the other end, for `mexica connect`, `watch` and `status`
"""
