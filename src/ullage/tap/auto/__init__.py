"""The tool tap that needs no code: it wraps the function that a framework's tool calls go through."""
