import { deepEqual, equal, match, ok } from "node:assert/strict";
import { playServer, type Received } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { logprobOf, type Shape, tokensOf, weighingServer } from "./_weighing_servers.ts";
import { rightAnswers } from "@/lib/benchmarks/mod.ts";
import { type EndpointOptions, type Failure, openEndpoint, type ServerReport } from "@/lib/models/mod.ts";
import {
  answerProbability,
  type Likelihood,
  type LikelihoodWay,
  tokensAtEnd,
  type WeighedToken,
} from "@/lib/scorers/mod.ts";

const PROMPT = "The grass is green.\nWhat is the number?";
const PREFIX = " The number is";

/** Weighs the right answer of the small sample on such a server. */
async function weigh(
  shape: Shape,
  options: Partial<EndpointOptions>,
  references = ["1234567"],
): Promise<{
  readonly report: ServerReport;
  readonly likelihood: Likelihood | Failure;
  readonly received: readonly Received[];
}> {
  await using server = weighingServer(shape);
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off", ...options });
  const { report } = await model.probe!([], { count: () => 0, weighs: true });
  const sample = smallSample(model.template, { references });
  const likelihood = await model.weigh!(sample, rightAnswers(sample, { contains: "all" }));
  return { report, likelihood, received: server.received };
}

Deno.test("weigh() asks in the way that the probe found, also of a model with the tokens of its chat template", async () => {
  await using server = weighingServer("llama.cpp");
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off" });
  await model.probe!([], { count: () => 0, weighs: true });
  const settled = model.withTemplateTokens!(12);
  const before = server.received.length;
  const likelihood = await settled.weigh!(smallSample(settled.template), [{ text: "42", parts: [[0, 2]] }]);
  equal(likelihood.kind === "likelihood" && likelihood.calls, server.received.length - before);
});

/** The tokens of an answer after a text, with the log-probabilities that the servers give them. */
function expected(text: string, answer: string): readonly WeighedToken[] {
  const tokens = tokensOf(text + answer);
  const first = tokens.length - tokensOf(answer).length;
  return tokens.slice(first).map((token, at) => [token, logprobOf(first + at)]);
}

Deno.test.each([
  ["vLLM", "completions", "echo", PROMPT + PREFIX],
  ["SGLang", "completions", "input_token_logprobs", PROMPT + PREFIX],
  ["llama.cpp", "completions", "grammar", PROMPT + PREFIX],
  ["old llama.cpp", "completions", "token by token", PROMPT + PREFIX],
  ["vLLM chat", "chat", "prompt_logprobs", `<user>${PROMPT}<assistant>${PREFIX}`],
  ["llama.cpp", "chat", "grammar", `<user>${PROMPT}<assistant>${PREFIX}`],
] as [Shape, "completions" | "chat", LikelihoodWay, string][])(
  "weigh() of %s by %s gets the log-probabilities of the answer's own tokens by %s",
  async (shape, api, way, before) => {
    const prefix = api === "chat" ? { answerPrefix: "assistant" } as const : {};
    const { report, likelihood } = await weigh(shape, { api, ...prefix });
    equal(report.weighs, way);
    ok(likelihood.kind === "likelihood", JSON.stringify(likelihood));
    equal(likelihood.way, way);
    deepEqual(likelihood.answers, [{ text: " 1234567", parts: [[1, 8]], tokens: expected(before, " 1234567") }]);
  },
);

Deno.test("weigh() of llama.cpp takes one call with a grammar and one for each token without", async () => {
  const [one, each] = [
    await weigh("llama.cpp", { api: "completions" }),
    await weigh("old llama.cpp", { api: "completions" }),
  ];
  ok(one.likelihood.kind === "likelihood" && each.likelihood.kind === "likelihood");
  // Beside the writing calls, prompt and answer are split.
  equal(one.likelihood.calls, 1 + 2);
  equal(each.likelihood.calls, tokensOf(" 1234567").length + 2);
  const written = each.received.filter(({ body }) => body["logit_bias"] !== undefined);
  ok(written.every(({ body }) => body["cache_prompt"] === true && body["max_tokens"] === 1));
});

Deno.test("weigh() begins a chat's answer without a space where nothing precedes it", async () => {
  const { likelihood } = await weigh("vLLM chat", { api: "chat", answerPrefix: "none" });
  ok(likelihood.kind === "likelihood");
  equal(likelihood.answers[0]!.text, "1234567");
});

Deno.test("weigh() finds the answer in the reply where a server gives no other log-probabilities, a lower bound", async () => {
  const { report, likelihood } = await weigh("replies", { api: "chat" }, ["123", "999"]);
  equal(report.weighs, "reply tokens");
  ok(likelihood.kind === "likelihood");
  // " 12" and "3" of the first answer; the second is not in the reply.
  const first = Math.exp(-(0.3 + 0.4) / 2);
  equal(answerProbability(likelihood)?.toFixed(6), (first / 2).toFixed(6));
});

Deno.test("weigh() of a server without log-probabilities is a failure that names the cause", async () => {
  const { report, likelihood } = await weigh("nothing", { api: "chat" });
  equal(report.weighs, "not at all");
  ok(likelihood.kind === "failure");
  match(likelihood.message, /gives no log-probabilities/);
});

Deno.test.each(["responses", "anthropic"] as const)(
  "openEndpoint() of %s has no weigh(): it has no log-probabilities",
  (api) => {
    equal(openEndpoint({ baseUrl: "http://127.0.0.1:8000/v1", model: "m", api }).weigh, undefined);
  },
);

Deno.test.each([["vLLM"], ["llama.cpp"]] as [Shape][])(
  "weigh() of %s gives the answer a first token that holds the end of the prompt too",
  async (shape) => {
    await using server = weighingServer(shape);
    const model = openEndpoint({ baseUrl: server.url, model: "m", api: "completions", stream: "off" });
    const plain = smallSample(model.template);
    const sample = { ...plain, prompt: { ...plain.prompt, answerPrefix: " The number is " } };
    const likelihood = await model.weigh!(sample, rightAnswers(sample, {}));
    ok(likelihood.kind === "likelihood", JSON.stringify(likelihood));
    const [{ text, tokens }] = likelihood.answers as [typeof likelihood.answers[number]];
    equal(text, "1234567");
    // The prompt alone ends with the token of a space.
    deepEqual(tokens.map(([token]) => token), [" 12", "34", "56", "7"]);
  },
);

Deno.test("weigh() gives a character of several tokens to the last of them", async () => {
  const { likelihood } = await weigh("llama.cpp", { api: "completions" }, ["caf\u00e9"]);
  ok(likelihood.kind === "likelihood", JSON.stringify(likelihood));
  deepEqual(likelihood.answers[0]!.tokens.map(([token]) => token), [" ca", "f", "", "\u00e9"]);
});

Deno.test("weigh() counts the prompt tokens of its calls", async () => {
  const { likelihood } = await weigh("vLLM", { api: "completions" });
  ok(likelihood.kind === "likelihood");
  deepEqual([likelihood.promptTokens, likelihood.cachedTokens], [100, 90]);
});

Deno.test("weigh() fails, and does not throw, where a server answers with an error, with a page or with other tokens", async () => {
  const echo = Response.json({
    choices: [{
      text: "",
      logprobs: { tokens: ["The", " grass", " is", " green", "!"], token_logprobs: [null, -1, -1, -1, -1] },
    }],
  });
  for (
    const turn of [
      new Response("<html>", { status: 502 }),
      Response.json({ choices: [{ logprobs: 7 }] }),
      new Response("[]"),
    ]
  ) {
    await using server = playServer(echo, turn);
    const model = openEndpoint({ baseUrl: server.url, model: "m", api: "completions", stream: "off", attempts: 1 });
    const sample = smallSample(model.template);
    const found = await model.weigh!(sample, rightAnswers(sample, {}));
    equal(found.kind, "failure");
  }
});

const made = (...texts: readonly string[]): readonly WeighedToken[] => texts.map((text) => [text, -1]);

Deno.test.each([
  ["the tokens of the end", made("is", " 12", "34"), " 1234", made(" 12", "34")],
  ["a first token that holds the end of the prompt too", made("is 1", "2"), " 12", made("is 1", "2")],
  ["a character of two tokens", made("a", "\uFFFD", "\uFFFD", "b"), "éb", [["", -1], ["é", -1], ["b", -1]]],
  ["such a character at the end", made("a", "x", "\uFFFD", "\uFFFD"), "xé", [["x", -1], ["", -1], ["é", -1]]],
  ["nothing for other tokens", made("is", " 12", "35"), " 1234", undefined],
  ["nothing for too few tokens", made("34"), " 1234", undefined],
  ["nothing for a character that no tokens could share", made("a", "\uFFFD"), "xyz", undefined],
] as [string, readonly WeighedToken[], string, unknown][])("tokensAtEnd() gives %s", (_name, tokens, end, want) => {
  deepEqual(tokensAtEnd(tokens, end), want);
});

Deno.test.each([
  ["of one token", [{ text: "17", parts: [[0, 2]], tokens: [["17", Math.log(0.5)]] }], 0.5],
  ["is the geometric mean over tokens", [{
    text: "17",
    parts: [[0, 2]],
    tokens: [["1", Math.log(0.5)], ["7", Math.log(0.02)]],
  }], 0.1],
  ["counts no separator", [{ text: "1, 2", parts: [[0, 1], [3, 4]], tokens: [["1", 0], [", ", -50], ["2", 0]] }], 1],
  ["is the mean over parts", [{
    text: "1, 2",
    parts: [[0, 1], [3, 4]],
    tokens: [["1", 0], [",", -5], [" 2", Math.log(0.5)]],
  }], 0.75],
  ["is that of the most probable answer", [
    { text: "a", parts: [[0, 1]], tokens: [["a", Math.log(0.2)]] },
    { text: "b", parts: [[0, 1]], tokens: [["b", Math.log(0.6)]] },
  ], 0.6],
  ["counts a token without log-probability as 0", [{ text: "a", parts: [[0, 1]], tokens: [["a", null]] }], 0],
  ["is at most 1 where rounding exceeds it", [{ text: "a", parts: [[0, 1]], tokens: [["a", 1e-7]] }], 1],
  ["of no answer is null", [], null],
] as [string, Parameters<typeof answerProbability>[0]["answers"], number | null][])(
  "answerProbability() %s",
  (_name, answers, want) => {
    const found = answerProbability({ answers });
    equal(found === null ? null : Number(found.toFixed(9)), want);
  },
);
