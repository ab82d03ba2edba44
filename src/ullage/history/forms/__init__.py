"""The four spellings of a history: read into pieces, and written again with what is left."""
