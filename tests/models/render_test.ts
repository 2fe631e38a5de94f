import { deepEqual, equal, throws } from "node:assert/strict";
import { PLAIN_TEMPLATE, userPrompt } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { type PrefixPlace, renderMessages, renderText } from "@/lib/models/render.ts";

const PROMPT = Object.freeze(userPrompt("1 + 1?", { answerPrefix: " It is " }));

Deno.test.each([
  ["appended", [{ role: "user", content: "1 + 1? It is " }]],
  ["assistant", [{ role: "user", content: "1 + 1?" }, { role: "assistant", content: " It is " }]],
  ["none", [{ role: "user", content: "1 + 1?" }]],
] as [PrefixPlace, unknown[]][])("renderMessages() with the answer prefix %s", (answerPrefix, want) => {
  deepEqual(renderMessages(PROMPT, { template: PLAIN_TEMPLATE, answerPrefix }), want);
});

Deno.test("renderMessages() begins with a system message, of the prompt or of the template", () => {
  const system = { role: "system", content: "Be brief." };
  const user = { role: "user", content: "1 + 1?" };
  deepEqual(renderMessages(userPrompt("1 + 1?", { system: "Be brief." }), { template: PLAIN_TEMPLATE }), [
    system,
    user,
  ]);
  deepEqual(renderMessages(userPrompt("1 + 1?"), { template: { ...PLAIN_TEMPLATE, system: "Be brief." } }), [
    system,
    user,
  ]);
});

Deno.test("renderMessages() sends no empty turn of the assistant's", () => {
  deepEqual(renderMessages(userPrompt("Hi"), { template: PLAIN_TEMPLATE, answerPrefix: "assistant" }), [{
    role: "user",
    content: "Hi",
  }]);
});

Deno.test("renderMessages() puts a template's words round the user's, before the prefix", () => {
  const [message] = renderMessages(userPrompt("T", { answerPrefix: " P" }), { template: chatTemplate("gpt-4") });
  equal(message?.content, "T Do not provide any explanation. Please directly give me the answer. P");
});

Deno.test("renderText() puts template and answer prefix round the prompt, and leaves the prefix out where the template does", () => {
  equal(renderText(PROMPT, chatTemplate("meta-chat")), "[INST] 1 + 1? [/INST] It is ");
  equal(renderText(PROMPT, { ...chatTemplate("meta-chat"), answerPrefix: false }), "[INST] 1 + 1? [/INST]");
});

Deno.test("renderText() refuses a system message, for which a plain text has no place", () => {
  throws(() => renderText(userPrompt("T", { system: "Be brief." }), PLAIN_TEMPLATE), {
    name: "TypeError",
    message:
      'Cannot render a completion as its system message must be part of the template: current value is "Be brief."',
  });
});
