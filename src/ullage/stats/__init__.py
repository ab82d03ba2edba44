"""Numbers in, intervals out. Pure; randomness comes in as an argument."""
