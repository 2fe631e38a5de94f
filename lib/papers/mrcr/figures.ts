import { AT_1M, GOOGLE_TASK, mrcrFloor, OPENAI_TASK, UP_TO_128K } from "./claims.ts";
import { barChart, type Figure, type FigureOptions, lineChart } from "@/lib/figures/mod.ts";
import { INTERVALS, MODELS_BY_LENGTH } from "@/lib/papers/evidence/evidence.ts";
import type { Evidence } from "@/lib/statistics/mod.ts";

/** Where the numbers were read: no page of the makers. */
const COPIED = "Read from secondary copies of the makers' pages.";

/** Draws OpenAI's MRCR with 8 needles by length, with the floor of a random text on the request. */
export function openaiFigure(rows: readonly Evidence[], { title }: Pick<FigureOptions, "title">): Figure {
  return lineChart(rows.filter(({ task }) => task === OPENAI_TASK), {
    title,
    caption:
      `OpenAI's openai/mrcr, 8 needles; a point is the bin up to that length. ${COPIED} Intervals are ours, as if each score ` +
      "were yes or no. Dotted: a random text on the request.",
    origin: "published",
    n: "100 questions a point",
    ...MODELS_BY_LENGTH,
    ...INTERVALS,
    xTitle: "Length (tokens)",
    yTitle: "Score (%)",
    thresholds: [{ y: mrcrFloor(8), label: `a random text on the request: ${mrcrFloor(8)}` }],
  });
}

/** Draws Google DeepMind's MRCR v2 with 8 needles: up to 128K and at 1M, and the floor of a random text on the request. */
export function googleFigure(rows: readonly Evidence[], { title }: Pick<FigureOptions, "title">): Figure {
  const google = rows.filter(({ task }) => task === GOOGLE_TASK);
  const ranked = google.filter(({ length }) => length === UP_TO_128K).toSorted((one, other) => other.score - one.score);
  const settings = [{ length: UP_TO_128K, setting: "up to 128K" }, { length: AT_1M, setting: "at 1M" }];
  const ofModels = ranked.flatMap(({ model }) =>
    settings.map(({ length, setting }) => {
      const row = google.find((row) => row.model === model && row.length === length);
      return { model, setting, score: row?.score ?? null };
    })
  );
  const ofFloor = settings.map(({ setting }) => ({ model: "a random text", setting, score: mrcrFloor(8) }));
  return barChart([...ofModels, ...ofFloor], {
    title,
    caption:
      `Google DeepMind's MRCR v2, 8 needles. ${COPIED} Only Gemini has scores at 1M. The last bars are the score of a random ` +
      "text on the request, from the authors' repository. The cards print no number of questions, so there are no intervals.",
    origin: "published",
    n: `${ranked.length} models`,
    category: "model",
    value: "score",
    series: "setting",
    categoryTitle: "",
    valueTitle: "Score (%)",
    seriesTitle: "",
    palette: "ordered",
    valueDomain: [0, 100],
    horizontal: true,
    showValues: true,
    height: 520,
  });
}
