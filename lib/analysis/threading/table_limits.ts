import { contextLimits } from "../lengths/context_limit.ts";
import { charactersPerToken, curvesOf } from "./_threading_words.ts";
import type { PublishedThreadingTask, ThreadingPublished } from "./published_threading.ts";

/** A limit of Table 2 beside the one that the scores of Tables 3 to 7 give. */
export interface TableLimit {
  /** The model as the tables name it. */
  readonly model: string;
  /** The task. */
  readonly task: PublishedThreadingTask;
  /** The limit printed, in thousand characters. */
  readonly printed: number;
  /** Where the mean score of all difficulties falls through the level, in thousand characters. */
  readonly computed: number;
}

/** LLaMA 3.1, by whose tokens sizes are named, and its limit in them. */
const [NAMING_MODEL, NAMING_LIMIT] = ["LLaMA 3.1 8b", 128_000] as const;

/**
 * Gives, for each limit of Table 2, the size at which the printed scores fall through a level.
 *
 * The paper draws contours for one depth or number of needles, of which no numbers were published; the scores of Tables 3 to
 * 7 are means over them. So the two agree where difficulty matters little, and at the level that the paper took.
 *
 * @param published What the paper printed.
 * @param options The level, in (0, 1].
 * @returns A row for each of Table 2's.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/analysis/mod.ts";
 *
 * const limits = tableLimits(await openThreadingPublished(), { level: 0.75 });
 * const pro = limits.find(({ model, task }) => model === "Gemini 1.5 Pro" && task === "multiple_needles");
 * equal(pro!.printed, 430);
 * equal(Math.round(pro!.computed), 430);
 * ```
 */
export function tableLimits(published: ThreadingPublished, options: { readonly level: number }): readonly TableLimit[] {
  const thousandCharacters = charactersPerToken(published, NAMING_MODEL, NAMING_LIMIT) / 1000;
  return published.limits.map(({ model, task, effective }): TableLimit => {
    const cells = curvesOf(published, task).get(model)!.map(({ length, score }) => ({
      size: length * thousandCharacters,
      difficulty: 0,
      scores: [score / 100],
    }));
    const [found] = contextLimits(cells, { ...options, replicates: 0 });
    return { model, task, printed: effective, computed: found!.limit };
  });
}
