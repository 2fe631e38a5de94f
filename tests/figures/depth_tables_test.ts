import { equal, match, throws } from "node:assert/strict";
import { depthTable, thirdsTable } from "@/lib/figures/mod.ts";
import { compareThirds, type DeepRecord, depthCells } from "@/lib/statistics/mod.ts";

const of = (depth: number, value: number | null, rest: Partial<DeepRecord> = {}): DeepRecord => ({
  ...{ task: "niah", length: 4096, failed: false, noAnswer: false },
  ...{ depth, value },
  ...rest,
});

Deno.test("depthTable() has a row a task and length, and a stretch that was not asked is a dash", () => {
  const rows = depthCells([of(0.1, 1), of(0.9, 0), of(0.9, 0.5, { length: 8192 })], { stretches: 2 });
  const { text } = depthTable(rows, { origin: "measured" });
  match(text, /Task +Length +0 to 50% +50 to 100%/);
  match(text, /niah +4K +100 \[5, 100\] \(1\) +0 \[0, 95\] \(1\)/);
  match(text, /niah +8K +– +50 \[/);
});

Deno.test("depthTable() writes a dash for a stretch in which all calls failed", () => {
  const { text } = depthTable(depthCells([of(0.1, null, { failed: true }), of(0.9, 1)], { stretches: 2 }), {
    origin: "measured",
  });
  match(text, /niah +4K +— +100/);
  throws(() => depthTable([], { origin: "measured" }), RangeError);
});

Deno.test("thirdsTable() says its finding, and says where there is nothing to compare", () => {
  const { title, text } = thirdsTable(compareThirds([of(0.1, 1)]), { origin: "measured" });
  equal(title, "No two thirds of the context can be compared");
  match(text, /first less middle +– +– +– +0 +0 +– +nothing to compare/);
  match(thirdsTable(compareThirds([of(0.1, 1), of(0.5, 1)]), { origin: "measured", title: "Mine" }).text, /^Mine\n/);
});
