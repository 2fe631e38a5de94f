import { deepEqual, equal, ok } from "node:assert/strict";
import { twinRows } from "@/lib/benchmarks/cdme/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import type { ComparedRecord } from "@/lib/statistics/mod.ts";

function of(task: string, index: number, changes: Partial<ComparedRecord> = {}): ComparedRecord {
  return { task, length: 4000, value: 1, failed: false, noAnswer: false, record: { index, seed: "42" }, ...changes };
}

const TWINS = { first: "cdme_zh", second: "cdme_en" };

Deno.test("twinRows() pairs samples by length and number, and leaves other tasks and unpaired samples out", () => {
  const rows = twinRows([
    of("cdme_zh", 0, { value: 0.5 }),
    of("cdme_en", 0),
    of("cdme_zh", 1),
    of("cdme_en", 2),
    of("vt", 0, { value: 0 }),
    of("cdme_zh", 3, { failed: true, value: null }),
    of("cdme_en", 3),
    of("cdme_zh", 0, { length: 8000 }),
    of("cdme_en", 0, { length: 8000 }),
  ], TWINS);
  deepEqual(rows.map(({ length, n, difference, dropped, unmatched }) => [length, n, difference, dropped, unmatched]), [
    [4000, 1, -50, 1, 2],
    [8000, 1, 0, 0, 0],
  ]);
});

Deno.test("twinRows() shows a difference that is there, and none where there is none", () => {
  const draw = stream("twins");
  const replies = Array.from({ length: 200 }, (_, index) => {
    const base = draw() < 0.7 ? 1 : 0.2;
    return [
      of("cdme_zh", index, { value: draw() < 0.15 ? 0.2 : base }),
      of("cdme_en", index, { value: base }),
      of("cdme_zh", index, { value: base, length: 8000 }),
      of("cdme_en", index, { value: base, length: 8000 }),
    ];
  }).flat();
  const [worse, same] = twinRows(replies, TWINS);
  equal(worse?.higher, "second");
  ok(worse!.high! < 0);
  equal(same?.higher, null);
  equal(same?.difference, 0);
});
