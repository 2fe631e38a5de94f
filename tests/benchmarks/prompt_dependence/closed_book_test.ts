import { deepEqual, equal, ok } from "node:assert/strict";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { userText } from "@/lib/generators/mod.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";
import { answerAs, FAMOUS_ANSWERS } from "@/lib/simulated/reader.ts";
import { openMaterials, openStudy, readStudyFile } from "@/lib/studies/mod.ts";

const NEEDLE = "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a sunny day.";
const QUESTION = "What is the best thing to do in San Francisco?";

Deno.test("document: none asks the question alone, and leaves the ids of other samples as they were", async () => {
  const { tasks, materials } = await openStudy(await readStudyFile("data/studies/09-closed-book.yaml"));
  const asked = tasks.map((task) => task.sample({ length: 512, seed: "1", index: 0, materials }));
  deepEqual(asked.map(({ prompt }) => userText(prompt)), [
    "What did PistachioAI receive before its Series A?",
    QUESTION,
    "What is the best thing to do in Thornfield Hollow?",
  ]);
  equal(asked[1]!.references[0], NEEDLE);
  ok(asked[1]!.id.includes("document=none"));
  const plain = PROMPT_RECALL.task("recall_pistachio").sample({ length: 1024, seed: "1", index: 0, materials });
  ok(!plain.id.includes("document"));
});

Deno.test("the simulated reader answers a question alone with a famous name, in every template", async () => {
  const materials = await openMaterials();
  for (const template of ["openai", "llama", "mistral"] as const) {
    for (const system of ["published", "none"] as const) {
      const task = PROMPT_RECALL.make({ test: "san_francisco", document: "none", template, system });
      const sample = task.sample({ length: 512, seed: "1", index: 0, materials });
      const { text } = answerAs(openProfile("ideal"), sample);
      ok(FAMOUS_ANSWERS.includes(text.trim()), `${template}, ${system}: ${text}`);
    }
  }
});
