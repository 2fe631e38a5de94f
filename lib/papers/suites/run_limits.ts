import counted from "@/data/tokenizers/costs.csv" with { type: "text" };
import { defined, plural } from "@/lib/base/mod.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { drawnFrom } from "@/lib/reports/mod.ts";
import { modelName, type ScoredRun } from "@/lib/records/mod.ts";
import {
  column,
  type ContextLimit,
  contextLimits,
  knobCells,
  meanOfRepeats,
  readRows,
  unitsText,
} from "@/lib/statistics/mod.ts";

/** The effective context limit in one task, as in the paper's Table 2. */
export interface TaskLimit extends Omit<ContextLimit, "difficulty"> {
  readonly task: string;
  /** The largest size tested, in the unit of sizes. */
  readonly tested: number;
  /** The limit as a share of `tested`, in percent. */
  readonly percent: number;
  /** The limit as a share of the model's window, in percent, if the window is known. */
  readonly ofWindow?: number;
  /** The limit in thousand characters, if sizes are in tokens and the tokenizer was counted. */
  readonly thousandCharacters?: number;
}

/**
 * Returns the effective context limit of each task of a run, as Needle Threading defines it: the length at which the interpolated
 * score falls below a level. Lengths are in the study's tokens; those of Needle Threading's tasks also in characters, as in the paper.
 * If the model's entry has a window, a limit is also a share of it. Tasks without a score are omitted.
 *
 * @param options `level`: the effective accuracy, in (0, 1]; by default 0.75, which is the paper's.
 * @throws {RangeError} If the level is outside its range.
 */
export function runLimits(
  { replies, manifest }: Pick<ScoredRun, "replies"> & Partial<Pick<ScoredRun, "manifest">>,
  { level = 0.75 }: { readonly level?: number } = {},
): TaskLimit[] {
  const tasks = Map.groupBy(meanOfRepeats(replies).filter(({ value }) => value !== null), ({ task }) => task);
  return Array.from(tasks, ([task, ofTask]) => {
    const cells = knobCells(ofTask);
    const { difficulty: _, ...limit } = contextLimits(cells, { level })[0]!;
    const tested = Math.max(...cells.map(({ size }) => size));
    const window = manifest?.claimedWindow;
    const isThreading = manifest?.tasks[task]?.suite === THREADING.suite;
    const characters = isThreading ? pairCharactersPerToken(manifest!.materials.tokenizer) : null;
    return {
      ...limit,
      task,
      tested,
      percent: 100 * limit.limit / tested,
      ...defined({
        ofWindow: window && 100 * limit.limit / window,
        thousandCharacters: characters === null ? undefined : limit.limit * characters / 1000,
      }),
    };
  });
}

/** Returns {@linkcode runLimits} as a table; `null` if nothing has a score. */
export function runLimitTable(run: ScoredRun, { level = 0.75 }: { readonly level?: number } = {}): Table | null {
  const limits = runLimits(run, { level });
  if (limits.length === 0) return null;
  const { manifest, replies } = run;
  const percent = Number((100 * level).toFixed(2));
  const has = (field: "thousandCharacters" | "ofWindow"): boolean => limits.some((limit) => limit[field] !== undefined);
  const rows = limits.map(({ thousandCharacters = null, ofWindow = null, ...limit }) => (
    { ...limit, thousandCharacters, ofWindow, beyond: limit.isBeyond ? "above" : "below" }
  ));
  const digits = limits.some(({ tested }) => tested > 1000) ? 0 : 1;
  return table(rows, {
    ...drawnFrom(run),
    title: `${modelName(manifest)}: effective context limits at ${percent}%`,
    n: `${replies.length} ${plural(replies.length, "sample")}`,
    caption:
      `Sizes in tokens of ${manifest.materials.tokenizer}: where accuracy falls through ${percent}%, and that as a share of ` +
      "the longest asked; 0 where it never gets there. Above the level there, the limit is that or more." +
      (has("ofWindow") ? " The window is the one that the model's entry names, in its own tokens." : ""),
    interval: unitsText(limits),
    columns: {
      task: "Task",
      limit: { label: "Limit", digits, low: "low", high: "high" },
      ...(has("thousandCharacters") ? { thousandCharacters: { label: "Thousand characters", digits: 1 } } : {}),
      beyond: "At the longest",
      percent: { label: "Share of the longest (%)", digits: 0 },
      ...(has("ofWindow") ? { ofWindow: { label: "Share of the window (%)", digits: 1 } } : {}),
    },
  });
}

/** The text of `data/tokenizers/costs.csv` that consists of pairs of random UUIDs. */
const PAIRS = "UUID pairs";

/**
 * Returns the characters per token of a haystack of random UUIDs; `null` for a tokenizer that was not counted.
 *
 * @param tokenizer Its name in a run's materials, such as `o200k_base`.
 */
export function pairCharactersPerToken(tokenizer: string): number | null {
  const rows = readRows(counted, {
    file: "data/tokenizers/costs.csv",
    columns: {
      folder: column.text("folder"),
      text: column.text("text"),
      characters: column.count("characters"),
      tokens: column.count("tokens"),
    },
  });
  const cost = rows.find(({ folder, text }) => text === PAIRS && folder === tokenizer);
  return cost === undefined ? null : cost.characters / cost.tokens;
}
