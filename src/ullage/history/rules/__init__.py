"""Rules that take out of old results what will be missed least: one rule a file, and a table."""
