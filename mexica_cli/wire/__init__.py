"""The wire protocol: messages, framing, handshake."""
