"""What each coding CLI needs so that its requests come through the pass-through."""
