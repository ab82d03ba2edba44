"""One file a command. Parses, calls, prints."""
