"""The places where we listen: what tools produced, what the model was sent."""
