import {
  type FactorRow,
  MAX_MISSING,
  type VarianceShare,
  type VarianceShares,
  varianceShares,
} from "./variance_shares.ts";
import type { RunEvidence } from "@/lib/statistics/mod.ts";

/** A graded reply to one form of a prompt. */
export interface GradedPrompt {
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The grade over 5; `null` if the call failed. */
  readonly value: number | null;
  /** The sample, with the depth of its needle in [0, 1]. */
  readonly record: { readonly depth?: number };
}

/** A source of variance. */
export interface PromptFactor extends VarianceShare {
  /** The mean recall at each level, in percent, in the order asked; `null` if every call failed. None for interactions and noise. */
  readonly levels: readonly { readonly level: string | number; readonly recall: number | null }[];
}

/** How much a model's recall depends on its prompt. */
export interface PromptDependence extends Omit<VarianceShares, "shares"> {
  /** The varied ones of needle, wording, system message, template, length and position; then `interactions` and `noise`. */
  readonly factors: readonly PromptFactor[];
  /** Replies asked for. */
  readonly replies: number;
  /** The answer in one sentence. */
  readonly answer: string;
}

const PROMPT = ["needle", "wording", "system message", "template"];
const PLACE = ["length", "position"];

/**
 * Measures how much a model's recall depends on its prompt: splits the variance of grades between needle, wording, system message
 * and template on the one side, and length and position on the other (see `varianceShares`). In "LLM In-Context Recall is Prompt
 * Dependent" (Machlab and Battle, arXiv 2404.08865v1) the three tests differ in needle and question at once; here each is varied
 * separately.
 *
 * @param replies Graded replies to every combination of the varied factors. If over a fifth of them have no grade, there are no
 *   shares.
 * @throws {RangeError} If combinations are not equally frequent, or nothing was varied.
 */
export function promptDependence(
  replies: readonly GradedPrompt[],
  { tasks, seed }: { readonly tasks: RunEvidence["tasks"]; readonly seed: string },
): PromptDependence {
  const rows = replies.map((reply): FactorRow => ({ levels: levelsOf(reply, tasks), value: reply.value }));
  const isVaried = (name: string): boolean => new Set(rows.map(({ levels }) => levels[name])).size > 1;
  const [prompt, place] = [PROMPT.filter(isVaried), PLACE.filter(isVaried)];
  const missing = rows.filter(({ value }) => value === null).length;
  // Too many missing grades must not stop a notebook, so the answer reports them.
  const isWhole = missing <= MAX_MISSING * rows.length;
  const { shares, ...rest } = varianceShares(isWhole ? rows : rows.map((row) => ({ ...row, value: 1 })), {
    factors: [...prompt, ...place],
    groups: { "the prompt": prompt, "length and position": place },
    seed,
  });
  const factors = shares.map((share) => ({ ...share, levels: recallsOf(rows, share.source) }));
  const answer = isWhole
    ? promptAnswer({ ...rest, factors })
    : `${missing} of ${rows.length} replies have no grade, so how much recall depends on the prompt cannot be determined.`;
  return { ...rest, missing, factors, replies: rows.length, answer };
}

function levelsOf(
  { task, length, record: { depth = 0 } }: GradedPrompt,
  tasks: RunEvidence["tasks"],
): Readonly<Record<string, string | number>> {
  const options = tasks[task]?.options ?? {};
  const { test, needle = test, wording, question, system = "", template = "" } = options;
  return {
    ...{ "needle": needle ?? "", "wording": wording ?? question ?? "", "system message": system, template },
    ...{ length, "position": Math.round(1000 * depth) / 10 },
  };
}

function recallsOf(rows: readonly FactorRow[], factor: string): PromptFactor["levels"] {
  const named = rows.filter(({ levels }) => levels[factor] !== undefined);
  return [...Map.groupBy(named, ({ levels }) => levels[factor]!)].map(([level, of]) => {
    const known = of.flatMap(({ value }) => value === null ? [] : [value]);
    const sum = known.reduce((total, value) => total + value, 0);
    return { level, recall: known.length === 0 ? null : 100 * sum / known.length };
  });
}

function promptAnswer({ factors, groups, lead }: Pick<PromptDependence, "factors" | "groups" | "lead">): string {
  const [prompt, place] = groups;
  if (!prompt || prompt.share === null) {
    return "No grade differs from another: nothing is seen to depend on the prompt.";
  }
  const strongest = factors.filter(({ levels }) => levels.length > 0)
    .toSorted((left, right) => right.share! - left.share!)[0]!;
  return `The prompt decides ${inPercent(prompt)} of what grades differ by, length and position ${
    inPercent(place!)
  }: ` +
    `recall ${compare(lead)}; the most by one thing goes with the ${strongest.source}, ${describe(strongest)}.`;
}

function compare(lead: PromptDependence["lead"]): string {
  if (lead !== null && lead.low > 0) return "depends more on the prompt than on where the needle is";
  if (lead !== null && lead.high < 0) return "depends less on the prompt than on where the needle is";
  return "is not shown to depend more on the one than on the other";
}

function describe({ share, levels }: PromptFactor): string {
  const known = levels.filter(({ recall }) => recall !== null).toSorted((left, right) => left.recall! - right.recall!);
  const [lowest, highest] = [known[0]!, known.at(-1)!];
  const ends = [highest, lowest].map(({ level, recall }) => `${recall!.toFixed(1)}% (${level})`);
  return `${share!.toFixed(1)}%, with recall from ${ends[0]} to ${ends[1]}`;
}

function inPercent({ share, low, high }: VarianceShare): string {
  return `${share!.toFixed(1)}% (95% interval ${low!.toFixed(1)} to ${high!.toFixed(1)})`;
}
