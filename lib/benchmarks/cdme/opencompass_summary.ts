import type { DepthCell } from "./depth_map.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

/** What one model scored on one needle test of an OpenCompass summary. */
export interface OpencompassModel {
  /** The model as its column is called. */
  readonly model: string;
  /** The test: what is left of its rows' names without length and depth, such as `CDME` or `origin_zh_8k`. */
  readonly dataset: string;
  /** Its cells, lengths rising and depths in each. */
  readonly cells: readonly DepthCell[];
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

type ReadCell = Pick<DepthCell, "length" | "depth" | "score">;

function averageCells(cells: readonly ReadCell[]): readonly DepthCell[] {
  return [...Map.groupBy(cells, ({ length, depth }) => `${length}/${depth}`).values()].map((twins) => {
    const { length, depth } = twins[0]!;
    const scores = twins.flatMap(({ score }) => score === null ? [] : [score]);
    const score = scores.length === 0 ? null : scores.reduce((sum, value) => sum + value, 0) / scores.length;
    return { length, depth, score, n: null, failed: 0, noAnswer: 0 };
  }).toSorted((left, right) => left.length - right.length || left.depth - right.depth);
}
