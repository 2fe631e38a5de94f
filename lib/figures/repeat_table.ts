import type { Titled } from "./figure.ts";
import { type Table, table } from "./table.ts";
import type { repeatNoise } from "@/lib/statistics/mod.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/**
 * Makes a table from `repeatNoise`: the noise between repeats beside that between samples.
 */
export function repeatTable(
  { rows, finding }: NonNullable<ReturnType<typeof repeatNoise>>,
  drawn: Pick<Titled, "origin" | "warning">,
): Table {
  const samples = rows.at(-1)!.samples;
  return table(rows.map((row) => ({ ...row, length: row.length === null ? "all" : lengthText(row.length) })), {
    title: finding,
    ...drawn,
    caption:
      "Changed: pairs of repeats of one sample with different scores. Between repeats: the standard deviation of a sample's " +
      "scores. Between samples: that of the samples' own means, without the noise of repeats. Last: how much of the variance " +
      "of the mean comes from repeats.",
    n: `${samples} ${plural(samples, "sample")}`,
    columns: [
      { field: "task", label: "Task" },
      { field: "length", label: "Length", align: "right" },
      { field: "samples", label: "Samples", digits: 0 },
      { field: "repeats", label: "Repeats", digits: 1 },
      { field: "changed", label: "Changed (%)", digits: 0 },
      { field: "within", label: "Between repeats (points)", digits: 1 },
      { field: "between", label: "Between samples (points)", digits: 1 },
      { field: "share", label: "From repeats (%)", digits: 0 },
    ],
  });
}
