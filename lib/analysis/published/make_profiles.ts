/**
 * Fits the simulated reader's profiles to the RULER paper's Tables 13 to 16, and writes data/profiles.json.
 *
 * Run it again when the published tables, or the way in which the simulated reader forgets, have changed.
 *
 * @module
 */
import { openPublished } from "./open_published.ts";
import type { RulerPublished } from "./published.ts";
import { type CategoryScore, fitProfile, PUBLISHED_PROFILES } from "@/lib/models/mod.ts";

const CATEGORIES = {
  retrieval: "retrieval",
  multi_hop_tracing: "multi-hop tracing",
  aggregation: "aggregation",
  qa: "question answering",
} as const;

/**
 * Collects one model's scores in the four categories from the paper's first edition.
 *
 * @param published What RULER published.
 * @param model The model as the tables name it, its size left out.
 * @returns The scores; of Llama2-7B, which has no row of its own, those that are the thresholds.
 */
export function categoryScores(published: RulerPublished, model: string): CategoryScore[] {
  const isOfModel = (name: string): boolean => name === model || name.startsWith(`${model} (`);
  const rows = published.rows
    .filter(({ edition, group, model }) => edition === "v1" && group === "aligned" && isOfModel(model))
    .flatMap(({ category, scores }) => scores.map((point) => ({ ...point, category })));
  // The thresholds of aligned models are the scores of Llama2-7B (chat) at 4,096 tokens. At 8,192 the mean of its tasks is 0
  // (Figure 4), and so is each of them.
  const thresholds = published.thresholds
    .filter(({ aligned }) => aligned && model === "Llama2-7B (chat)")
    .flatMap(({ category, threshold }) => [
      { category, length: 4096, score: threshold },
      { category, length: 8192, score: 0 },
    ]);
  return [...rows, ...thresholds].flatMap(({ category, length, score }) =>
    category in CATEGORIES ? [{ category: CATEGORIES[category as keyof typeof CATEGORIES], length, score }] : []
  );
}

if (import.meta.main) {
  const published = await openPublished();
  const fits = PUBLISHED_PROFILES.map((profile) =>
    [profile.name, fitProfile(categoryScores(published, profile.model), profile)] as const
  );
  const file = new URL("../../../data/profiles.json", import.meta.url);
  await Deno.writeTextFile(file, `${JSON.stringify(Object.fromEntries(fits), null, 1)}\n`);
}
