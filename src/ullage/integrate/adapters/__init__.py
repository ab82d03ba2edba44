"""What the adapters of all frameworks share: a result is cut and recorded, a history shortened.

An adapter is a thin module `ullage.integrate.FRAMEWORK`: it knows where the framework hands a
result on and where it sends a history, and how its messages look. All the rest is in here:

    adapter = Adapter(Fitting(results=2_000, history=32_000))      # one for each agent

    with adapter.call(tool, call_id) as call:      # around the framework's own call of a tool
        value = ...                                # what the tool returned
    handed = adapter.result(call, arguments, value)     # recorded, cut, recorded as handed on
    handed.text, handed.cut                        # `text` goes on; `value` itself if not `cut`
    handed = adapter.texts(call, arguments, [...]) # the same for a result that is several texts

    fitted = adapter.history({"messages": [...], "tools": [...]})  # a body of any provider
    fitted = await adapter.history_async({"input": [...], "tools": [...]})
    for entry in fitted.entries: ...               # None where the settings leave histories alone

An `Entry` has `place`, the position in the list that was given (None: a message of ours), and
`message`, what stands there now (None: what was given, untouched). So an adapter maps back to its
framework's own objects by `place`, and makes new ones only where `message` says something else.

The same conversation comes back longer with every request: what was done to its beginning is
remembered, so that a summary is asked for once and a prefix stays the same for a provider's cache.
Threads and tasks may share an `Adapter`. Nothing in here imports a framework.
"""
