"""Events of any values that the kernel may give, for tests of what is written and read."""

import string

from hypothesis import strategies as st

from ullage.lab.environment.event import Event, state_letters
from ullage.lab.environment.shapes import FIELDS, TEXTS

# No brackets: a comm that looks like the rest of a line is a limit that the writers state.
LETTERS = string.ascii_letters + string.digits + ' ./:_-()=#"\\é漢'
WORDS = string.ascii_letters + string.digits + "|_"


def fits_comm(text: str) -> bool:
    return len(text.encode()) <= 15 and text.strip() == text


comms = st.text(LETTERS, min_size=1, max_size=15).filter(fits_comm)
VALUES = {
    "i32": st.integers(-(2**31), 2**31 - 1),
    "u32": st.integers(0, 2**32 - 1),
    "u64": st.integers(0, 2**64 - 1),
    "i64": st.integers(-(2**63), 2**63 - 1),
    "comm": comms,
    "text": st.text(WORDS, min_size=1, max_size=30),
    "state": st.integers(0, 511).map(state_letters),
}
known = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda name: st.tuples(
        st.just(name),
        st.fixed_dictionaries({field: VALUES[kind] for field, kind in FIELDS[name].items()}),
    )
)
keys = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True).filter(lambda key: key not in TEXTS)
unknown = st.tuples(
    st.just("some_other_event"),
    st.dictionaries(
        keys, st.integers(-(10**9), 10**9) | st.text(string.ascii_letters, min_size=1), min_size=1
    ),
)


@st.composite
def events(draw: st.DrawFn, payload: st.SearchStrategy = known) -> Event:
    name, fields = draw(payload)
    cpu = draw(st.integers(0, 127))
    tid = draw(st.integers(0, 4_194_304))
    return Event(
        time=draw(st.integers(0, 10**15)),
        cpu=cpu,
        comm=draw(comms) if tid else f"swapper/{cpu}",
        tid=tid,
        pid=draw(st.none() | st.integers(0, 4_194_304)),
        name=name,
        fields=fields,
    )
