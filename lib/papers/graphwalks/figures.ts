import { EDGES } from "@/lib/benchmarks/graphwalks/wording.ts";
import { coloursOf, type Figure, lineChart, type Titled } from "@/lib/figures/mod.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";
import { INTERVALS, MODELS_BY_LENGTH } from "@/lib/papers/evidence/evidence.ts";
import type { Evidence } from "@/lib/statistics/mod.ts";

/** Draws scores of an operation by length: published ones of models with two lengths, and all of other origins. */
export function graphCurves(
  rows: readonly Evidence[],
  { task, title }: Pick<Titled, "title"> & { readonly task: string },
): Figure {
  const placed = rows.filter((row) => row.task === task && row.length !== null);
  const published = placed.filter(({ origin }) => origin === "published");
  const own = placed.filter(({ origin }) => origin !== "published");
  const lines = [...Map.groupBy(published, ({ model }) => model).values()].filter((points) => points.length > 1)
    .flat();
  const drawn = [...lines, ...own];
  return lineChart(drawn, {
    title,
    palette: coloursOf(own.map(({ model }) => model), lines.map(({ model }) => model)),
    caption:
      "Published: model cards, read in secondary copies; prompts, settings and the program that scored them differ or are not " +
      "stated. 128K is the mean of all lengths up to it. Intervals of published scores are the widest that their number of rows allows.",
    n: own.length === 0
      ? "350 to 400 rows up to 128K, 100 at each length above"
      : "100 to 400 rows, or the samples of the run",
    origin: Object.fromEntries(drawn.map(({ model, origin }) => [model, origin])),
    ...MODELS_BY_LENGTH,
    ...INTERVALS,
    xTitle: "Context length (tokens)",
    yTitle: "Mean F1 (percent)",
  });
}

/**
 * Returns the expected F1, in [0, 1], of answers that use nothing of the question of a sample: its chance levels. Of m nodes drawn
 * from n, of which k are right, mk / n are right on average, so that their expected F1 is 2mk / (n (m + k)); it grows with m.
 *
 * @returns The F1 of all nodes, of as many random nodes as are right, and of no node by NeMo Gym's rule.
 */
export function blindScores(
  { prompt, references }: Pick<Sample, "prompt" | "references">,
): Readonly<Record<"allNodes" | "randomNodes" | "noNode", number>> {
  const text = userText(prompt);
  const nodes = new Set(text.slice(text.lastIndexOf(EDGES)).match(/^\S+(?= -> )|(?<= -> )\S+$/gm));
  const [all, right] = [nodes.size, references.length];
  return { allNodes: 2 * right / (all + right), randomNodes: right / all, noNode: right === 0 ? 1 : 0 };
}
