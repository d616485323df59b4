"""The command line: one module a command. It parses arguments, calls the layers below, and prints."""
