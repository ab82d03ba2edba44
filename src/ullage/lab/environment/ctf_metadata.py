"""The `metadata` file of a CTF 1.8 recording, in its own description language."""

from uuid import UUID

from ullage.lab.environment.shapes import FIELDS

IDS = {name: number for number, name in enumerate(FIELDS)}
"""The number of each event in a stream."""

TYPES = {
    "i32": "integer { size = 32; align = 8; signed = 1; } _{name};",
    "u32": "integer { size = 32; align = 8; signed = 0; } _{name};",
    "u64": "integer { size = 64; align = 8; signed = 0; } _{name};",
    "i64": "integer { size = 64; align = 8; signed = 1; } _{name};",
    "state": "integer { size = 64; align = 8; signed = 1; } _{name};",
    "comm": "integer { size = 8; align = 8; signed = 0; encoding = UTF8; } _{name}[16];",
    "text": "string { encoding = UTF8; } _{name};",
}

HEAD = """\
/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = 0; } := uint8_t;
typealias integer { size = 32; align = 8; signed = 0; } := uint32_t;
typealias integer { size = 64; align = 8; signed = 0; } := uint64_t;

trace {
	major = 1;
	minor = 8;
	uuid = "%(uuid)s";
	byte_order = le;
	packet.header := struct {
		uint32_t magic;
		uint8_t uuid[16];
		uint32_t stream_id;
	};
};

env {
	hostname = "recorded";
	domain = "kernel";
	sysname = "Linux";
	kernel_release = "6.1.0";
	tracer_name = "lttng-modules";
	tracer_major = 2;
	tracer_minor = 8;
	tracer_patchlevel = 0;
};

clock {
	name = "monotonic";
	description = "Monotonic Clock";
	freq = 1000000000;
	offset = 0;
};

typealias integer {
	size = 64; align = 8; signed = 0;
	map = clock.monotonic.value;
} := uint64_clock_t;

stream {
	id = 0;
	packet.context := struct {
		uint64_clock_t timestamp_begin;
		uint64_clock_t timestamp_end;
		uint64_t content_size;
		uint64_t packet_size;
		uint64_t events_discarded;
		uint32_t cpu_id;
	};
	event.header := struct {
		uint32_t id;
		uint64_clock_t timestamp;
	};
	event.context := struct {
		integer { size = 8; align = 8; signed = 0; encoding = UTF8; } _procname[16];
		integer { size = 32; align = 8; signed = 1; } _tid;
		integer { size = 32; align = 8; signed = 1; } _pid;
	};
};
"""


def metadata(uuid: UUID) -> str:
    """Return the metadata of a recording with the events of `shapes.FIELDS`."""
    blocks = [HEAD % {"uuid": uuid}]
    for name, fields in FIELDS.items():
        lines = [f"\t\t{TYPES[kind].replace('{name}', field)}" for field, kind in fields.items()]
        blocks.append(
            "\n".join(
                [
                    "",
                    "event {",
                    f'\tname = "{name}";',
                    f"\tid = {IDS[name]};",
                    "\tstream_id = 0;",
                    "\tfields := struct {",
                    *lines,
                    "\t};",
                    "};",
                    "",
                ]
            )
        )
    return "".join(blocks)
