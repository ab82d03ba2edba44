"""The demo: a real agent, measured and mended."""
