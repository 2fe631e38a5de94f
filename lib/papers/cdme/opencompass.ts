import { mean } from "@/lib/base/mod.ts";
import {
  depthMap,
  type DepthMapCell,
  type DepthMapOptions,
  type Figure,
  RED_TO_GREEN,
  type Titled,
} from "@/lib/figures/mod.ts";
import { parseJson } from "@/lib/models/mod.ts";
import type { Prediction } from "@/lib/scorers/mod.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

/** The score at one length and depth; OpenCompass reports nothing else. */
export type OpencompassCell = Pick<DepthMapCell, "length" | "depth" | "score">;

/**
 * Draws a needle test as OpenCompass does (tools_needleinahaystack.py at e975a96f): lengths across, depths down, from red to green,
 * the mean over depths as a white line, the overall score in the caption. A cell without a score is grey.
 *
 * @param options `model`: its name in title and caption. `datasetLength`: the lengths in the title; `8K` by default.
 */
export function opencompassMap(
  cells: readonly DepthMapCell[],
  { model, datasetLength = "8K", ...rest }:
    & Pick<Titled, "warning" | "origin">
    & Pick<DepthMapOptions, "width" | "height">
    & {
      readonly model: string;
      readonly datasetLength?: string;
    },
): Figure {
  return depthMap(cells, {
    title: `${model} ${datasetLength} Context Performance: ` +
      'Fact Retrieval Across Context Lengths ("Needle In A Haystack")',
    caption:
      `Overall Score for ${model}: ${overallScore(cells)?.toFixed(2)}. The white line is the Average Depth Score, ` +
      "the mean over the depths of a length; the overall score is the mean of these means.",
    ...STYLE,
    ...rest,
  });
}

const STYLE = {
  xTitle: "Token Limit",
  yTitle: "Depth Percent",
  valueTitle: "Score",
  xLabel: String,
  xLabelAngle: -45,
  columnMeans: true,
  colours: RED_TO_GREEN,
};

/**
 * Draws a needle test of several models as OpenCompass does, one panel each with its overall score, up to three in a row. All
 * panels share lengths, depths and colours. A single model is named in the title.
 *
 * @param models Models without any score are left out.
 * @throws {RangeError} If no model has a score.
 */
export function opencompassMaps(
  models: readonly { readonly model: string; readonly cells: readonly DepthMapCell[] }[],
  options: DepthMapOptions,
): Figure {
  const scored = models.flatMap(({ model, cells }) => {
    const overall = overallScore(cells);
    return overall === null ? [] : [{ cells, model, name: `${model}: ${overall.toFixed(2)}` }];
  });
  const columns = Math.min(3, Math.max(1, scored.length));
  const { title } = options;
  return depthMap(
    scored.flatMap(({ cells, model, name }) => cells.map((cell) => ({ ...cell, asked: cell.task, model, task: name }))),
    {
      caption: "Above each map: its Overall Score, the mean over lengths of the Average Depth Score, the white line.",
      ...STYLE,
      columns,
      width: columns < 3 ? 700 : 900,
      xLabel: (length) => Number(length) % 1000 === 0 ? `${Number(length) / 1000}K` : String(length),
      ...options,
      title: scored.length === 1 ? `${scored[0]!.name}. ${title}` : title,
    },
  );
}

/** Returns OpenCompass's overall score: the mean over depths, then over lengths, so that all lengths count the same. */
function overallScore(cells: readonly Pick<OpencompassCell, "length" | "score">[]): number | null {
  const columns = [...Map.groupBy(cells, ({ length }) => length)].sort(([left], [right]) => left - right);
  return meanOf(columns.map(([, ofLength]) => meanOf(ofLength.map(({ score }) => score))));
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}

const COLUMNS = ["dataset", "version", "metric", "mode"];
const DATASET = /^(.*?)_?Length(\d+)Depth(\d+(?:\.\d+)?)(?:_(.+))?$/;
const MISSING = ["", "-", "nan", "NaN"];

/**
 * Reads the needle scores of an OpenCompass summary, `summary_….csv`; `file` is its name in error messages.
 *
 * OpenCompass at e975a96f names rows `CDME_Length{length}Depth{depth}`, later versions also `Length{length}Depth{depth}_origin_zh_8k`
 * or `…_2needle_en_32k`. Its tool averages tests with different names; here they are kept apart. A cell that occurs twice under one
 * name, as in the 200K configuration with and without trimming, is averaged, as in the tool.
 */
export function readOpencompassSummary(text: string, file: string): {
  /** One entry per column after the first four and needle test, in the order of the file. */
  readonly models: readonly {
    readonly model: string;
    /** The test: the name of its rows without length and depth, such as `CDME` or `origin_zh_8k`. */
    readonly dataset: string;
    readonly cells: readonly OpencompassCell[];
  }[];
  /** The names of rows without length and depth, in the order of the file. */
  readonly skipped: readonly string[];
} {
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

/**
 * Reads the `prediction` and `gold` of each entry of an OpenCompass prediction file, `predictions/{model}/{dataset}.json`.
 *
 * @param hasKeyword Whether `gold` is an answer and its keyword, joined by `*`, as with several needles.
 * @throws {SyntaxError} If the text is not such an object.
 */
export function readOpencompassPredictions(text: string, hasKeyword: boolean): readonly Prediction[] {
  const refuse = (wanted: string, odd: unknown): SyntaxError =>
    new SyntaxError(
      `Cannot read OpenCompass's predictions as ${wanted}: current value is ${JSON.stringify(odd) ?? "none"}`,
    );
  const entries = parseJson(text);
  if (typeof entries !== "object" || entries === null) throw refuse("they must be one JSON object", text.slice(0, 60));
  return Object.entries(entries).map(([number, entry]) => {
    const { prediction, gold } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof prediction !== "string") throw refuse(`"prediction" of ${number} must be a text`, prediction);
    if (typeof gold !== "string") throw refuse(`"gold" of ${number} must be a text`, gold);
    return { prediction, references: hasKeyword ? gold.split("*") : [gold] };
  });
}
