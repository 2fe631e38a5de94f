import { deepEqual, equal, match } from "node:assert/strict";
import { ask, type Asked } from "./_ask.ts";
import { chatReply, errorReply, playServer, type Turn } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { type EndpointOptions, openEndpoint } from "@/lib/models/mod.ts";
import { rejectedField } from "@/lib/models/rejected_fields.ts";

/** Refuses requests with a field, whatever its value. */
function refusing(fields: Readonly<Record<string, unknown>>): Turn {
  return async (request) => {
    const body = await request.json();
    const field = Object.keys(fields).find((name) => name in body);
    return field === undefined ? chatReply({ content: "1234567" }) : errorReply(400, fields[field]);
  };
}

function askTwice(turn: Turn, options: Partial<EndpointOptions> = {}): Promise<Asked> {
  return ask([turn], { times: 2, stream: "off", ...options });
}

Deno.test.each([
  ["temperature", { message: "`temperature` is deprecated for this model." }, {}, "without temperature"],
  [
    "temperature",
    { message: "Only the default (1) value is supported", param: "temperature" },
    {},
    "without temperature",
  ],
  ["temperature", { message: "invalid temperature: only 1 is allowed for this model" }, {}, "without temperature"],
  ["seed", { message: "Extra inputs are not permitted", param: "seed" }, { seed: 7 }, "without seed"],
  [
    "top_p",
    { message: "temperature and top_p cannot both be specified", param: "top_p" },
    { topP: 0.9 },
    "without top_p",
  ],
  [
    "max_tokens",
    { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param: "max_tokens" },
    {},
    "max_completion_tokens for max_tokens",
  ],
  ["temperature", { message: "Temperature should be in (0.0, 2.0)" }, {}, "without temperature"],
  ["top_p", { message: "Top_P is unsupported" }, { topP: 0.9 }, "without top_p"],
  [
    "temperature",
    { message: "temperature 参数非法，取值范围是开区间(0,1.0)", code: "1214" },
    {},
    "without temperature",
  ],
  [
    "max_completion_tokens",
    { message: "Unrecognized request argument supplied: max_completion_tokens" },
    { reasoning: "low" },
    "max_tokens for max_completion_tokens",
  ],
] as [string, unknown, Partial<EndpointOptions>, string][])(
  "ask() leaves out or replaces %s, which the server refuses by %j, once for all calls",
  async (field, error, options, adapted) => {
    const { replies, received } = await askTwice(refusing({ [field]: error }), options);
    deepEqual(replies.map(({ kind, attempts }) => [kind, attempts]), [["answer", 1], ["answer", 1]]);
    equal(received.length, 3);
    deepEqual(replies.map((reply) => reply.adapted), [[adapted], [adapted]]);
  },
);

Deno.test("ask() keeps the budget under its other name", async () => {
  const turn = refusing({ max_tokens: { message: "max_tokens is not supported" } });
  const { received } = await askTwice(turn, { maxTokens: 77 });
  deepEqual(received.map(({ body }) => [body["max_tokens"], body["max_completion_tokens"]]), [
    [77, undefined],
    [undefined, 77],
    [undefined, 77],
  ]);
});

Deno.test("ask() fails where the server refuses both names of the budget", async () => {
  const error = { message: "Unknown field" };
  const { reply } = await askTwice(refusing({
    max_tokens: { ...error, param: "max_tokens" },
    max_completion_tokens: { ...error, param: "max_completion_tokens" },
  }));
  match(reply.kind === "failure" ? reply.message : "", /"max_completion_tokens" is refused: see --api/);
});

Deno.test.each([
  ["stop", { message: "'stop' is not supported with this model", param: "stop" }, { stop: ["x"] }, /see --stop/],
  ["reasoning_effort", { message: "Unsupported parameter: reasoning_effort" }, { reasoning: "low" }, /see --reasoning/],
  ["top_k", { message: "Unknown parameter: top_k" }, { extraBody: { top_k: 5 } }, /see --extra-body/],
] as [string, unknown, Partial<EndpointOptions>, RegExp][])(
  "ask() names the flag of %s, without which answers would be others",
  async (field, error, options, advice) => {
    const { reply } = await askTwice(refusing({ [field]: error }), options);
    match(reply.kind === "failure" ? reply.message : "", advice);
    equal(reply.adapted, undefined);
  },
);

Deno.test.each([
  [
    "the range of the budget",
    "max_tokens is too large: 9. This model supports at most 4 completion tokens",
    "max_tokens",
  ],
  ["the range of the budget in other words", "max_tokens must be at most 8192", undefined],
  ["another field", "Unsupported parameter: top_k", undefined],
  ["a field within a word", "The contemperature is not supported", undefined],
  ["the prompt", "messages: not supported", "messages"],
])("no field is taken for refused by %s", (_name, message, field) => {
  const outcome = { kind: "failure", failure: "bad_request", message, canRetry: false } as const;
  const body = { messages: [], "max_tokens": 9, temperature: 0 };
  equal(rejectedField(field === undefined ? outcome : { ...outcome, field }, body), undefined);
});

Deno.test("probe() reports the fields that the server refuses", async () => {
  await using server = playServer(refusing({ temperature: { message: "temperature is not supported" } }));
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off" });
  const { report } = await model.probe!([], { count: () => 0 });
  deepEqual(report.adapted, ["without temperature"]);
  // The model that the preflight settles on knows them already.
  const settled = model.withTemplateTokens!(3);
  await settled.ask(smallSample());
  equal("temperature" in server.received.at(-1)!.body, false);
});
