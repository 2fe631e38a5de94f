import { depthMap, type DepthMapCell, type Figure } from "@/lib/figures/mod.ts";
import { editMatch, type EditMatchOptions, removeSpace, WITHOUT_KEYWORD } from "@/lib/scorers/mod.ts";
import { type Origin, readCsv } from "@/lib/statistics/mod.ts";

/** The score of one length and depth: all that OpenCompass tells of it. */
export interface OpencompassCell {
  /** Context length in tokens. */
  readonly length: number;
  /** Where the needle was asked for, in percent of the context. */
  readonly depth: number;
  /** The mean score in percent; `null` where there is none. */
  readonly score: number | null;
}

/** Options for {@linkcode opencompassMap}. */
export interface OpencompassMapOptions {
  /** The model, as the title and the overall score name it. */
  readonly model: string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /**
   * What the title says of the lengths; it changes nothing else.
   *
   * @default {"8K"}
   */
  readonly datasetLength?: string;
  /**
   * Width of the whole picture, in pixels. OpenCompass's is 15.5 × 8 inches: 1,116 × 576.
   *
   * @default {700}
   */
  readonly width?: number;
  /** Height of the cells together, in pixels; by their number if left out. */
  readonly height?: number;
}

/**
 * Draws a needle test in OpenCompass's words: lengths across, depths down, the mean over depths as a white line, the overall
 * score under it (tools_needleinahaystack.py at e975a96f). A cell without a score is grey.
 *
 * @param cells The cells of one task, from `depthCells` or `readOpencompassSummary`; at least one with a score.
 * @param options The model and what the title says.
 * @returns The figure.
 * @throws {RangeError} If no cell has a score, or two cells are of one length and depth.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const cells = [{ length: 1000, depth: 0, score: 100 }, { length: 2000, depth: 100, score: 50 }];
 * const { caption } = opencompassMap(cells, { model: "my-model", origin: "measured" });
 * match(caption, /^Overall Score for my-model: 75\.00/);
 * ```
 */
export function opencompassMap(cells: readonly DepthMapCell[], options: OpencompassMapOptions): Figure {
  const { model, datasetLength = "8K", ...rest } = options;
  return depthMap(cells, {
    title: `${model} ${datasetLength} Context Performance: ` +
      'Fact Retrieval Across Context Lengths ("Needle In A Haystack")',
    caption:
      `Overall Score for ${model}: ${overallScore(cells)?.toFixed(2)}. The white line is the Average Depth Score, ` +
      "the mean over the depths of a length; the overall score is the mean of these means.",
    xTitle: "Token Limit",
    yTitle: "Depth Percent",
    valueTitle: "Score",
    xLabel: String,
    xLabelAngle: -45,
    columnMeans: true,
    ...rest,
  });
}

/**
 * Gives OpenCompass's overall score: the mean over depths first, then over lengths, so that each length counts the same however
 * many of its depths have a score.
 *
 * @param cells The cells, in any order; those without a score are left out.
 * @returns The mean in percent; `null` where there is none.
 */
export function overallScore(cells: readonly Pick<OpencompassCell, "length" | "score">[]): number | null {
  const columns = [...Map.groupBy(cells, ({ length }) => length)].sort(([left], [right]) => left - right);
  return meanOf(columns.map(([, ofLength]) => meanOf(ofLength.map(({ score }) => score))));
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** What one model scored on one needle test of an OpenCompass summary. */
export interface OpencompassModel {
  /** The model as its column is called. */
  readonly model: string;
  /** The test: what is left of its rows' names without length and depth, such as `CDME` or `origin_zh_8k`. */
  readonly dataset: string;
  /** Its cells, lengths rising and depths in each. */
  readonly cells: readonly OpencompassCell[];
}

/** The needle scores of an OpenCompass summary. */
export interface OpencompassSummary {
  /** One for each column after the first four and each needle test, in the order of the file. */
  readonly models: readonly OpencompassModel[];
  /** The names of rows that are passed over, as they tell no length and depth, in the order of the file. */
  readonly skipped: readonly string[];
}

/** The columns before the models'. */
const COLUMNS = ["dataset", "version", "metric", "mode"];
const DATASET = /^(.*?)_?Length(\d+)Depth(\d+(?:\.\d+)?)(?:_(.+))?$/;
/** What stands where a model has no score. */
const MISSING = ["", "-", "nan", "NaN"];

/**
 * Reads the needle scores of an OpenCompass summary, `summary_….csv`.
 *
 * OpenCompass at e975a96f writes rows called `CDME_Length{length}Depth{depth}`; its tool reads any name with `Length` and
 * `Depth` in it and leaves out what follows a `_` after the depth. Later versions write such names:
 * `Length{length}Depth{depth}_origin_zh_8k`, `…_2needle_en_32k`. Tests with other names are kept apart here, where the tool
 * averages them. A cell that stands twice under one name, as in the 200K configuration with and without trimming, is averaged,
 * as the tool does.
 *
 * @param text The text of the file.
 * @param file What to call it in messages.
 * @returns The cells of every model and test, and the names of the rows that are none.
 * @throws {SyntaxError} If it is no such summary, holds no needle scores, or a score is no number in [0, 100]; the message tells
 * the line.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const text = "dataset,version,metric,mode,my-model\nCDME_Length1000Depth42,abc,score,gen,87.50\n";
 * const { models } = readOpencompassSummary(text, "summary.csv");
 * equal(models[0]?.model, "my-model");
 * equal(models[0]?.dataset, "CDME");
 * equal(models[0]?.cells[0]?.score, 87.5);
 * ```
 */
export function readOpencompassSummary(text: string, file: string): OpencompassSummary {
  const [header, ...rows] = readCsv(text, file);
  const columns = header!.fields.map((field) => field.trim());
  const models = columns.slice(COLUMNS.length);
  if (COLUMNS.some((name, at) => columns[at] !== name) || models.length === 0) {
    throw new SyntaxError(
      `Cannot read ${file} as its columns must be ${COLUMNS.join(", ")} and a model each: current value is ` +
        columns.join(", "),
    );
  }
  const read = rows.map(({ line, fields }) => ({ line, ...readName(fields[0]!.trim()), fields }));
  const cells = read.filter((row): row is typeof row & Place => row.dataset !== null);
  if (cells.length === 0) {
    throw new SyntaxError(
      `Cannot read ${file} as it must have rows of a needle test, such as CDME_Length1000Depth0: current value is ` +
        `${rows.length} rows of other datasets`,
    );
  }
  const tests = [...Map.groupBy(cells, ({ dataset }) => dataset)];
  return {
    models: models.flatMap((model, column) =>
      tests.map(([dataset, ofTest]) => ({
        model,
        dataset,
        cells: averageCells(ofTest.map(({ line, length, depth, fields }) => ({
          length,
          depth,
          score: readScore(fields[COLUMNS.length + column]!.trim(), { line, file }),
        }))),
      }))
    ),
    skipped: read.flatMap(({ dataset, name }) => dataset === null ? [name] : []),
  };
}

/** Which cell of which test a row is of. */
interface Place {
  readonly dataset: string;
  readonly length: number;
  readonly depth: number;
}

function readName(name: string): { readonly name: string } & (Place | { readonly dataset: null }) {
  const [, before, length, depth, after] = DATASET.exec(name) ?? [];
  if (length === undefined || Number(depth) > 100) return { name, dataset: null };
  const dataset = [before, after].filter((part) => part).join("_") || "needle";
  return { name, dataset, length: Number(length), depth: Number(depth) };
}

function readScore(field: string, { line, file }: { readonly line: number; readonly file: string }): number | null {
  if (MISSING.includes(field)) return null;
  const score = Number(field);
  if (score >= 0 && score <= 100) return score;
  throw new SyntaxError(
    `Cannot read ${file} as a score in line ${line} must be a number in [0, 100] or -: current value is "${field}"`,
  );
}

function averageCells(cells: readonly OpencompassCell[]): readonly OpencompassCell[] {
  return [...Map.groupBy(cells, ({ length, depth }) => `${length}/${depth}`).values()].map((twins) => (
    { length: twins[0]!.length, depth: twins[0]!.depth, score: meanOf(twins.map(({ score }) => score)) }
  )).toSorted((left, right) => left.length - right.length || left.depth - right.depth);
}

/** One compared pair, under the names that OpenCompass writes. */
interface OpencompassDetail {
  /** The prediction that was compared, white space taken out. */
  readonly pred: string;
  /** The reference, white space taken out. */
  readonly answer: string;
  /** The edits between them. */
  readonly "edit_distance": number;
  /** The score in percent. */
  readonly score: number;
}

/** What OpenCompass's evaluator gives for one dataset, which is one length and depth. */
type OpencompassResult =
  | { readonly score: number; readonly details: readonly OpencompassDetail[] }
  | { readonly error: string };

/**
 * Scores predictions as OpenCompass's CDMEEvaluator does, and gives what it gives.
 *
 * At e975a96f; its documentation shows an older form with the keys `average_score` and `ref`. A reference of the form
 * `answer*keyword` is one of several needles.
 *
 * @param predictions What a model wrote.
 * @param references What was wanted, one for each prediction.
 * @param options Whether predictions are cut first (`use_trim`).
 * @returns The mean in percent, 0 where there are no predictions, with every pair; or an error where the lists differ in length.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(opencompassResult(["是 北京"], ["是北京"]), {
 *   score: 100,
 *   details: [{ pred: "是北京", answer: "是北京", edit_distance: 0, score: 100 }],
 * });
 * ```
 */
export function opencompassResult(
  predictions: readonly string[],
  references: readonly string[],
  options: EditMatchOptions = {},
): OpencompassResult {
  if (predictions.length !== references.length) {
    return { error: "predictions and references have different lengths" };
  }
  const details = predictions.map((prediction, at) => scorePair(prediction, references[at]!, options));
  const total = details.reduce((sum, { score }) => sum + score, 0);
  return { score: details.length === 0 ? 0 : total / details.length, details };
}

function scorePair(prediction: string, reference: string, options: EditMatchOptions): OpencompassDetail {
  const [answer = "", keyword] = reference.split("*");
  const { answer: pred, distance, value } = editMatch(prediction, answer, options);
  const edits = 100 * value!;
  // White space is taken out of the prediction and not out of the keyword, so that a keyword with a space is never found.
  const score = keyword === undefined ? edits : pred.includes(keyword) ? 100 : WITHOUT_KEYWORD * edits;
  return { pred, answer: removeSpace(answer), "edit_distance": distance, score };
}
