"""Text in, Cut out. Pure."""
