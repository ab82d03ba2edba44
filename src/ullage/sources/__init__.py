"""Other people's records of what went over the wire. One file a form."""
