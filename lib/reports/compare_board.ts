import { lengthText, plural } from "@/lib/base/mod.ts";
import { intervalText, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { highestFinding, type LeaderboardRow, type PairedRow, unitsText } from "@/lib/statistics/mod.ts";

/**
 * Makes a table of runs ranked by their means over shared samples: the mean, and the mean at each length.
 *
 * @param rows At least one, all with the same lengths.
 * @param drawn The default title states which mean is the highest, as far as the intervals decide it.
 */
export function boardTable(
  rows: readonly LeaderboardRow[],
  { title = highestFinding(rows, "mean"), ...drawn }: Partial<Titled> & Pick<Titled, "origin">,
): Table {
  const [best] = rows;
  const written = rows.map(({ lengths, ...row }) => ({
    ...row,
    ...Object.fromEntries(lengths.map((each) => [`${each.length}`, each.score.toFixed(1) + intervalText(each)])),
  }));
  return table<Readonly<Record<string, string | number>>>(written, {
    title,
    ...drawn,
    caption:
      "Means in percent over the samples that all of these were asked and have a score for; every task at a length weighs the " +
      "same. The paired differences show whether two of them differ, not whether their intervals overlap.",
    n: `${best?.n ?? 0} ${plural(best?.n ?? 0, "sample")}`,
    interval: unitsText(rows),
    columns: [
      { field: "name", label: "Run" },
      { field: "n", label: "n", digits: 0 },
      { field: "score", label: "All (%)", digits: 1, low: "low", high: "high" },
      ...(best?.lengths ?? []).map(({ length }) => ({
        field: `${length}`,
        label: `${lengthText(length)} (%)`,
        align: "right" as const,
      })),
    ],
  });
}

/** Returns what the paired differences decide about the means; `undefined` if all samples were not compared. */
export function boardTitle(
  baseline: string,
  others: readonly { readonly name: string; readonly rows: readonly PairedRow[] }[],
  board: readonly LeaderboardRow[],
): string | undefined {
  const verdicts = others.map(({ rows }) => rows.find(({ by }) => by === "all")?.higher);
  if (verdicts.includes(undefined)) return undefined;
  const count = (which: PairedRow["higher"]): number => verdicts.filter((higher) => higher === which).length;
  const [lower, higher, open] = [count("baseline"), count("other"), count(null)];
  const n = verdicts.length;
  const other = higher === 1 && n === 1 ? others[0]!.name : undefined;
  const winner = lower === n ? baseline : other;
  if (winner !== undefined) {
    return `${winner} has the highest mean, ${board.find(({ name }) => name === winner)!.score.toFixed(1)}`;
  }
  if (open === n) {
    const other = n === 1 ? others[0]!.name : `the ${n} others`;
    return `No difference between the mean of ${baseline} and ${other} is shown`;
  }
  return `Against ${baseline}: ${lower} of ${n} runs lower, ${higher} higher, ${open} undecided`;
}
