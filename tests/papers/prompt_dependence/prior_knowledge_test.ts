import { deepEqual, equal, match, ok } from "node:assert/strict";
import { priorKnowledge, priorKnowledgeTable } from "@/lib/papers/prompt_dependence/prior_knowledge.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { answerAs, FAMOUS_ANSWERS } from "@/lib/simulated/reader.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { openMaterials, openStudy, readStudyFile } from "@/lib/studies/mod.ts";
import { userText } from "@/lib/generators/mod.ts";

const NEEDLE = "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a sunny day.";
const QUESTION = "What is the best thing to do in San Francisco?";
const TASKS = { alone: { options: { document: "none" } }, test: { options: {} } };

function reply(task: string, text: string, value: number | null, references = [NEEDLE, QUESTION]): ScoredReply {
  return { task, value, record: { references, reply: { kind: "answer", text } } } as unknown as ScoredReply;
}

const ALONE = reply(
  "alone",
  "The best thing to do in San Francisco is to visit the Golden Gate Bridge and Alcatraz.",
  0.2,
);

Deno.test.each(
  [
    ["says what the model says without the text", "You should visit Alcatraz and the Golden Gate Bridge.", 0.2, 1],
    ["makes something else up", "Ride the cable cars up the hills.", 0.2, 0],
    ["says that it does not know", "The text does not say.", 0.2, 0],
    ["is right", "Eat a sandwich and sit in Dolores Park.", 1, 0],
    ["only asks the question again", QUESTION, 0.2, 0],
  ] as [string, string, number, number][],
)("priorKnowledge() of a reply that %s", (_name, text, value, wanted) => {
  const [row] = priorKnowledge([ALONE, reply("test", text, value)], TASKS);
  equal(row!.fromMemory, wanted);
});

Deno.test("priorKnowledge() cannot tell where the question was not asked alone, and leaves failed calls out", () => {
  const rows = priorKnowledge([reply("test", "Golden Gate Bridge", 0.2), reply("test", "", null)], TASKS);
  deepEqual(rows.map(({ replies, wrong, fromMemory }) => [replies, wrong, fromMemory]), [[1, 1, null]]);
  match(priorKnowledgeTable(rows, { title: "From memory", origin: "measured" }).text, /test +1 +1 +–/);
  // Another needle's closed-book answer is none of this one's.
  const other = reply("alone", "The Golden Gate Bridge", 0.2, ["Another.", "What is it?"]);
  equal(priorKnowledge([other, reply("test", "Golden Gate Bridge", 0.2)], TASKS)[0]!.fromMemory, null);
});

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
