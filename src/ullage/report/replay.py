"""A replay in a terminal, and as Markdown."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.policies.replayed import Replayed
from ullage.report import markdown
from ullage.report.replay_blocks import blocks
from ullage.report.sheet import Sheet


def print_replay(console: Console, found: Replayed) -> None:
    """Print the lines and tables of a replay."""
    for one in blocks(found):
        if isinstance(one, Sheet):
            console.print(drawn(one))
        else:
            console.print(one, markup=False)


def drawn(sheet: Sheet) -> Table:
    """Return a table as a terminal shows it."""
    # As texts: what stands in brackets in a name would be taken for a style.
    table = Table(title=Text(sheet.title), title_justify="left", box=None, pad_edge=False)
    for at, name in enumerate(sheet.head):
        table.add_column(Text(name), justify="left" if at < sheet.words else "right")
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    return table


def markdown_replay(found: Replayed) -> str:
    """Return a replay as Markdown, for the summary of a step or a comment."""
    parts = ["## Ullage: what other policies would have delivered"]
    for one in blocks(found):
        if isinstance(one, Sheet):
            parts += [f"**{markdown.cell(one.title)}**", markdown.table(one.head, one.rows)]
        else:
            parts.append(markdown.cell(one))
    return "\n\n".join(parts) + "\n"
