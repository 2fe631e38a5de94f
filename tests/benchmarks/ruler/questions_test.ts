import { QUESTION_READER } from "@/lib/benchmarks/ruler/document_readers.ts";
import { equal, match, notEqual } from "node:assert/strict";
import { readSimulated } from "@/lib/benchmarks/mod.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/mod.ts";
import { openProfile } from "@/lib/models/mod.ts";
import { openMaterials } from "@/lib/runs/mod.ts";

const materials = await openMaterials();
const INSTRUCTION = "Answer the question. Only give me the answer and do not output any other words.";

Deno.test("QUESTION_READER answers a question without documents from memory, the same each time", () => {
  const { prompt } = QUESTION_ANSWERING.make({ documents: 0 }).sample({ length: 256, seed: "42", index: 0, materials });
  const text = prompt.user + prompt.answerPrefix;
  const said = (): string => {
    const reading = QUESTION_READER.recognise(text)!;
    equal(reading.isGuess, true);
    return reading.write(reading.wanted.map(({ value }) => value));
  };
  match(said(), /^ \S/);
  equal(said(), said());
  equal(readSimulated(text, openProfile("ideal")).text, said());
  equal(readSimulated(text, openProfile("ideal")).task, "questions");
});

Deno.test("QUESTION_READER finds the question in chat templates, and says no where it asks whether", () => {
  const wordings = ["", " Answer:", " [/INST] Answer:", "<|eot_id|><|start_header_id|>assistant"];
  for (const after of wordings) {
    const reading = QUESTION_READER.recognise(`[INST] ${INSTRUCTION}\n\nQuestion: Is Oslo in Peru?${after}`)!;
    equal(reading.wanted[0]?.key, "Is Oslo in Peru?");
    equal(reading.wanted[0]?.value, "no");
  }
});

Deno.test("QUESTION_READER leaves questions that have documents to others", () => {
  const { prompt } = QUESTION_ANSWERING.make().sample({ length: 2048, seed: "42", index: 0, materials });
  equal(QUESTION_READER.recognise(prompt.user + prompt.answerPrefix), null);
  notEqual(readSimulated(prompt.user + prompt.answerPrefix, openProfile("ideal")).task, "questions");
});
