import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { chatEvents, playServer, streamReply } from "../_play_server.ts";
import { smallSample } from "../_samples.ts";
import { openEndpoint, type Reply } from "@/lib/models/mod.ts";
import { readReply } from "@/lib/exchange/_replies.ts";
import { decideReply, readEnding } from "@/lib/models/protocols/normal_form.ts";

Deno.test.each([
  [
    "stop",
    "stop end_turn stop_sequence eos eos_token COMPLETE completed endoftext FINISH_REASON_STOP FinishReason.STOP",
  ],
  [
    "length",
    "length max_tokens MAX_TOKENS maxTokens max-tokens model_length max_output_tokens ERROR_LIMIT token_limit",
  ],
  ["content_filter", "content_filter content-filter SAFETY RECITATION SPII BLOCKLIST sensitive refusal blacklist"],
  ["tool_call", "tool_calls tool-calls tool_use TOOL_CALL function_call"],
  ["unknown", "null None unknown"],
  [
    "unfinished",
    "error abort OTHER insufficient_system_resource network_error timeout cancelled load pause_turn MALFORMED_FUNCTION_CALL",
  ],
])("readEnding() reads as %s what servers name so", (ending, reasons) => {
  for (const reason of reasons.split(" ")) equal(readEnding(reason), ending, reason);
});

Deno.test("readEnding() takes no word for the end of a whole reply that it does not know", () => {
  for (const nothing of [undefined, null, "", " "]) equal(readEnding(nothing), "unknown");
  fc.assert(fc.property(fc.stringMatching(/^[a-z]{12,20}x$/), (word) => equal(readEnding(word), "unfinished")));
});

Deno.test.each([
  ["a text and a known end", { text: "17", reason: "stop" }, {}, "stop"],
  ["a text without an end", { text: "17" }, {}, "unknown"],
  ["a text without an end, unlike others of its server", { text: "17" }, { namesReasons: true }, "server"],
  ["a text and an unknown end", { text: "17", reason: "gone" }, {}, "server"],
  ["no text and a known end", { text: null, reason: "stop" }, {}, "stop"],
  ["no text and no end", { text: null }, {}, "bad_reply"],
  ["no text and no end in a file", { text: "" }, { isRecorded: true }, "unknown"],
  ["no text, but tokens", { text: "", counts: { completionTokens: 3 } }, {}, "unknown"],
  ["a tool call alone", { text: null, isToolCall: true, reason: "stop" }, {}, "tool_call"],
  ["a tool call that broke off", { text: null, isToolCall: true, reason: "error" }, {}, "server"],
  ["a tool call after the answer", { text: "17", isToolCall: true, reason: "stop" }, {}, "stop"],
  ["a filter", { text: "1", reason: "SAFETY" }, {}, "content_filter"],
  [
    "an end before the first token",
    { text: "", reason: "length", counts: { completionTokens: 0 } },
    {},
    "context_length",
  ],
  ["thinking that used the budget up", { thinking: "Look", reason: "length" }, {}, "length"],
] as [string, Parameters<typeof decideReply>[0], Parameters<typeof decideReply>[1], string][])(
  "decideReply() decides %s",
  (_name, parts, reading, wanted) => {
    const outcome = decideReply(parts, reading);
    equal(outcome.kind === "failure" ? outcome.failure : outcome.answer.finishReason, wanted);
    if (outcome.kind === "failure") equal(outcome.canRetry, wanted !== "context_length");
  },
);

/** What decides a score: the outcome without times, counts and names. */
function outcomeOf(reply: Reply | undefined): unknown {
  if (reply?.kind !== "answer") return reply?.failure;
  return { text: reply.text, thinking: reply.thinking ?? "", finishReason: reply.finishReason };
}

const TOOLS = [{ index: 0, id: "c", type: "function", function: { name: "search", arguments: "{}" } }];

Deno.test("a reply has the same outcome streamed, whole, in a batch and imported", async () => {
  let response: () => Response = () => new Response();
  await using server = playServer(() => response());
  const reply = fc.record({
    content: fc.constantFrom(
      null,
      "",
      "17",
      "<think>Look.</think>17",
      "Look.</think>17",
      "<thought>Loo",
      "Okay, but is it",
    ),
    reasoning: fc.constantFrom({}, { reasoning: "See." }, { reasoning_content: "See." }, {
      reasoning_details: [{ type: "reasoning.text", text: "See." }],
    }),
    tools: fc.constantFrom({}, {}, { tool_calls: TOOLS }),
    finish: fc.constantFrom(
      "stop",
      "length",
      "MAX_TOKENS",
      "tool_calls",
      "RECITATION",
      "error",
      "insufficient_system_resource",
    ),
  });
  await fc.assert(
    fc.asyncProperty(reply, async ({ content, reasoning, tools, finish }) => {
      const usage = { "prompt_tokens": 9, "completion_tokens": 3 };
      const message = { content, ...reasoning, ...tools };
      const body = { choices: [{ index: 0, message, finish_reason: finish }], usage };
      const ask = (stream: "on" | "off"): Promise<Reply> =>
        openEndpoint({ baseUrl: server.url, model: "m", attempts: 1, stream }).ask(smallSample());
      response = () => Response.json(body);
      const wanted = outcomeOf(await ask("off"));
      response = streamReply(chatEvents([reasoning, { content }, tools], { finish, usage }));
      deepEqual(outcomeOf(await ask("on")), wanted, "streamed");
      const line = { "custom_id": "a", response: { status_code: 200, body } };
      const { batches } = openEndpoint({ baseUrl: server.url, model: "m" });
      deepEqual(outcomeOf(batches!.read(JSON.stringify(line))!.reply), wanted, "in a batch");
      if (content === null || Object.keys({ ...reasoning, ...tools }).length > 0) return;
      deepEqual(
        outcomeOf(readReply({ text: content, field: "pred", reason: finish }, { path: "a" })),
        wanted,
        "of another program",
      );
    }),
    { numRuns: 60 },
  );
});
