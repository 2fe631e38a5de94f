import { match, ok, throws } from "node:assert/strict";
import { searchTable } from "@/lib/figures/mod.ts";
import { searchWith } from "@/lib/statistics/mod.ts";

const OPTIONS = { title: "Found", origin: "simulated" } as const;
const DESIGN = { tasks: ["vt"], lengths: [4096, 8192, 16_384], samples: 60, threshold: 85.6 };

Deno.test("searchTable() tells of each length what is known, why, and what was not needed", () => {
  const { lengths } = searchWith(({ length, index }) => length > 8192 ? 0 : Number(index % 8 > 0), DESIGN);
  const { text, note } = searchTable(lengths, OPTIONS);
  match(text, /^4K +0 +– +85\.6 +not needed$/m);
  match(text, /^8K +60 +86\.7 \[\d+\.\d, \d+\.\d] +85\.6 +passes, by the mean of all samples alone$/m);
  match(text, /^16K +\d+ +0\.0 \[0\.0, \d\d\.\d\] +85\.6 +falls short$/m);
  match(note, /^Simulated/i);
});

Deno.test("searchTable() has dashes, and no NaN, where no call succeeded", () => {
  const { lengths } = searchWith(() => null, DESIGN);
  ok(!/NaN|undefined/.test(searchTable(lengths, OPTIONS).text));
});

Deno.test("searchTable() refuses no lengths", () => {
  throws(() => searchTable([], OPTIONS), { name: "RangeError" });
});
