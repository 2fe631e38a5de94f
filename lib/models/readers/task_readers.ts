import type { Profile } from "../profile.ts";
import type { TaskReader } from "../reading.ts";
import { readAs, type SimulatedReply } from "../simulated_reader.ts";
import { CDME_READER } from "./cdme.ts";
import { CHAIN_READER } from "./chains.ts";
import { CODED_WORDS_READER } from "./coded_words.ts";
import { COMMON_WORDS_READER } from "./common_words.ts";
import { STAR_READER } from "./counting_stars.ts";
import { DOCUMENT_READER } from "./documents.ts";
import { NEEDLE_READER } from "./needles.ts";
import { PARSING_READER } from "./parsing.ts";
import { QUESTION_READER } from "./questions.ts";
import { RECALL_READER } from "./recall.ts";
import { RECALL_JUDGE_READER } from "./recall_judge.ts";
import { THREADING_READER } from "./threading.ts";
import { WORLD_READER } from "./world_documents.ts";

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
