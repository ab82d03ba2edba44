"""One small document of each form, written by hand after its schema."""

import json
from typing import Any

ROWS = json.dumps([{"id": f"order-{number:03d}", "amount": number} for number in range(30)])


def chat_messages(result: str = ROWS) -> list[dict[str, Any]]:
    """A conversation in the shape of chat completions."""
    call = {"id": "c1", "type": "function", "function": {"name": "orders", "arguments": "{}"}}
    return [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "List the orders."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "name": "orders", "content": result},
        {"role": "assistant", "content": "There are thirty."},
    ]


CHAT = {"task_id": "t-1", "reward": 1.0, "messages": chat_messages()}

ATIF = {
    "schema_version": "ATIF-v1.8",
    "session_id": "run-1",
    "trajectory_id": "parent",
    "agent": {
        "name": "worker",
        "version": "2.0",
        "model_name": "m",
        "tool_definitions": [{"type": "function", "function": {"name": "orders"}}],
    },
    "steps": [
        {"step_id": 1, "source": "system", "message": "Be brief."},
        {"step_id": 2, "source": "user", "message": "List the orders."},
        {
            "step_id": 3,
            "timestamp": "2026-04-20T10:00:01Z",
            "source": "agent",
            "message": "",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "orders", "arguments": {}}],
            "observation": {
                "results": [
                    {
                        "source_call_id": "c1",
                        "content": [{"type": "text", "text": ROWS}],
                        "subagent_trajectory_ref": [{"trajectory_id": "child"}],
                    }
                ]
            },
            "metrics": {"prompt_tokens": 900, "completion_tokens": 20, "cached_tokens": 100},
        },
        {
            "step_id": 4,
            "source": "system",
            "message": "Context compaction performed.",
            "observation": {"results": [{"content": "Thirty orders were listed."}]},
            "extra": {"context_management": {"type": "compaction", "boundary": "replace"}},
        },
        {"step_id": 5, "source": "agent", "message": "There are thirty."},
    ],
    "subagent_trajectories": [
        {
            "schema_version": "ATIF-v1.8",
            "trajectory_id": "child",
            "agent": {"name": "helper"},
            "steps": [
                {"source": "user", "message": "List the orders.", "is_copied_context": True},
                {"source": "agent", "message": "Done."},
            ],
        }
    ],
}


def inspect_message(key: str, role: str, content: str, **more: Any) -> dict[str, Any]:
    """A message of Inspect."""
    return {"id": key, "role": role, "content": content, **more}


MESSAGES = [
    inspect_message("m0", "system", "Be brief."),
    inspect_message("m1", "user", "List the orders."),
    inspect_message(
        "m2",
        "assistant",
        "",
        tool_calls=[{"id": "c1", "function": "orders", "arguments": {}, "type": "function"}],
    ),
    inspect_message("m3", "tool", "attachment://abc", tool_call_id="c1", function="orders"),
    inspect_message("m4", "user", "Summary: thirty orders.", metadata={"summary": True}),
    inspect_message("m5", "assistant", "There are thirty."),
]
INSPECT = {
    "version": 2,
    "status": "success",
    "eval": {"task": "orders", "model": "m", "packages": {"inspect_ai": "0.3.285"}},
    "samples": [
        {
            "id": 7,
            "epoch": 1,
            "messages": MESSAGES,
            "attachments": {"abc": ROWS},
            "scores": {"match": {"value": "C"}},
            "message_pool": MESSAGES,
            "events": [
                {
                    "event": "model",
                    "input": [],
                    "input_refs": [[0, 2]],
                    "tools": [{"name": "orders"}],
                    "output": {
                        "model": "m-1",
                        "choices": [{"message": {"id": "m2"}, "stop_reason": "max_tokens"}],
                        "usage": {
                            "input_tokens": 10,
                            "output_tokens": 5,
                            "total_tokens": 115,
                            "input_tokens_cache_read": 100,
                        },
                    },
                },
                {"event": "tool", "id": "c1", "function": "orders", "truncated": [90000, 16384]},
                {
                    "event": "compaction",
                    "type": "summary",
                    "tokens_before": 5000,
                    "tokens_after": 300,
                    "source": "inspect",
                },
                {
                    "event": "model",
                    "input": [MESSAGES[0], MESSAGES[1], MESSAGES[4]],
                    "output": {"choices": [{"message": {"id": "m5"}, "stop_reason": "stop"}]},
                },
            ],
        }
    ],
}

TOOLBENCH = {
    "win": True,
    "tree": {
        "tree": {
            "node_type": "Action Input",
            "description": "",
            "children": [
                {
                    "node_type": "Action",
                    "description": "orders",
                    "children": [
                        {
                            "node_type": "Action Input",
                            "description": "{}",
                            "observation": ROWS,
                            "observation_code": 0,
                            "children": [
                                {
                                    "node_type": "Thought",
                                    "description": "Look again.",
                                    "children": [
                                        {
                                            "node_type": "Action",
                                            "description": "order",
                                            "children": [
                                                {
                                                    "node_type": "Action Input",
                                                    "description": '{"id": 1}',
                                                    "observation": "not found",
                                                    "observation_code": 5,
                                                }
                                            ],
                                        }
                                    ],
                                },
                                {
                                    "node_type": "Action",
                                    "description": "Finish",
                                    "children": [
                                        {
                                            "node_type": "Action Input",
                                            "description": '{"final_answer": "Thirty."}',
                                            "observation": "done",
                                            "observation_code": 3,
                                        }
                                    ],
                                },
                            ],
                        }
                    ],
                }
            ],
        }
    },
    "answer_generation": {"query": "List the orders.", "function": [{"name": "orders"}]},
}

WHO_WHEN = {
    "question": "How many orders?",
    "is_correct": False,
    "mistake_agent": "Expert",
    "mistake_step": "1",
    "history": [
        {"role": "assistant", "name": "Expert", "content": "You are given a task."},
        {"role": "assistant", "name": "Expert", "content": "Run this."},
        {"role": "user", "name": "Computer_terminal", "content": "exitcode: 0"},
        {"role": "Orchestrator (thought)", "content": "Go on."},
    ],
}


def openinference_span(kind: str, begin: str, **attributes: Any) -> dict[str, Any]:
    """A span as Phoenix exports it; `__` in a name stands for a dot."""
    named = {name.replace("__", "."): value for name, value in attributes.items()}
    return {
        "name": kind.lower(),
        "context": {"trace_id": "t1", "span_id": f"s{begin}"},
        "parent_id": "s00",
        "start_time": f"2026-04-20T10:00:{begin}Z",
        "end_time": f"2026-04-20T10:00:{begin}Z",
        "status_code": "OK",
        "attributes": {"openinference.span.kind": kind, **named},
    }


CALLED = {
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "orders",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": "{}",
}
ASKED = {
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.contents.0.message_content.type": "text",
    "llm.input_messages.0.message.contents.0.message_content.text": "List the orders.",
}
OPENINFERENCE = [
    openinference_span("AGENT", "00", agent__name="worker"),
    openinference_span("LLM", "01", llm__model_name="m", **ASKED, **CALLED),
    openinference_span("TOOL", "02", tool__name="orders", output__value=ROWS),
    openinference_span(
        "LLM",
        "03",
        llm__model_name="m",
        llm__finish_reason="stop",
        llm__token_count__prompt=50,
        **ASKED,
        llm={
            "input_messages": [
                {"message": {"role": "user", "content": "List the orders."}},
                {
                    "message": {
                        "role": "assistant",
                        "tool_calls": [
                            {
                                "tool_call": {
                                    "id": "c1",
                                    "function": {"name": "orders", "arguments": "{}"},
                                }
                            }
                        ],
                    }
                },
                {"message": {"role": "tool", "tool_call_id": "c1", "content": ROWS[:400]}},
            ],
            "output_messages": [{"message": {"role": "assistant", "content": "Some."}}],
        },
    ),
]


def langchain(kind: str, **kwargs: Any) -> dict[str, Any]:
    """A message as LangChain serialises it."""
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", kind],
        "kwargs": kwargs,
    }


CALLING = langchain(
    "AIMessage",
    content="",
    tool_calls=[{"name": "orders", "args": {}, "id": "c1", "type": "tool_call"}],
    usage_metadata={"input_tokens": 40, "output_tokens": 5},
)


def run(kind: str, order: int, inputs: Any, outputs: Any, **more: Any) -> dict[str, Any]:
    """A run of LangSmith."""
    return {
        "id": f"r{order}",
        "trace_id": "t1",
        "name": more.pop("name", kind),
        "run_type": kind,
        "start_time": f"2026-04-20T10:00:{order:02d}",
        "end_time": f"2026-04-20T10:00:{order:02d}",
        "inputs": inputs,
        "outputs": outputs,
        "extra": {"metadata": {"thread_id": "thread-1", "ls_model_name": "m"}},
        **more,
    }


HUMAN = langchain("HumanMessage", content="List the orders.")
LANGSMITH = [
    run("chain", 0, {"input": "List the orders."}, {"output": "Some."}),
    run("llm", 1, {"messages": [[HUMAN]]}, {"generations": [[{"message": CALLING}]]}),
    run(
        "tool",
        2,
        {"input": "{}"},
        {"output": langchain("ToolMessage", content=ROWS, tool_call_id="c1")},
        name="orders",
    ),
    run(
        "llm",
        3,
        {
            "messages": [
                [HUMAN, CALLING, langchain("ToolMessage", content=ROWS[:400], tool_call_id="c1")]
            ]
        },
        {
            "generations": [
                [
                    {
                        "message": langchain(
                            "AIMessage",
                            content="Some.",
                            response_metadata={"finish_reason": "length"},
                        )
                    }
                ]
            ]
        },
    ),
]


def attribute(name: str, value: Any) -> dict[str, Any]:
    """An attribute of OTLP's JSON."""
    return {"key": name, "value": {"stringValue": value}}


def otel_span(begin: int, **attributes: str) -> dict[str, Any]:
    """A span of OTLP's JSON; `__` in a name stands for a dot."""
    return {
        "traceId": "ab" * 16,
        "spanId": f"{begin:016x}",
        "name": "span",
        "startTimeUnixNano": str(begin * 10**9),
        "endTimeUnixNano": str(begin * 10**9 + 1),
        "attributes": [
            attribute(f"gen_ai.{name}".replace("__", "."), value)
            for name, value in attributes.items()
        ],
    }


PROMPT = {"role": "user", "parts": [{"type": "text", "content": "List the orders."}]}
CALLS = {
    "role": "assistant",
    "parts": [{"type": "tool_call", "id": "c1", "name": "orders", "arguments": {}}],
}
GIVEN = {
    "role": "tool",
    "parts": [{"type": "tool_call_response", "id": "c1", "response": ROWS[:400]}],
}
OTEL = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        otel_span(
                            1,
                            operation__name="chat",
                            input__messages=json.dumps([PROMPT]),
                            output__messages=json.dumps([CALLS]),
                        ),
                        otel_span(
                            2,
                            operation__name="execute_tool",
                            tool__name="orders",
                            tool__call__id="c1",
                            tool__call__result=ROWS,
                        ),
                        otel_span(
                            3,
                            operation__name="chat",
                            input__messages=json.dumps([PROMPT, CALLS, GIVEN]),
                            output__messages=json.dumps(
                                [
                                    {
                                        "role": "assistant",
                                        "parts": [{"type": "text", "content": "Some."}],
                                    }
                                ]
                            ),
                        ),
                    ]
                }
            ]
        }
    ]
}

VCR = """\
interactions:
- request:
    method: POST
    parsed_body:
      messages: [{content: List the orders., role: user}]
      model: m
    uri: https://api.openai.com/v1/chat/completions
  response:
    parsed_body:
      choices: [{finish_reason: length, index: 0, message: {content: So, role: assistant}}]
    status: {code: 200, message: OK}
- request:
    body: ''
    method: GET
    uri: https://api.openai.com/v1/models
  response:
    body: {string: '{}'}
    status: {code: 200, message: OK}
version: 1
"""

DOCUMENTS: dict[str, Any] = {
    "chat": CHAT,
    "atif": ATIF,
    "inspect": INSPECT,
    "toolbench": TOOLBENCH,
    "who-when": WHO_WHEN,
    "openinference": OPENINFERENCE,
    "langsmith": LANGSMITH,
    "otel": OTEL,
}
"""A document of each form that is JSON."""
