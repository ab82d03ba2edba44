"""Every error that Ullage raises on purpose.

UllageError             something could not be done; the message says what, where and what to do
├── LedgerError         a ledger cannot be opened, is damaged, or was written by a newer version
├── HistoryError        a history does not fit its budget, and nothing more may be taken from it
├── ProxyError          the proxy cannot listen, or was given an upstream that it cannot use
└── LoadError           a file is not what it was taken for
    └── ConfigError     a setting in a file is wrong

Wrong use of a function is ValueError or TypeError, as everywhere in Python. Nothing here is raised
because of what a tool returned: `cut` falls back and its account says so.
"""


class UllageError(Exception):
    """Something could not be done; the message says what, where and what to do."""


class LedgerError(UllageError):
    """A ledger cannot be opened, is damaged, or was written by a newer version."""


class HistoryError(UllageError):
    """A history does not fit its budget, and nothing more may be taken from it."""


class ProxyError(UllageError):
    """The proxy cannot listen, or was given an upstream that it cannot use."""


class LoadError(UllageError):
    """A file is not what it was taken for."""


class ConfigError(LoadError):
    """A setting in a file is wrong."""
