import { createHash } from "node:crypto";
import { stream } from "@/lib/random/mod.ts";
import { estimateTokens } from "./_estimate_tokens.ts";
import { loseFacts } from "./_fact_lapses.ts";
import { slipSum } from "./_sum_lapses.ts";
import { failWhole } from "./_whole_lapses.ts";
import type { Lapse, LapseKind } from "./lapse.ts";
import { outlineReading } from "./outline.ts";
import type { Profile } from "./profile.ts";
import type { Reading, TaskReader } from "./reading.ts";
import { recallOf } from "./recall.ts";

/** What the simulated reader wrote, and, kept apart from it, what it did wrong. */
export interface SimulatedReply {
  /** The text that continues the prompt. */
  readonly text: string;
  /** Everything by which the text differs from the ideal reader's; empty where it does not. It is never part of a record. */
  readonly lapses: readonly Lapse[];
  /** The task that was recognised; `null` where the prompt is none that it knows. */
  readonly task: string | null;
}

/** What is said to a prompt of no known task. */
const UNKNOWN_TASK = "I do not know.";

/**
 * Reads a prompt and answers it, forgetting, confusing and copying as a profile does.
 *
 * It is not a language model: it recognises a task by its wording, extracts the facts by rule as an ideal reader would,
 * and then loses some of them. It sees the prompt's text and nothing else. The same prompt and profile always give the
 * same reply, whatever was asked before.
 *
 * @param prompt All that a model is sent, as one text: system message, chat template, question and answer prefix.
 * @param options `profile`, who reads, from `openProfile`; `readers`, one for each kind of task that it can recognise.
 * @returns The reply, and beside it its lapses.
 */
export function readAs(
  prompt: string,
  options: { readonly profile: Profile; readonly readers: readonly TaskReader[] },
): SimulatedReply {
  const { profile, readers } = options;
  const { task, reading } = recognise(prompt, readers) ?? { task: null, reading: null };
  if (profile.manner === "says nothing") return { text: "", lapses: [wholeLapse("empty", "")], task };
  if (reading === null) return { text: UNKNOWN_TASK, lapses: [], task };
  if (profile.manner === "lists everything") return { ...listEverything(reading), task };
  const draw = stream("simulated reader", profile.name, createHash("sha256").update(prompt).digest("hex"));
  const recall = recallOf(outlineReading(reading, estimateTokens(prompt)), profile);
  const { habits } = profile;
  if (draw() < recall.wholeLoss) {
    const { kind, text } = failWhole(reading, { habits, draw });
    return { text, lapses: [wholeLapse(kind, text)], task };
  }
  const { said, lapses } = loseFacts(reading, { steps: recall.steps, habits, draw });
  if (habits.sums && reading.writeTotal) {
    const summed = slipSum(said, { reading, sums: habits.sums, draw });
    return { text: reading.writeTotal(summed.said, summed.total), lapses: [...lapses, ...summed.lapses], task };
  }
  const text = reading.write(said);
  // Where every fact was left out, it is the reply that is empty.
  return { text, lapses: text === "" && lapses.length > 0 ? [wholeLapse("empty", "")] : lapses, task };
}

/** Reads a prompt perfectly, as far as it is of a known task. */
function recognise(
  prompt: string,
  readers: readonly TaskReader[],
): { readonly task: string; readonly reading: Reading } | null {
  for (const reader of readers) {
    const reading = reader.recognise(prompt);
    if (reading) return { task: reader.name, reading };
  }
  return null;
}

function wholeLapse(kind: LapseKind, said: string): Lapse {
  return { kind, fact: null, wanted: null, said: said === "" ? null : said };
}

/** Says everything that could be an answer: a score that counts only what was found is fooled by it. */
function listEverything(reading: Reading): { readonly text: string; readonly lapses: readonly Lapse[] } {
  const { wanted, rivals } = reading;
  const values = [...wanted, ...rivals].map(({ value }) => value).toSorted();
  const text = reading.write(values);
  const ideal = reading.write(wanted.map(({ value }) => value));
  return { text, lapses: text === ideal ? [] : [wholeLapse("listed", text)] };
}
