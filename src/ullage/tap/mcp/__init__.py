"""The tool tap that needs no code: what an MCP server returned, on its way to the client."""
