// A harness in Node that knows nothing of a probe but its addresses: one prompt, one process.
const base = process.env.OPENAI_BASE_URL;
const rows = async () => (await fetch(`${process.env.ULLAGE_PROBE}/payload`)).text();
const messages = [{ role: "user", content: process.argv[2] ?? "Fetch the rows." }];
const tools = [
  { type: "function", function: { name: "fetch_rows", parameters: { type: "object", properties: {} } } },
];
for (;;) {
  const reply = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", messages, tools }),
  });
  const message = (await reply.json()).choices[0].message;
  messages.push(message);
  if (!message.tool_calls) {
    console.log(message.content);
    break;
  }
  for (const call of message.tool_calls) {
    const text = await rows();
    messages.push({ role: "tool", tool_call_id: call.id, content: text.slice(0, 6000) });
  }
}
