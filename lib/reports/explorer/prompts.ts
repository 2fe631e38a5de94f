import { deflateRawSync } from "node:zlib";
import { openExplainer } from "../failures.ts";
import { markPrompt, type PromptPart } from "../marked_prompt.ts";
import { type StoredPart, storePrompt } from "./codec.ts";
import type { ServedPrompt } from "./data.ts";
import { inTurns, type JoinedRow, type RebuiltRow, shortFailure } from "./rows.ts";
import { splitPrompt } from "@/lib/generators/mod.ts";
import { type ScoredReply, type ScoredRun, targetDepth } from "@/lib/records/mod.ts";
import type { FailureMode } from "@/lib/statistics/failures/mod.ts";
import { openStudy, remakeSample, rememberLast } from "@/lib/studies/mod.ts";

/** Limits of the prompts of a page. */
export interface PromptLimits {
  /** Prompt tokens to rebuild. */
  readonly tokens: number;
  /** Bytes of prompts in the page, compressed. */
  readonly bytes: number;
}

/** The prompts of a page, compressed: whole ones by row, and shortened ones in blocks of rows. */
export interface PackedPrompts {
  readonly whole: readonly { readonly at: number; readonly packed: string }[];
  readonly short: readonly { readonly rows: readonly number[]; readonly packed: string }[];
}

/** The share of the bytes of prompts that whole ones may take; the others are shortened. */
const WHOLE_SHARE = 0.4;

/** Shortened prompts that are compressed and read as one. */
const BLOCK_PROMPTS = 40;

/**
 * Rebuilds prompts of rows, the lowest scores first, one of each task and length at a time: failures and questions are put into
 * `rebuilt`, and the prompts are packed, whole as long as there is room for it, then shortened.
 */
export function packPrompts(
  rows: readonly JoinedRow[],
  { rebuild, rebuilt, limits: { tokens, bytes } }: {
    readonly rebuild: (row: JoinedRow) => RebuiltPrompt;
    /** The rows that were rebuilt, by their keys. */
    readonly rebuilt: Map<string, RebuiltRow>;
    readonly limits: PromptLimits;
  },
): PackedPrompts {
  const whole: { at: number; packed: string }[] = [];
  const short: { rows: readonly number[]; packed: string }[] = [];
  let block = new Map<number, readonly StoredPart[]>();
  let [tokensLeft, wholeLeft, shortLeft] = [tokens, bytes * WHOLE_SHARE, bytes * (1 - WHOLE_SHARE)];
  const endBlock = (): void => {
    if (block.size === 0) return;
    const packed = pack(Object.fromEntries(block));
    shortLeft -= packed.length;
    if (shortLeft >= 0) short.push({ rows: [...block.keys()], packed });
    block = new Map();
  };
  for (const row of inTurns(rows)) {
    const hasRoom = wholeLeft > 0 || shortLeft > 0;
    if (rebuilt.has(row.key) && !hasRoom) continue;
    tokensLeft -= row.first.record.promptTokens;
    if (tokensLeft < 0 || (row.least === 1 && !hasRoom)) break;
    const { parts, isWhole: _, ...about } = rebuild(row);
    rebuilt.set(row.key, about);
    if (parts === null) continue;
    const packed = wholeLeft > 0 ? pack(storePrompt(parts, { isWhole: true })) : "";
    if (wholeLeft >= packed.length && packed !== "") {
      wholeLeft -= packed.length;
      whole.push({ at: row.at, packed });
      continue;
    }
    if (shortLeft > 0) block.set(row.at, storePrompt(parts, { isWhole: false }));
    if (block.size === BLOCK_PROMPTS) endBlock();
  }
  endBlock();
  return { whole, short };
}

/** Compresses a value as JSON. */
export function pack(value: unknown): string {
  return deflateRawSync(JSON.stringify(value), { level: 4 }).toString("base64");
}

/** A prompt that was made again from its recipe, with what it shows of its row. */
export type RebuiltPrompt = Omit<ServedPrompt, "parts"> & { readonly parts: readonly PromptPart[] | null };

/**
 * Opens what is needed to rebuild the prompts of runs. A prompt is checked against the recorded hash; of one that cannot be made again
 * there is the reason.
 *
 * @param options `characters`: characters of text on each side of a mark in a shortened prompt.
 */
export async function openRebuilder(
  runs: readonly ScoredRun[],
  options: { readonly characters: number },
): Promise<(row: JoinedRow) => RebuiltPrompt> {
  const rebuilders = await Promise.all(runs.map((run) => openRun(run, options)));
  return ({ replies }) => {
    const modes = replies.map((reply, run) => reply === null ? [] : rebuilders[run]!.explain(reply));
    const asked = [...replies.keys()].filter((run) => replies[run] !== null);
    // The prompt of a run that failed has its wrong answers marked.
    asked.sort((left, right) => Number(modes[right]!.length > 0) - Number(modes[left]!.length > 0));
    let found: MarkedPrompt | undefined;
    for (const run of asked) {
      if (found?.parts) break;
      found = rebuilders[run]!.prompt(replies[run]!, modes[run]!);
    }
    const { parts, ...about } = found!;
    // Copied, as a piece of a text keeps the whole of it in memory.
    return { parts, isWhole: parts !== null, ...structuredClone({ ...about, modes: modes.map(shortFailures) }) };
  };
}

const shortFailures = (modes: readonly FailureMode[]): RebuiltPrompt["modes"][number] => modes.map(shortFailure);

type MarkedPrompt = Pick<RebuiltPrompt, "parts" | "why" | "depth" | "question">;

/** What rebuilds the samples of a run. */
interface RunRebuilder {
  /** Returns the failures of a reply; none if its sample cannot be made again. */
  explain(reply: ScoredReply): readonly FailureMode[];
  /** Returns the prompt of a reply, with its wrong answers marked. */
  prompt(reply: ScoredReply, modes: readonly FailureMode[]): MarkedPrompt;
}

async function openRun(run: ScoredRun, { characters }: { readonly characters: number }): Promise<RunRebuilder> {
  const { template, study } = run.manifest;
  const without = (why: string): MarkedPrompt => ({ parts: null, why, depth: null, question: "" });
  try {
    const opened = rememberLast(await openStudy(study, run));
    const { explain } = openExplainer(run, { opened });
    return {
      explain: (reply) => orElse(() => explain(reply).modes, () => []),
      prompt: (reply, modes) =>
        orElse(() => {
          const { sample, isSame, why } = remakeSample(reply.record, { ...opened, template });
          if (!isSame) return without(why);
          const depth = targetDepth(sample);
          const parts = markPrompt(sample, { template, modes, characters });
          const question = (splitPrompt(sample)?.question ?? "").trim();
          return { parts, why: "", depth: typeof depth === "number" ? depth : null, question };
        }, without),
    };
  } catch (error) {
    return { explain: () => [], prompt: () => without((error as Error).message) };
  }
}

function orElse<Value>(make: () => Value, otherwise: (why: string) => Value): Value {
  try {
    return make();
  } catch (error) {
    return otherwise((error as Error).message);
  }
}
