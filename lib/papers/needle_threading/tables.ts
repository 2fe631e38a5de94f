import { grouped } from "@/lib/base/mod.ts";
import type { ModelContextLimit } from "./model_scores.ts";
import { PUBLISHED_THREADING_TASKS, type ThreadingPublished, type ThreadingTableScore } from "./published.ts";
import { type FigureOptions, intervalText, type Table, table } from "@/lib/figures/mod.ts";
import type { LimitTableOptions } from "@/lib/reports/mod.ts";
import { unitsText } from "@/lib/statistics/mod.ts";

/** Returns Table 1 or one of Tables 3 to 7: a row per model, a column per size, the best of each size in bold. */
export function publishedScoreTable(
  { scores }: ThreadingPublished,
  { task, title }: { readonly task: ThreadingTableScore["task"]; readonly title: string },
): Table {
  const cells = scores.filter((row) => row.task === task);
  const sizes = [...new Set(cells.map(({ length }) => length))].toSorted((left, right) => left - right);
  const empty = Object.fromEntries(sizes.map((size) => [size, null]));
  return table(rowsByModel(cells, ({ length, score }) => [String(length), score], empty), {
    title,
    caption: "Accuracy in percent by size in tokens of LLaMA 3.1; a dash where a model was not asked.",
    origin: "published",
    n: "1 to 5 haystacks a cell",
    columns: [
      { field: "model", label: "Model" },
      ...sizes.map((size) => ({ field: String(size), label: `${size / 1000}K`, digits: 1, best: "highest" as const })),
    ],
  });
}

type ModelRow = Readonly<Record<string, string | number | null>>;

/** Turns cells into one row per model; `entry` gives the column and value of a cell, `common` the fields of every row. */
function rowsByModel<Cell extends { readonly model: string }>(
  cells: readonly Cell[],
  entry: (cell: Cell) => readonly [string, string | number | null],
  common: ModelRow = {},
): readonly ModelRow[] {
  return Array.from(Map.groupBy(cells, ({ model }) => model), ([model, ofModel]) => (
    { model, ...common, ...Object.fromEntries(ofModel.map(entry)) }
  ));
}

/** Returns Table 2 as printed: effective context limits in thousand characters, and as shares of the supported context. */
export function publishedLimitTable(
  limits: ThreadingPublished["limits"],
  { title }: Pick<FigureOptions, "title">,
): Table {
  const rows = rowsByModel(
    limits.flatMap(({ model, task, supported, effective, percent }) => [
      { model, field: "supported", value: supported },
      { model, field: task, value: `${effective} (${percent}%)` },
    ]),
    ({ field, value }) => [field, value],
  );
  const nameOf = (task: string): string => task[0]!.toUpperCase() + task.slice(1).replaceAll("_", " ");
  return table(rows, {
    title,
    caption: "In thousand characters, and as a share of the context that the model takes.",
    n: "1 to 5 haystacks a cell",
    origin: "published",
    columns: [
      { field: "model", label: "Model" },
      { field: "supported", label: "Context limit", digits: 0 },
      ...PUBLISHED_THREADING_TASKS.map((task) => ({ field: task, label: nameOf(task), align: "right" as const })),
    ],
  });
}

/** Returns effective context limits of runs by model and task: thousand characters with their interval, and tokens. */
export function modelLimitTable(limits: readonly ModelContextLimit[], options: LimitTableOptions): Table {
  const { level, ...rest } = options;
  return table(rowsByModel(limits, (limit) => [limit.task, limitText(limit)]), {
    ...rest,
    caption:
      `Where accuracy falls through ${level}%: thousand characters with their interval, then tokens; 0 where it never gets ` +
      "there. With ≥ it is still above at the longest size asked.",
    interval: unitsText(limits),
    columns: [
      { field: "model", label: "Model" },
      ...Array.from(new Set(limits.map(({ task }) => task)), (task) => (
        { field: task, label: task.replaceAll("_", " "), align: "right" as const }
      )),
    ],
  });
}

function limitText({ effective, isBeyond, tokens, ...limit }: ModelContextLimit): string {
  return `${isBeyond ? "≥ " : ""}${effective.toFixed(1)}${intervalText(limit)}, ${grouped(tokens)}`;
}
