"""What another policy would have delivered of results that were recorded."""
