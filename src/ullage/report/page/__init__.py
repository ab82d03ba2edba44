"""A scan as one HTML page that opens offline, for people who would rather look than read."""
