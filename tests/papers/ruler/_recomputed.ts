import { publishedModels } from "@/lib/papers/ruler/published_leaderboard.ts";
import type { PublishedRow } from "@/lib/papers/ruler/published.ts";
import { type RankedModel, rankModels } from "@/lib/papers/evidence/rank_models.ts";
import { RULER_THRESHOLD } from "@/lib/statistics/mod.ts";

/** A published row, and its averages, ranks and effective length recomputed from its scores. */
export interface ComputedRow extends PublishedRow {
  readonly computed: RankedModel;
}

/** Recomputes averages, ranks and effective lengths of one printed table, each model within its group, in the table's order. */
export function recompute(rows: readonly PublishedRow[]): readonly ComputedRow[] {
  const lengths = rows.flatMap(({ scores }) => scores.map(({ length }) => length));
  const computed = [...Map.groupBy(rows, ({ aligned }) => aligned).values()].flatMap((ofGroup) => {
    const threshold = ofGroup[0]!.threshold ?? RULER_THRESHOLD;
    return rankModels(publishedModels(ofGroup), { lengths, threshold }).rows;
  });
  return rows.map((row) => ({ ...row, computed: computed.find(({ model }) => model === row.model)! }));
}
