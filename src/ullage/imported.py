"""A function of the user's, named on a command line or in a setting by its import path."""

from importlib import import_module

from ullage.errors import ConfigError


def is_import_path(name: str) -> bool:
    """Whether a name has the form `my_package.module:function`."""
    module, colon, function = name.partition(":")
    return bool(module and colon and function)


def imported(path: str, what: str) -> object:
    """Return what stands at an import path, None where the module has no such name.

    `what` names its use (`rule`). Raises ConfigError where the module cannot be imported.
    """
    module, _, function = path.partition(":")
    try:
        return getattr(import_module(module), function, None)
    except (ImportError, TypeError) as error:  # TypeError: a relative path
        raise ConfigError(
            f"the {what} {path!r} cannot be imported: {error}; is {module!r} on the Python path?"
        ) from error
