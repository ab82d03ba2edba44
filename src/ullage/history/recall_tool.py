"""The recall tool: how a model is told of it, and what answers its calls."""

from collections.abc import Callable, Mapping

from ullage.history.described import Described, spelled
from ullage.history.recall import Store
from ullage.history.recall_answer import DEFAULT, Answer, Room, answer
from ullage.ledger.history_records import RecallUse
from ullage.wire.readers import Provider

NAME = "recall"
DESCRIPTION = (
    "Get records of an earlier tool result again that were left out of this conversation to save "
    'room. A line [ullage: …; recall("HANDLE")] stands where it was, and names the handle. Answers '
    "are small pages, and each one says how to ask for the next."
)
PARAMETERS: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "handle": {
            "type": "string",
            "description": 'The handle of the result, such as "a1b2c3d4".',
        },
        "part": {
            "type": "string",
            "description": 'One list of it by its path, such as "$.orders", if it has several.',
        },
        "records": {
            "type": "string",
            "description": 'Records A to B, from 0, such as "20-39"; else the first ones.',
        },
    },
    "required": ["handle"],
}


class Recall:
    """The tool over one store: offer `definition(form)` to the model, answer its calls.

    A call with a handle that is not known gets a sentence that names those that are.
    """

    def __init__(self, store: Store, *, room: Room = DEFAULT, name: str = NAME) -> None:
        self.store = store
        self._room = room
        self._name = name

    def definition(self, form: Provider) -> dict[str, object]:
        """Return the entry for `tools`: openai-chat, openai-responses, anthropic or gemini."""
        described = Described(name=self._name, description=DESCRIPTION, parameters=PARAMETERS)
        return spelled(described, form)

    def handle(self, tool: str, call: str = "") -> Callable[[str], str]:
        """Return what `cut(…, handle=…)` takes: it keeps the whole, and says how to have it again.

        `tool` and `call`, the arguments as text, are what a listing names it by.
        """
        return lambda whole: f'{self._name}("{self.store.keep(whole, tool=tool, call=call)}")'

    def recall(self, handle: str, part: str | None = None, records: str = "0-19") -> str:
        """Get records of an earlier tool result again that were left out to save room.

        `handle` stands in the line that was left in its place, `part` is the path of one list of
        it, `records` are two numbers, from 0, the last one included.
        """
        # The default is a page of whatever size this store gives.
        wanted = None if records == "0-19" else records
        return answer(self.store, handle, part, wanted, room=self._room, tool=self._name).text

    def call(self, arguments: Mapping[str, object]) -> Answer:
        """Answer a call by its arguments as a model wrote them, whatever it wrote."""
        handle, part, records = (words(arguments, one) for one in ("handle", "part", "records"))
        return answer(self.store, handle or "", part, records, room=self._room, tool=self._name)

    @property
    def use(self) -> RecallUse:
        """How many handles were offered, and how many of them were used."""
        return self.store.use


def words(arguments: Mapping[str, object], name: str) -> str | None:
    """Return an argument as text: models write numbers without quotes."""
    value = arguments.get(name)
    return None if value is None or value == "" else str(value)
