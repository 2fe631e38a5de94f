import { googleScores, type MrcrPublished, openaiScores, publishedFloor } from "./published.ts";
import { barChart, type Figure, type FigureOptions, lineChart } from "@/lib/figures/mod.ts";

/** Where the numbers were read: no page of the makers. */
const COPIED = "Read from secondary copies of the makers' pages.";

/** Draws OpenAI's MRCR with 8 needles by length, with the floor of a random text on the request. */
export function openaiFigure(published: MrcrPublished, { title }: Pick<FigureOptions, "title">): Figure {
  const floor = publishedFloor(published, 8);
  return lineChart(openaiScores(published), {
    title,
    caption:
      `OpenAI's openai/mrcr, 8 needles; a point is the bin up to that length. ${COPIED} Intervals are ours, as if each score ` +
      "were yes or no. Dotted: a random text on the request.",
    origin: "published" as const,
    n: "100 questions a point" as const,
    x: "length" as const,
    y: "score" as const,
    series: "model" as const,
    low: "low" as const,
    high: "high" as const,
    interval: "95% interval" as const,
    xTitle: "Length (tokens)" as const,
    yTitle: "Score (%)" as const,
    seriesTitle: "Model" as const,
    yDomain: [0, 100] as const,
    thresholds: [{ y: floor, label: `a random text on the request: ${floor}` }],
  });
}

/** Draws Google DeepMind's MRCR v2 with 8 needles: up to 128K and at 1M, and the floor of a random text on the request. */
export function googleFigure(published: MrcrPublished, { title }: Pick<FigureOptions, "title">): Figure {
  const floor = { model: "a random text", upTo128K: publishedFloor(published, 8), at1M: publishedFloor(published, 8) };
  const scores = googleScores(published).toSorted((left, right) => (right.upTo128K ?? 0) - (left.upTo128K ?? 0));
  const rows = [...scores, floor].flatMap(({ model, upTo128K, at1M }) => [
    { model, setting: "up to 128K", score: upTo128K },
    { model, setting: "at 1M", score: at1M },
  ]);
  return barChart(rows, {
    title,
    caption:
      `Google DeepMind's MRCR v2, 8 needles. ${COPIED} Only Gemini has scores at 1M. The last bars are the score of a random ` +
      "text on the request, from the authors' repository. The cards print no number of questions, so there are no intervals.",
    origin: "published" as const,
    n: `${scores.length} models`,
    category: "model" as const,
    value: "score" as const,
    series: "setting" as const,
    categoryTitle: "" as const,
    valueTitle: "Score (%)" as const,
    seriesTitle: "" as const,
    palette: "ordered" as const,
    valueDomain: [0, 100] as const,
    horizontal: true,
    showValues: true,
    height: 520,
  });
}
