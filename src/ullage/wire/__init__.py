"""Provider bodies to transcript values. Pure."""
