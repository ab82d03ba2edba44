"""What is installed, the context settings in force, which lose data. Imports none of it."""
