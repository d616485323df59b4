"""The wire protocol: messages, their framing, the handshake, what else is said at a server, and schemas of it all."""
