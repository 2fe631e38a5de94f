import { openExplainer } from "../failures.ts";
import { markPrompt } from "../marked_prompt.ts";
import { type StoredPart, storePrompt } from "./codec.ts";
import type { ExplorerPrompt, RebuiltRow } from "./data.ts";
import { cutText, inTurns, type JoinedRow, keyOf } from "./rows.ts";
import { type ScoredReply, type ScoredRun, targetDepth } from "@/lib/records/mod.ts";
import type { FailureMode } from "@/lib/statistics/failures/mod.ts";
import { scoreOf } from "@/lib/statistics/mod.ts";
import { openStudy, remakeSample, rememberSamples } from "@/lib/studies/mod.ts";

/** The share of the room for prompts that whole ones may take; the others are shortened. */
const WHOLE_SHARE = 0.4;

/** Bytes of a page for each character of a prompt, compressed. */
const BYTES_PER_CHARACTER = 0.55;

/**
 * Rebuilds samples of rows, the lowest scores first, one of each task and length at a time, unless their records hold all that is shown.
 * What they show of their rows is put into `rebuilt`; prompts are returned by row, whole as long as there is room for it, then shortened.
 */
export function keepPrompts(
  rows: readonly JoinedRow[],
  { rebuild, rebuilt, tokens, bytes }: {
    readonly rebuild: Rebuild;
    readonly rebuilt: Map<string, RebuiltRow>;
    /** Prompt tokens to rebuild, and bytes of prompts in the page, about. */
    readonly tokens: number;
    readonly bytes: number;
  },
): ReadonlyMap<number, readonly StoredPart[]> {
  const kept = new Map<number, readonly StoredPart[]>();
  let [tokensLeft, left] = [tokens, bytes / BYTES_PER_CHARACTER];
  const endOfWhole = left * (1 - WHOLE_SHARE);
  for (const row of inTurns(rows)) {
    const { record } = row.first;
    const isKnown = rebuilt.has(keyOf(row)) || (row.least === 1 && record.question !== undefined);
    if (left <= 0 && isKnown) continue;
    tokensLeft -= record.promptTokens;
    if (tokensLeft < 0) break;
    const { parts, isWhole: _, ...about } = rebuild(row, { isMarked: left > 0 });
    rebuilt.set(keyOf(row), about);
    if (parts === null) continue;
    const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
    const stored = storePrompt(parts, { isWhole: left - characters >= endOfWhole });
    left -= JSON.stringify(stored).length;
    if (left >= 0) kept.set(row.at, stored);
  }
  return kept;
}

/** A prompt that was made again from its recipe, with what it shows of its row. */
export type RebuiltPrompt = Omit<ExplorerPrompt, keyof RebuiltRow> & RebuiltRow;

/** Rebuilds the sample of a row, by default with its marked prompt. */
type Rebuild = (row: JoinedRow, options?: { readonly isMarked: boolean }) => RebuiltPrompt;

/**
 * Opens what is needed to rebuild the samples of runs. A prompt is checked against the recorded hash; of one that cannot be made again
 * there is the reason.
 */
export async function openRebuilder(runs: readonly ScoredRun[]): Promise<Rebuild> {
  const rebuilders = await Promise.all(runs.map(openRun));
  return ({ replies, least }, { isMarked } = { isMarked: true }) => {
    // The prompt of the lowest score, so that its wrong answers are marked.
    const lowest = replies.findIndex((reply) => reply !== null && (scoreOf(reply) ?? -1) === least);
    const found = replies.map((reply, run) =>
      reply === null ? null : rebuilders[run]!(reply, { isShown: run === lowest, isMarked })
    );
    const { parts, why, depth, question } = found[lowest]!;
    const modes = found.map((each) =>
      (each?.modes ?? []).map(({ class: name, why, evidence }) => (
        { class: name, why: cutText(why, 600), given: evidence.slice(0, 100).map(({ given }) => cutText(given, 600)) }
      ))
    );
    // Copied, as a piece of a text keeps the whole of it in memory.
    return { parts, isWhole: parts !== null, ...structuredClone({ why, depth, question, modes }) };
  };
}

/** Returns the failures of a reply, and its prompt if it is shown; none, and the reason, if its sample cannot be made again. */
type RunRebuilder = (
  reply: ScoredReply,
  options: { readonly isShown: boolean; readonly isMarked: boolean },
) => Pick<RebuiltPrompt, "parts" | "why" | "depth" | "question"> & { readonly modes: readonly FailureMode[] };

async function openRun(run: ScoredRun): Promise<RunRebuilder> {
  const { template, study } = run.manifest;
  const nothing = { parts: null, why: "", depth: null, question: "", modes: [] };
  const opened = await openStudy(study, run).then((made) => rememberSamples(made, 0), (error: Error) => error);
  if (opened instanceof Error) return () => ({ ...nothing, why: opened.message });
  const { explain } = openExplainer(run, { opened });
  return (reply, { isShown, isMarked }) => {
    try {
      const { modes } = explain(reply);
      if (!isShown) return { ...nothing, modes };
      const { sample, isSame, why } = remakeSample(reply.record, { ...opened, template });
      if (!isSame) return { ...nothing, modes, why };
      const depth = targetDepth(sample);
      const parts = isMarked ? markPrompt(sample, { template, modes }) : null;
      return { parts, why: "", depth: typeof depth === "number" ? depth : null, question: sample.question, modes };
    } catch (error) {
      return { ...nothing, why: (error as Error).message };
    }
  };
}
