import { CDME_READER } from "@/lib/benchmarks/cdme/mod.ts";
import { STAR_READER } from "@/lib/benchmarks/counting_stars/mod.ts";
import { PARSING_READER, THREADING_READER } from "@/lib/benchmarks/needle_threading/mod.ts";
import { RECALL_JUDGE_READER, RECALL_READER } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import {
  CHAIN_READER,
  CODED_WORDS_READER,
  COMMON_WORDS_READER,
  DOCUMENT_READER,
  NEEDLE_READER,
  QUESTION_READER,
  WORLD_READER,
} from "@/lib/benchmarks/ruler/mod.ts";
import { type Profile, readAs, type SimulatedReply, type TaskReader } from "@/lib/models/mod.ts";

/** All the tasks that the simulated reader knows; the first that recognises a prompt reads it. */
export const TASK_READERS: readonly TaskReader[] = [
  PARSING_READER,
  RECALL_JUDGE_READER,
  NEEDLE_READER,
  CHAIN_READER,
  COMMON_WORDS_READER,
  CODED_WORDS_READER,
  WORLD_READER,
  DOCUMENT_READER,
  QUESTION_READER,
  STAR_READER,
  THREADING_READER,
  CDME_READER,
  RECALL_READER,
];

/**
 * Reads a prompt of any benchmark and answers it, forgetting, confusing and copying as a profile does.
 *
 * @param prompt All that a model is sent, as one text: system message, chat template, question and answer prefix.
 * @param profile Who reads, from `openProfile`.
 * @returns The reply, and beside it its lapses.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openProfile } from "@/lib/models/mod.ts";
 *
 * const prompt = "A special magic number is hidden within the following text.\n" +
 *   "One of the special magic numbers for calm-river is: 1234567.\n" +
 *   "What is the special magic number for calm-river mentioned in the provided text?";
 * equal(readSimulated(prompt, openProfile("ideal")).text, "1234567.");
 * equal(readSimulated(prompt, openProfile("mute")).lapses[0]?.kind, "empty");
 * ```
 */
export function readSimulated(prompt: string, profile: Profile): SimulatedReply {
  return readAs(prompt, { profile, readers: TASK_READERS });
}
