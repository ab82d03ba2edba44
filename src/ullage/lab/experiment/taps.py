"""Both taps of the in-process harness: what tools produced, and what a model was sent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from ullage.lab.experiment.delivery import Result
from ullage.lab.experiment.turn import Body, Turn
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger
from ullage.transcript.words import COHORT_HEADER, Cohort

PATH = "/v1/chat/completions"
SUMMARISER = "summariser"
TYPE = ("content-type", "application/json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taps:
    """Where a run is recorded. `clock` gives seconds since the epoch."""

    ledger: Ledger
    run: str
    cohort: Cohort
    clock: Callable[[], float]

    def produced(
        self,
        tool: str,
        arguments: Mapping[str, object],
        call_id: str,
        result: Result | str,
        by: str,
    ) -> None:
        """Record a result as its tool made it."""
        text = result if isinstance(result, str) else msgspec.json.encode(result).decode()
        self.ledger.record(
            ProducedRecord(
                run=self.run,
                tool=tool,
                kind="tool",
                arguments=msgspec.json.encode(arguments, order="deterministic").decode(),
                text=text,
                at=self.clock(),
                agent=by,
                call_id=call_id,
            )
        )

    def delivered(self, body: Body, message: Mapping[str, object], by: str) -> None:
        """Record a request as it went to the model, and the reply."""
        stopped = "tool_calls" if message.get("tool_calls") else "stop"
        reply = {
            "object": "chat.completion",
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": stopped}],
        }
        now = self.clock()
        self.ledger.record(
            ExchangeRecord(
                run=self.run,
                method="POST",
                path=PATH,
                upstream="in-process",
                request_headers=[TYPE],
                request_body=msgspec.json.encode(body),
                status=200,
                response_headers=[TYPE, (COHORT_HEADER, self.cohort)],
                response_body=msgspec.json.encode(reply),
                started=now,
                first_byte=now,
                ended=self.clock(),
                cohort=self.cohort,
                agent=by,
            )
        )

    def summarised(self, shown: Sequence[Sequence[Mapping[str, Any]]], text: str) -> None:
        """Record what a summariser was shown, and what it wrote."""
        history = msgspec.json.encode(shown).decode()
        body = {
            "model": self.cohort,
            "messages": [
                {"role": "system", "content": "Summarise this history in one sentence."},
                {"role": "user", "content": history},
            ],
        }
        self.delivered(body, {"role": "assistant", "content": text}, SUMMARISER)


def message_of(turn: Turn, number: int) -> dict[str, Any]:
    """Return an agent's turn as a message; `number` is that of its first call in the run."""
    message: dict[str, Any] = {"role": "assistant", "content": turn.words or None}
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number + at}",
                "type": "function",
                "function": {
                    "name": call.tool,
                    "arguments": msgspec.json.encode(
                        call.arguments, order="deterministic"
                    ).decode(),
                },
            }
            for at, call in enumerate(turn.calls)
        ]
    return message
