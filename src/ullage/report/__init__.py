"""Values to words for people."""
