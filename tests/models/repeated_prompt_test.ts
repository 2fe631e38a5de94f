import { deepEqual, equal } from "node:assert/strict";
import { chatReply, playServer } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { openEndpoint } from "@/lib/models/mod.ts";
import { afterPrompt } from "@/lib/models/protocols/normal_form.ts";
import { promptText, userPrompt } from "@/lib/generators/mod.ts";

const CONTEXT =
  "A special number is hidden in this text. The number for kiwi is 17, and that for plum is 18. Memorize it.\n";
const QUESTION = "What is the special number for kiwi that is mentioned in the provided text?";
const PROMPT = userPrompt(`${CONTEXT}${QUESTION}`, { answerPrefix: " The number is" });

Deno.test.each([
  ["with the whole prompt before it", `${CONTEXT}${QUESTION} The number is 17.`, " 17."],
  ["with the prompt, but not the prefix", `${CONTEXT}${QUESTION} 17.`, " 17."],
  ["with other spaces", `${CONTEXT.trim()}  ${QUESTION}\n\nThe number is 17.`, " 17."],
  ["with the marks of a template", `<s>[INST] ${CONTEXT}${QUESTION} [/INST] 17.`, " [/INST] 17."],
  ["with the prompt and nothing else", `${CONTEXT}${QUESTION}`, ""],
  ["that repeats the question", `${QUESTION} It is 17.`, undefined],
  ["that quotes the text", `The text has: ${CONTEXT} So it is 17.`, undefined],
  ["alone", "17", undefined],
])("afterPrompt() reads an answer %s", (_name, text, rest) => {
  equal(afterPrompt(text, PROMPT), rest);
});

Deno.test("afterPrompt() finds no prompt of a few words, which can be an answer's", () => {
  equal(afterPrompt("Where is it? It is in Rome.", userPrompt("Where is it?")), undefined);
});

Deno.test("ask() takes a repeated prompt out of a reply and marks it", async () => {
  const sample = smallSample();
  const prompt = userPrompt(`${CONTEXT}${QUESTION}`);
  await using server = playServer(chatReply({ content: `${promptText(prompt)} 17` }), chatReply({ content: "17" }));
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off" });
  const replies = [await model.ask({ ...sample, prompt }), await model.ask({ ...sample, prompt })];
  deepEqual(replies.map((reply) => reply.kind === "answer" && [reply.text, reply.repeatsPrompt]), [
    ["17", true],
    ["17", undefined],
  ]);
});
