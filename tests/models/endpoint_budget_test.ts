import { equal } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
import { chatTemplate, type EndpointOptions, openEndpoint } from "@/lib/models/mod.ts";
import { renderMessages, renderText } from "@/lib/models/render.ts";

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
    const { prompt, promptTokens, answerRoom } = task.sample({
      length: LENGTH,
      seed: "42",
      index: 0,
      materials,
      template,
    });
    const { answerPrefix = "appended" } = options;
    const texts = options.api === "completions"
      ? [renderText(prompt, template)]
      : renderMessages(prompt, { template, answerPrefix }).map(({ content }) => content);
    const sent = texts.reduce((sum, text) => sum + materials.tokenizer.count(text), 0);
    equal(promptTokens + answerRoom <= LENGTH, true);
    equal(Math.abs(sent + template.extraTokens - promptTokens) < texts.length, true);
  },
);
