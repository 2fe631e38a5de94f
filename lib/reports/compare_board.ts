import { lengthText, plural } from "@/lib/base/mod.ts";
import { changeSentence, intervalText, type Table, table, type Titled } from "@/lib/figures/mod.ts";
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

/** Runs up to which a title says what each of them loses or gains. */
const TOLD = 2;

/** Returns what the paired differences decide about the means; `undefined` if all samples were not compared. */
export function boardTitle(
  baseline: string,
  others: readonly { readonly name: string; readonly rows: readonly PairedRow[] }[],
): string | undefined {
  const overall = others.flatMap(({ name, rows }) =>
    rows.filter(({ by }) => by === "all").map((row) => ({ ...row, name }))
  );
  if (overall.length < others.length) return undefined;
  if (overall.length <= TOLD) return `Against ${baseline}: ${changeSentence(overall).slice(0, -1)}`;
  const count = (which: PairedRow["higher"]): number => overall.filter(({ higher }) => higher === which).length;
  return `Against ${baseline}: ${count("baseline")} of ${overall.length} runs lower, ${count("other")} higher, ${
    count(null)
  } undecided`;
}
