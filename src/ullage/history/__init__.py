"""Shorten a history without losing what matters: protect, elide, summarise, trim; hand on."""
