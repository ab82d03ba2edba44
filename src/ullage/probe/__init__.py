"""Testing a harness from outside: a scripted model server."""
