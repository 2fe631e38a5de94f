import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { isSingleTurn, joinMessages, PLAIN_TEMPLATE, userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("words() stand in the chat template that is given", () => {
  const { before, after, answerPrefix } = rulerTask("fwe").words(materials, chatTemplate("meta-chat"));
  match(before, /^\[INST\] Read the following coded text .* coded words\. $/);
  match(after!, /^\nQuestion: .* \[\/INST\]$/);
  ok(answerPrefix.startsWith(" Answer: "));
});

Deno.test("words() have no end where there is no context", () => {
  const family = listFamilies().find(({ name }) => name === "prompt_recall")!;
  deepEqual(family.make({ document: "none" }).words(materials).after, null);
});

for (const family of listFamilies()) {
  Deno.test(`words() of ${family.name} begin and end the sample that they are of`, () => {
    for (const name of family.tasks) {
      const task = family.task(name);
      const { before, after, answerPrefix } = task.words(materials);
      const request = { length: task.leastLength(materials), seed: "42", index: 0, materials };
      const { prompt } = task.sample(request);
      const { answerPrefix: sent = "", messages } = prompt;
      const user = isSingleTurn(prompt) ? userText(prompt) : joinMessages({ messages }, PLAIN_TEMPLATE);
      ok(user.startsWith(before), `${name} begins otherwise`);
      ok(user.endsWith(after ?? ""), `${name} ends otherwise`);
      equal(answerPrefix, sent);
    }
  });
}
