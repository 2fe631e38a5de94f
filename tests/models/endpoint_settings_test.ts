import { deepEqual, equal, throws } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { chatTemplate, defaultSettings, type EndpointOptions, openEndpoint } from "@/lib/models/mod.ts";
import { renderMessages, renderText } from "@/lib/models/chat_templates.ts";

const LOCAL = { baseUrl: "http://127.0.0.1:8000/v1", model: "m" };

Deno.test("openEndpoint() lists everything that shapes answers in its settings, and no secret", () => {
  const model = openEndpoint({
    baseUrl: "https://example.org/v1?token=tok-98765432",
    model: "big-model",
    name: "Big Model",
    apiKey: "sk-test-1234567890",
    systemMessage: "Be brief.",
    answerPrefix: "assistant",
    continueFlags: true,
    stop: ["\n"],
    topP: 0.9,
    seed: 7,
    maxTokens: 32,
    thinkingTokens: 100,
    templateTokens: 9,
    extraBody: { user: "sk-test-1234567890", top_k: 32 },
  });
  const given = {
    baseUrl: "https://example.org/v1?token=…",
    model: "big-model",
    system: "Be brief.",
    answerPrefix: "assistant",
    continueFlags: true,
    topP: 0.9,
    seed: 7,
    stop: '["\\n"]',
    maxTokens: 32,
    thinkingTokens: 100,
    templateTokens: 9,
    extraBody: '{"user":"[key]","top_k":32}',
  };
  deepEqual(model.settings, { ...defaultSettings(), ...given });
  const { api, template, temperature, thinkingInside } = defaultSettings();
  deepEqual([api, template, temperature, thinkingInside], ["chat", "base", 0, false]);
  deepEqual([model.name, model.origin], ["Big Model", "measured"]);
  equal(/sk-test|hunter22|tok-98765432/.test(JSON.stringify(model)), false);
});

Deno.test("openEndpoint() knows a simulated reader that is served", () => {
  equal(openEndpoint({ ...LOCAL, model: "sim:ideal", name: "Big Model" }).origin, "simulated");
});

Deno.test("openEndpoint() has the same settings however patiently it asks", () => {
  const patient = openEndpoint({ ...LOCAL, timeoutSeconds: 0.001, attempts: 1, patienceSeconds: 0 });
  deepEqual(patient.settings, openEndpoint(LOCAL).settings);
});

Deno.test.each([
  ["a chat", {}, "chat", 0],
  ["a chat without the answer prefix", { answerPrefix: "none" }, "chat+no-prefix", 0],
  ["a chat with words of its own", { chatTemplate: chatTemplate("gpt-4") }, "chat-gpt-4", 0],
  ["a template's tokens", { templateTokens: 9 }, "chat+extra-9", 9],
  ["thinking beside the length", { thinkingTokens: 500 }, "chat", 0],
  [
    "thinking inside the length",
    { thinkingTokens: 500, thinkingInLength: true, templateTokens: 9 },
    "chat+extra-509",
    509,
  ],
  // SHA-256 of "Be brief." begins with these eight digits.
  ["a system message", { systemMessage: "Be brief." }, "chat+system-213c22ed", 0],
  ["completions", { api: "completions", chatTemplate: chatTemplate("meta-chat") }, "meta-chat", 0],
  ["completions of a base model", { api: "completions", answerPrefix: "none" }, "base+no-prefix", 0],
] as [string, Partial<EndpointOptions>, string, number][])(
  "openEndpoint() names its template for %s",
  (_name, options, name, extraTokens) => {
    const { template } = openEndpoint({ ...LOCAL, ...options });
    deepEqual([template.name, template.extraTokens], [name, extraTokens]);
    equal(template.answerPrefix, options.answerPrefix !== "none");
    equal(template.system, options.systemMessage);
  },
);

// OpenAI's cookbook, "How to count tokens with tiktoken": 3 a message, 1 for its role, 3 to prime the reply.
Deno.test.each([
  ["one message", {}, 7],
  ["a system message too", { systemMessage: "Be brief." }, 11],
  ["an answer prefix of the assistant's too", { systemMessage: "Be brief.", answerPrefix: "assistant" }, 15],
  ["a number of one's own", { templateTokens: 2 }, 2],
  ["completions", { api: "completions" }, 0],
] as [string, Partial<EndpointOptions>, number][])(
  "openEndpoint() counts the tokens of OpenAI's chat format: %s",
  (_name, options, want) => {
    const model = openEndpoint({ baseUrl: "https://api.openai.com/v1", model: "gpt-4o", ...options });
    equal(model.template.extraTokens, want);
    equal(model.settings["templateTokens"], want);
  },
);

Deno.test.each([
  ["127.0.0.1:8000", "127.0.0.1:8000"],
  ["", ""],
  ["ftp://me:hunter22@h/v1?key=abc", "ftp://…@h/v1?…"],
  ["http://me:hunter/22@h/v1", "http://…@h/v1"],
  ["http://a/v1, http://b/v1", "http://a/v1, http://b/v1"],
])("openEndpoint() refuses the address %j", (baseUrl, shown) => {
  const must = "base URL must be an address that begins with http:// or https://";
  const message = `Cannot open the endpoint as ${must}: current value is "${shown}"`;
  throws(() => openEndpoint({ ...LOCAL, baseUrl }), { name: "RangeError", message });
});

// The bounds of numbers are tested with the options.
Deno.test.each([
  [
    { baseUrl: "https://h/v1/chat/completions" },
    'base URL must be the part before /chat/completions: current value is "https://h/v1/chat/completions"',
  ],
  [
    { baseUrl: "http://me:hunter22@127.0.0.1:1/v1" },
    'base URL must be an address without a name and password, which belong in the key or in --header: current value is "http://…@127.0.0.1:1/v1"',
  ],
  [{ model: " " }, 'model must be a name: current value is " "'],
  [
    { name: "sim:ideal" },
    'name must be one that does not begin with "sim:", as only the simulated reader\'s do: current value is "sim:ideal"',
  ],
  [{ temperature: 3 }, "temperature must be in [0, 2], or null to leave it out: current value is 3"],
  [{ temperature: NaN }, "temperature must be in [0, 2], or null to leave it out: current value is null"],
  [
    { api: "completions", systemMessage: "Hi" },
    'system message must be left out for completions, unless their template has {system}: current value is "Hi"',
  ],
  [
    { api: "completions", answerPrefix: "assistant" },
    'answer prefix must be "appended" or "none" for completions: current value is "assistant"',
  ],
  [
    { continueFlags: true },
    'answer prefix must be "assistant" in a chat if the continue flags are sent: current value is "appended"',
  ],
  [
    { extraBody: { stream: true } },
    'extra field must be none that has an option of its own: current value is "stream"',
  ],
] as [Partial<EndpointOptions>, string][])("openEndpoint() refuses %j", (options, message) => {
  throws(() => openEndpoint({ ...LOCAL, ...options }), {
    name: "RangeError",
    message: `Cannot open the endpoint as ${message}`,
  });
});

Deno.test("openEndpoint() refuses a key that no header can carry, without showing it", () => {
  for (const apiKey of ["sk-test\n1234", "sk-tést", "two words"]) {
    throws(() => openEndpoint({ ...LOCAL, apiKey }), {
      name: "TypeError",
      message: "Cannot open the endpoint as the key must be of visible ASCII characters: current value is not shown",
    });
  }
});

const LENGTH = 1024;
const materials = await openTestMaterials("cl100k_base");
const task = NIAH.make({ haystack: "essay" });

// A prefix or a system message that is a message of its own is counted by itself, not with the text before it: a token more.
Deno.test.each([
  ["a chat", {}],
  ["a chat with a system message and the assistant's prefix", {
    systemMessage: "Be brief.",
    answerPrefix: "assistant",
  }],
  ["a chat without the prefix", { answerPrefix: "none" }],
  ["a template's tokens", { templateTokens: 50 }],
  ["thinking inside the length", { thinkingTokens: 200, thinkingInLength: true }],
  ["completions", { api: "completions", chatTemplate: chatTemplate("meta-llama3") }],
  ["GPT-4's words", { chatTemplate: chatTemplate("gpt-4") }],
] as [string, Partial<EndpointOptions>][])(
  "openEndpoint() keeps all that is sent inside the length: %s",
  (_name, options) => {
    const { template } = openEndpoint({ baseUrl: "http://127.0.0.1:8000/v1", model: "m", ...options });
    const { prompt, promptTokens, answerRoom } = task
      .sample({ length: LENGTH, seed: "42", index: 0, materials, template });
    const { answerPrefix = "appended" } = options;
    const texts = options.api === "completions"
      ? [renderText(prompt, template)]
      : renderMessages(prompt, { template, answerPrefix }).map(({ content }) => content);
    const sent = texts.reduce((sum, text) => sum + materials.tokenizer.count(text), 0);
    equal(promptTokens + answerRoom <= LENGTH, true);
    equal(Math.abs(sent + template.extraTokens - promptTokens) < texts.length, true);
  },
);
