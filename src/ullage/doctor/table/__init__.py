"""What each framework does with context, one file a group. Data, read from its source and dated."""
