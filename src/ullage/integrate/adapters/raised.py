"""A framework's own words about what it trims, raised to a warning: most are said to nobody."""

import logging
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a framework logs where it trims: the logger, how the messages begin, at which level."""

    logger: str
    begins: str | tuple[str, ...]
    level: int = logging.DEBUG


class Raised(logging.Filter):
    """Makes a warning of what begins with certain words; all else passes as it would have."""

    def __init__(self, begins: str | tuple[str, ...], level: int) -> None:
        super().__init__()
        self.begins, self.level = begins, level

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is to be handled."""
        if str(record.msg).startswith(self.begins):
            record.levelno = max(record.levelno, logging.WARNING)
            record.levelname = logging.getLevelName(record.levelno)
            return True
        return record.levelno >= self.level


def raise_to_warning(said: Said) -> None:
    """Have a framework's own line about a trim come out as a warning; done once a logger."""
    logger = logging.getLogger(said.logger)
    known = [one for one in logger.filters if isinstance(one, Raised)]
    if any(one.begins == said.begins for one in known):
        return
    if said.level >= logger.getEffectiveLevel():  # it is let through, and so is all that is now
        logger.addFilter(Raised(said.begins, logging.NOTSET))
        return
    level = known[0].level if known else logger.getEffectiveLevel()
    logger.addFilter(Raised(said.begins, level))
    # The logger has to let its debug lines through to its filters, which hold all others back.
    logger.setLevel(min(logger.getEffectiveLevel(), logging.DEBUG))
