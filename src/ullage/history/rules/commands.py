"""Which commands and tools only look, so that what they showed can be had again."""

import re
import shlex

from ullage.history.rules.results import Result

LONGEST = 2_000
LISTS = frozenset(
    [
        *("ls", "dir", "tree", "find", "fd", "fdfind", "locate", "du", "df", "wc", "which"),
        *("grep", "egrep", "fgrep", "rg", "ag", "ack", "whereis", "file", "stat", "realpath"),
    ]
)
SHAPES = frozenset(
    ["sort", "uniq", "head", "tail", "cut", "nl", "echo", "true", "pwd", "basename", "dirname"]
)
"""What only shapes a listing, or says a word: one of the stages must list something."""
WITH_WORD = {
    "git": frozenset({"status", "ls-files", "ls-tree", "branch", "tag", "grep", "remote"}),
    "pip": frozenset({"list", "freeze"}),
    "npm": frozenset({"ls", "list"}),
    "cargo": frozenset({"tree"}),
    "docker": frozenset({"images"}),
}
ACTS = frozenset({"-delete", "-exec", "-execdir", "-ok", "-fprint", "-d", "-D", "-m"})
"""Options by which `find`, `git branch` or `git tag` do more than look."""
BARE = frozenset({"branch", "tag", "remote"})
"""With a name behind them, these make something."""
STAGE = frozenset({"|", "||", "&&", ";"})
HARMLESS = re.compile(r"\d?>\s?(?:/dev/null|&\d)")
TOOLS = re.compile(
    r"(?:^|[_\-./:])(?:ls|list|listdir|glob|find|grep|search|tree|ripgrep|dir|codesearch)(?:$|[_\-./:])"
    r"|^(?:list|find|search|glob)(?:files?|dir\w*|tool|code|text|symbols?)?$|git_?status|directory_tree"
)
NOT_TOOLS = re.compile(r"replace|delete|remove|create|update|write|send|append|add_|set_")


def can_be_had_again(one: Result) -> bool:
    """Whether a result is a listing that the same call would give again."""
    if one.command is not None:
        return len(one.command) <= LONGEST and only_looks(one.command)
    return TOOLS.search(one.tool) is not None and NOT_TOOLS.search(one.tool) is None


def only_looks(command: str) -> bool:
    """Whether every stage of a shell command only looks, and one of them lists."""
    plain = HARMLESS.sub("", command).strip()
    if "`" in plain or "$(" in plain or "\n" in plain:
        return False
    words = shlex.shlex(plain, posix=True, punctuation_chars=True)
    words.whitespace_split, words.commenters = True, ""
    try:
        parts = list(words)
    except ValueError:  # an open quote
        return False
    stages: list[list[str]] = [[]]
    for one in parts:
        if one in STAGE:
            stages.append([])
        else:
            stages[-1].append(one)
    stages = [one for one in stages if one and one[0] != "cd"]
    if not all(looks(one) for one in stages):
        return False
    return any(one[0] in LISTS or one[0] in WITH_WORD for one in stages)


def looks(words: list[str]) -> bool:
    """Whether one stage changes nothing."""
    if any(set(one) <= set("<>&();|") for one in words):
        return False
    if words[0] in WITH_WORD:
        given = [one for one in words[1:] if not one.startswith("-")]
        known = bool(given) and given[0] in WITH_WORD[words[0]] and not ACTS & set(words)
        return known and not (given[0] in BARE and len(given) > 1)
    return words[0] in LISTS | SHAPES and not (words[0] in ("find", "fd") and ACTS & set(words))
