import { deepEqual } from "node:assert/strict";
import { type Judged, judgeLabelled } from "./_labels.ts";
import { listReaders } from "@/lib/benchmarks/registry.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { settingOf } from "@/lib/simulated/words.ts";
import { LABELLED_FORMS, type MistakeRates, type ReplyForm } from "@/lib/simulated/profiles.ts";

/** The form of a reply by its primary label; the others are partly right, or not imitated. */
const FORMS: Readonly<Record<string, ReplyForm | undefined>> = {
  "empty": "empty",
  "refusal": "refused",
  "context copied": "copied",
  "distractor": "distractor",
  "less frequent word": "distractor",
  "near miss": "near_miss",
  "not in context": "invented",
  "partial value": "partial",
  "other text": "key",
};

/** A value that repeats a character. */
const REPEATED_CHARACTER = /(\S)\1{15}/;

function formOf({ finer: [label], text }: Judged): ReplyForm | undefined {
  if (label !== "loop") return FORMS[label!];
  return REPEATED_CHARACTER.test(text.slice(0, 200)) ? "looped" : "again";
}

Deno.test("the simulated reader's lost replies have the forms of the labelled ones, as often", async () => {
  const counts: Record<string, Record<string, number>> = {};
  for (const judged of await judgeLabelled()) {
    const prompt = joinPrompt(judged.sample.prompt);
    const reading = listReaders().map((reader) => reader.recognise(prompt)).find((found) => found !== null)!;
    const form = formOf(judged);
    const setting = settingOf(reading);
    if (form === undefined || setting === "graded text") continue;
    const forms = counts[setting] ??= {};
    forms[form] = (forms[form] ?? 0) + 1;
  }
  deepEqual(counts as MistakeRates["wholeReplies"], LABELLED_FORMS);
});
