import { createHash } from "node:crypto";
import { mean } from "simple-statistics";
import { readValueReply } from "./scorer.ts";
import { type Reading, type Sample, type TaskReader } from "@/lib/generators/mod.ts";
import { estimateTokens, type Failure, inventLike, type Model } from "@/lib/models/mod.ts";

/** Begins the prompt with which a model is asked to parse; Fathom's own wording, as the paper's is not public. */
const PARSING_REQUEST: string =
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
 * import { simulatedModel } from "@/lib/runs/mod.ts";
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

/** Parses a reply to Needle Threading as it is asked to, by the rules of the scorer. */
export const PARSING_READER: TaskReader = {
  name: "parsing",
  recognise(prompt): Reading | null {
    const start = prompt.indexOf(PARSING_REQUEST);
    const from = prompt.indexOf("Answer:\n", start);
    if (start < 0 || from < 0) return null;
    const { values } = readValueReply(prompt.slice(from + "Answer:\n".length));
    return {
      category: "retrieval",
      wanted: values.map((value) => ({ key: "value", value, depth: null })),
      rivals: [],
      example: [],
      invent: (draw) => inventLike(values[0] ?? "", draw),
      write: (said) => JSON.stringify(said).replaceAll('","', '", "'),
    };
  },
};

/** A reply scored twice: as it is, and after a model rewrote it. */
export interface TwiceScored {
  /** The task's name. */
  readonly task: string;
  /** Its score, in [0, 1]; `null` where there is none. */
  readonly value: number | null;
  /** Why it was not rewritten; `null` where it was. */
  readonly unparsed?: string | null;
}

/** What rewriting changes in the replies to a task. */
export interface ParsedRow {
  /** The task's name, or `all`. */
  readonly task: string;
  /** Replies with both scores. */
  readonly replies: number;
  /** Those that could not be rewritten; they count as they are. */
  readonly unparsed: number;
  /** The mean score read by rule, in percent; `null` without replies. */
  readonly byRule: number | null;
  /** The mean score of the replies rewritten, in percent. */
  readonly byModel: number | null;
  /** Replies whose score is another, in percent. */
  readonly changed: number | null;
}

/**
 * Compares scores of replies read by rule with those of the same replies rewritten by a model, as Needle Threading's are.
 *
 * @param byRule The replies, scored as they are.
 * @param byModel The same replies in the same order, scored after they were rewritten.
 * @returns A row for each task in order of first appearance, then one for all.
 * @throws {RangeError} If the lists are not of the same replies.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const [row] = parsedRows([{ task: "a", value: 0 }], [{ task: "a", value: 1, unparsed: null }]);
 * equal(row?.changed, 100);
 * ```
 */
export function parsedRows(byRule: readonly TwiceScored[], byModel: readonly TwiceScored[]): ParsedRow[] {
  if (byRule.length !== byModel.length || byRule.some(({ task }, at) => task !== byModel[at]!.task)) {
    throw new RangeError(
      `Cannot compare the two readings as both must be of the same replies: current value is ${byRule.length} and ${byModel.length}`,
    );
  }
  const pairs = byRule.flatMap(({ task, value }, at): Pair[] => {
    const { value: rewritten, unparsed } = byModel[at]!;
    return value === null || rewritten === null ? [] : [{ task, value, rewritten, isUnparsed: Boolean(unparsed) }];
  });
  const tasks = Map.groupBy(pairs, ({ task }) => task);
  return [...tasks, ["all", pairs] as const].map(([task, ofTask]) => rowOf(task, ofTask));
}

interface Pair {
  readonly task: string;
  readonly value: number;
  readonly rewritten: number;
  readonly isUnparsed: boolean;
}

function rowOf(task: string, pairs: readonly Pair[]): ParsedRow {
  const percent = (valueOf: (pair: Pair) => number): number | null =>
    pairs.length === 0 ? null : 100 * mean(pairs.map(valueOf));
  return {
    task,
    replies: pairs.length,
    unparsed: pairs.filter(({ isUnparsed }) => isUnparsed).length,
    byRule: percent(({ value }) => value),
    byModel: percent(({ rewritten }) => rewritten),
    changed: percent(({ value, rewritten }) => value === rewritten ? 0 : 1),
  };
}
