import { comparisonTable, type Table, type Titled } from "@/lib/figures/mod.ts";
import { comparePairs, type PairedRow, pairRecords, type RunReply } from "@/lib/statistics/mod.ts";

/** Twins of one model, the second of each pair as the baseline, and the correction for the number of models in words. */
type TwinRow = PairedRow & Readonly<Record<"model" | "corrected", string>>;

/**
 * Compares twins pair by pair, one row per model: the same needle at the same depth in the same number of tokens, in two languages. A
 * pair is two samples of one length, number and seed; every length weighs the same (`comparePairs`). Models without a scored pair are
 * left out.
 */
export function modelTwinRows(
  models: readonly { readonly model: string; readonly replies: readonly RunReply[] }[],
  { first, second }: Readonly<Record<"first" | "second", string>>,
): readonly TwinRow[] {
  const matched = models.map(({ model, replies }) => {
    const [firsts, seconds] = [first, second].map((name) =>
      replies.filter(({ task }) => task === name).map((reply) => ({ ...reply, task: "twin" }))
    );
    return { model, pairs: pairRecords(seconds!, firsts!).pairs };
  }).filter(({ pairs }) => pairs.length > 0);
  const { rows, corrected } = comparePairs(matched.map(({ pairs }) => pairs), { by: ["all"] });
  return rows.flatMap((ofModel, at) => ofModel.map((row) => ({ ...row, model: matched[at]!.model, corrected })));
}

/**
 * Returns twins as a table: both means, their difference with its interval, and which is shown to be higher.
 *
 * @param rows At least one.
 * @param options `names`: the names of the first and the second of each pair, such as their languages.
 */
export function modelTwinTable(
  rows: readonly TwinRow[],
  { names: [first, second], ...options }: Titled & { readonly names: readonly [string, string] },
): Table {
  const { corrected = "" } = rows[0] ?? {};
  const named = rows.map((row) => ({ ...row, name: row.model }));
  return comparisonTable(named, { ...options, corrected, models: [second, first] });
}
