import { createHash } from "node:crypto";
import type { Sample } from "@/lib/generators/mod.ts";
import { estimateTokens } from "./_estimate_tokens.ts";
import type { Model } from "./model.ts";
import type { Failure } from "./reply.ts";

/** Begins the prompt with which a model is asked to parse; Fathom's own wording, as the paper's is not public. */
export const PARSING_REQUEST: string =
  "Rewrite the answer below as a JSON list of the values that it gives, in the order in which it gives them, " +
  "and write nothing else. Leave out keys, explanations, and values that it only passes on the way. " +
  "If it gives no value, write [].";

/** Options for {@linkcode parseByModel}. */
export interface ParseOptions {
  /** The model that parses; the paper's is Gemini 1.5 Flash. */
  readonly model: Model;
  /** How many values are expected; room is kept for twice as many. Range: 1 to 100. */
  readonly count: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

/** What a model made of a reply. */
export interface ParsedReply {
  /** The reply rewritten, to be scored in its place by `valueMatch`; the reply itself where the call failed. */
  readonly text: string;
  /** Why the call failed; `null` where it did not. */
  readonly failure: Failure | null;
}

/**
 * Has a model rewrite a reply as a list of values, as Needle Threading does before it matches them.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, "Evaluation". The reply is text that a model wrote: it is put into the prompt
 * after everything else and can at worst mislead the parser about itself. An empty reply is not sent.
 *
 * @param reply What a model wrote.
 * @param options Who parses, and how many values are expected.
 * @returns The reply rewritten, or the reply with the failure.
 *
 * @example The simulated reader parses by rule
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 *
 * const value = "0e7bbda8-78e4-8982-dbec-b7b4a4c0c665";
 * const parsed = await parseByModel(`It is ${value}.`, { model: simulatedModel("ideal"), count: 1 });
 * equal(parsed.text, `["${value}"]`);
 * ```
 */
export async function parseByModel(reply: string, options: ParseOptions): Promise<ParsedReply> {
  const { model, count, signal } = options;
  if (reply.trim() === "") return { text: reply, failure: null };
  const answer = await model.ask(toSample(reply, 2 * count), signal);
  return answer.kind === "failure" ? { text: reply, failure: answer } : { text: answer.text, failure: null };
}

/** Tokens of a list besides its values, and of a value. */
const [ROOM, ROOM_OF_VALUE] = [60, 40];

function toSample(reply: string, count: number): Sample {
  const user = `${PARSING_REQUEST}\n\nAnswer:\n${reply}`;
  const sha256 = createHash("sha256").update(user).digest("hex");
  const promptTokens = estimateTokens(user);
  const answerRoom = ROOM + ROOM_OF_VALUE * count;
  return {
    id: `parse/${sha256.slice(0, 16)}`,
    suite: "parse",
    task: "parse",
    index: 0,
    length: promptTokens + answerRoom,
    promptTokens,
    answerRoom,
    prompt: { user },
    references: [],
    facts: [],
    sha256,
  };
}
