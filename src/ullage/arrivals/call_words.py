"""Names by which tools that read say so, and of arguments that hold a path or a command."""

READS = ("read", "view", "cat", "open", "get_file", "fetch")
PATHS = ("path", "file", "file_path", "filename", "absolute_path", "uri", "url")
COMMANDS = ("command", "cmd", "script", "code")
