"""What no rule takes out of a result, one file a kind."""
