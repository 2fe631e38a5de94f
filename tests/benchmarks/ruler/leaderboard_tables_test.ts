import { match, ok, throws } from "node:assert/strict";
import { openPublished, settledLengths, settledTable } from "@/lib/benchmarks/ruler/mod.ts";

Deno.test("settledTable() counts the effective lengths of the paper's tables that the samples settle", async () => {
  const { rows } = await openPublished();
  const counts = settledLengths(rows, "v1");
  const { title, text } = settledTable(counts);
  const [settled, lengths] = [
    counts.reduce((sum, row) => sum + row.settled, 0),
    counts.reduce((sum, row) => sum + row.lengths, 0),
  ];
  match(title, new RegExp(`^${settled} of ${lengths} printed`));
  ok(settled < lengths && settled > lengths / 2);
  match(text, /^Table 3 +RULER-13 +10 +\d/m);
});

Deno.test("settledTable() refuses no rows", () => {
  throws(() => settledTable([]), { name: "RangeError" });
});
