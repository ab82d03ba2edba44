"""What a parent is given of what its sub-agent answered: a part, a word, or all of it."""

from random import Random

from clean import begin, end, plain_calls
from drafts import draft
from pairs import Files, Pair
from words import LANGUAGES, PLACES, adjective, fill, noun, sentence
from words import TASKS as ASKED


def handed(draw: Random, *, lost: bool) -> Files:
    """Have a sub-agent answer with findings, and give its parent all of them or not."""
    language = draw.choice(LANGUAGES)
    parent, child = draft(draw, language), draft(draw, language)
    marked = draw.random() < 0.5
    told = [
        f"{noun(draw)} {draw.randrange(10**4, 10**6)} of {draw.choice(PLACES)}: {adjective(draw)}, "
        f"see reports/{noun(draw)}_{draw.randrange(9_999)}.txt"
        for _ in range(draw.randrange(3, 9))
    ]
    lines = [f"Finding {at}: {one}" if marked else f"- {one}" for at, one in enumerate(told, 1)]
    answer = "\n".join(["This is what I found.", *lines])
    begin(parent)
    given = answer
    if lost:
        kept = "\n".join([lines[0]] if marked and draw.random() < 0.5 else [])
        given = draw.choice(("Done.", "The sub-agent finished.", sentence(draw))) + f"\n{kept}"
    elif draw.random() < 0.5:
        given = f"<result agent=researcher>\n{answer}\n</result>"
    at = parent.call("task", given, {"prompt": fill(draw, ASKED, language)})
    end(parent)
    begin(child)
    plain_calls(child)
    child.wrote(answer)
    call_id = parent.entries[at].message.answers
    return [parent.done(), child.done(parent=parent.name, parent_call=call_id)]


PAIRS = (
    Pair(
        check="handoff-lost",
        loss=lambda draw: handed(draw, lost=True),
        alike=lambda draw: handed(draw, lost=False),
    ),
)
