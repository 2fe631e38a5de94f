import { column, openRows, type Row, type ScoreWithInterval, wilsonInterval } from "@/lib/statistics/mod.ts";

const [MODEL, SCORE] = [column.text("model"), column.score("score_percent")];

/** OpenAI's MRCR: scores by the greatest number of tokens in a bin. */
const OPENAI = { model: MODEL, length: column.count("context_tokens_max"), score: SCORE };

/** Google DeepMind's MRCR v2: of all questions up to 128K, and of those at 1M. */
const GOOGLE = { model: MODEL, setting: column.choice("setting", ["upto_128K", "at_1M"]), score: SCORE };

/** Google DeepMind's noise rates: the score of a random text on the request, or of any text. */
const FLOORS = {
  needles: column.count("needles"),
  reply: column.choice("reply", ["relevant", "any"]),
  score: SCORE,
};

/** The published scores of both MRCRs with 8 needles, in percent. They are two tests: neither is comparable with the other. */
export interface MrcrPublished {
  /** OpenAI's openai/mrcr, in bins of 100 questions. */
  readonly openai: readonly Row<typeof OPENAI>[];
  /** Google DeepMind's MRCR v2. */
  readonly google: readonly Row<typeof GOOGLE>[];
  readonly floors: readonly Row<typeof FLOORS>[];
}

/**
 * Reads the published scores from the CSV files of `data/published`.
 *
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openMrcrPublished(): Promise<MrcrPublished> {
  return {
    openai: await openRows("mrcr_openai_scores.csv", OPENAI),
    google: await openRows("mrcr_google_scores.csv", GOOGLE),
    floors: await openRows("mrcr_floors.csv", FLOORS),
  };
}

/** Questions in a bin of OpenAI's data (its card: 2,400 rows, 3 numbers of needles, 8 bins). */
export const BIN_QUESTIONS = 100;

/** A score of OpenAI's MRCR with its 95% Wilson interval, in percent. */
export interface OpenaiScore extends ScoreWithInterval {
  /** The model's name, as printed. */
  readonly model: string;
  /** The greatest number of tokens in the bin. */
  readonly length: number;
}

/**
 * Returns OpenAI's scores with intervals. A mean of ratios varies at most as much as a share of right answers, so the intervals
 * are wide enough, if not the narrowest.
 */
export function openaiScores({ openai }: Pick<MrcrPublished, "openai">): readonly OpenaiScore[] {
  return openai.map(({ model, length, score }) => {
    const { low, high } = wilsonInterval(score / 100 * BIN_QUESTIONS, BIN_QUESTIONS);
    return { model, length, score, low: 100 * low, high: 100 * high };
  });
}

/** Both scores of a model in Google DeepMind's MRCR v2; `null` if it is not printed. */
export interface GoogleScores {
  readonly model: string;
  readonly upTo128K: number | null;
  readonly at1M: number | null;
}

/** Returns Google's scores by model. */
export function googleScores({ google }: Pick<MrcrPublished, "google">): readonly GoogleScores[] {
  return Array.from(Map.groupBy(google, ({ model }) => model), ([model, rows]) => {
    const scoreOf = (setting: typeof rows[number]["setting"]): number | null =>
      rows.find((row) => row.setting === setting)?.score ?? null;
    return { model, upTo128K: scoreOf("upto_128K"), at1M: scoreOf("at_1M") };
  });
}

/** Returns the published floor for a number of needles, in percent; for other numbers 1/n and the 2.5 points above it for 8. */
export function publishedFloor({ floors }: Pick<MrcrPublished, "floors">, needles: number): number {
  const found = floors.find((row) => row.needles === needles && row.reply === "relevant");
  return found?.score ?? 100 / needles + 2.5;
}
