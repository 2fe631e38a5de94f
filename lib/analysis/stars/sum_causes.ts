import type { Sample } from "@/lib/generators/mod.ts";
import { joinPrompt, type Lapse, type Profile, readAs, STAR_READER } from "@/lib/models/mod.ts";
import { starScore, type SumCause } from "@/lib/scorers/mod.ts";

/** How often a cause was told where another was known. */
export interface SumCauseRow {
  /** What the simulated reader did. */
  readonly known: SumCause;
  /** What its reply was taken for. */
  readonly told: SumCause;
  /** Replies. */
  readonly replies: number;
}

/**
 * Tries whether a list and a sum tell why the sum is wrong, on a simulated reader that says what it did.
 *
 * A reader that does two things wrong at once is known as `unclear`: from its reply no single cause can be told.
 *
 * @param samples Samples that ask for a list and its sum.
 * @param profile Who reads, such as `poor-at-sums`.
 * @returns A row for each pair of known and told cause that occurs, in order of first appearance.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { countingStarsTask } from "@/lib/generators/mod.ts";
 * import { openProfile } from "@/lib/models/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 *
 * const materials = await openMaterials();
 * const sample = countingStarsTask({ stars: 4, ask: "list_and_sum" }).sample({ length: 1024, seed: "a", index: 0, materials });
 * deepEqual(sumCauses([sample], openProfile("ideal")), [{ known: "nothing", told: "nothing", replies: 1 }]);
 * ```
 */
export function sumCauses(samples: readonly Sample[], profile: Profile): SumCauseRow[] {
  const rows = samples.map(({ prompt, references, distractors = [] }) => {
    const { text, lapses } = readAs(joinPrompt(prompt), { profile, readers: [STAR_READER] });
    const { cause } = starScore(text, references, { distractors, hasSum: true });
    return { known: knownCause(lapses), told: cause! };
  });
  const pairs = Map.groupBy(rows, ({ known, told }) => `${known}/${told}`);
  return Array.from(pairs.values(), (same) => ({ ...same[0]!, replies: same.length }));
}

function knownCause(lapses: readonly Lapse[]): SumCause {
  const isUnlisted = lapses.some(({ kind }) => kind === "unlisted");
  const isMisadded = lapses.some(({ kind }) => kind === "misadded");
  const isLost = lapses.some(({ kind }) => kind !== "unlisted" && kind !== "misadded");
  const causes: SumCause[] = [
    ...(isLost ? ["not found" as const] : []),
    ...(isUnlisted ? ["not remembered" as const] : []),
    ...(isMisadded ? ["summed wrongly" as const] : []),
  ];
  return causes.length > 1 ? "unclear" : causes[0] ?? "nothing";
}
