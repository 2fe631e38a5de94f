import { deepEqual, equal, match, ok } from "node:assert/strict";
import { modelTwinRows, modelTwinTable } from "@/lib/papers/cdme/tables.ts";
import { stream } from "@/lib/random/mod.ts";
import type { RunReply } from "@/lib/statistics/mod.ts";

function scored(task: string, index: number, changes: Partial<RunReply> = {}): RunReply {
  return { task, length: 4000, value: 1, failed: false, noAnswer: false, record: { index, seed: "42" }, ...changes };
}

const TWINS = { first: "cdme_zh", second: "cdme_en" };

Deno.test("modelTwinRows() pairs samples by length and number, and leaves other tasks and unpaired samples out", () => {
  const replies = [
    scored("cdme_zh", 0, { value: 0.5 }),
    scored("cdme_en", 0),
    scored("cdme_zh", 1),
    scored("cdme_en", 2),
    scored("vt", 0, { value: 0 }),
    scored("cdme_zh", 3, { failed: true, value: null }),
    scored("cdme_en", 3),
    scored("cdme_zh", 0, { length: 8000 }),
    scored("cdme_en", 0, { length: 8000 }),
  ];
  const rows = modelTwinRows([{ model: "a", replies }, { model: "b", replies: [scored("vt", 0)] }], TWINS);
  // −50 at one length and 0 at the other, which weigh the same.
  deepEqual(rows.map(({ model, n, difference }) => [model, n, difference]), [["a", 2, -25]]);
});

Deno.test("modelTwinRows() shows a difference that is there, and none where there is none", () => {
  const draw = stream("twins");
  const bases = Array.from({ length: 200 }, () => draw() < 0.7 ? 1 : 0.2);
  const english = bases.map((value, index) => scored("cdme_en", index, { value }));
  const worse = bases.map((value, index) => scored("cdme_zh", index, { value: draw() < 0.15 ? 0.2 : value }));
  const same = bases.map((value, index) => scored("cdme_zh", index, { value }));
  const [reader, other] = modelTwinRows([
    { model: "reads English", replies: [...english, ...worse] },
    { model: "reads both", replies: [...english, ...same] },
  ], TWINS);
  equal(reader!.higher, "baseline");
  ok(reader!.high < 0);
  deepEqual([other!.higher, other!.difference], [null, 0]);
});

Deno.test("modelTwinTable() has a row for each model over all lengths, corrected for the number of models", () => {
  const asked = (task: string, value: number): RunReply[] =>
    [4000, 8000].flatMap((length) => [0, 1, 2, 3].map((index) => scored(task, index, { length, value })));
  const rows = modelTwinRows([
    { model: "reads Chinese", replies: [...asked("cdme_zh", 1), ...asked("cdme_en", 0)] },
    { model: "reads both", replies: [...asked("cdme_zh", 1), ...asked("cdme_en", 1), scored("vt", 0)] },
  ], TWINS);
  deepEqual(rows.map(({ model, n, difference, higher }) => [model, n, difference, higher]), [
    ["reads Chinese", 8, 100, "other"],
    ["reads both", 8, 0, null],
  ]);
  equal(rows[0]!.adjusted, 2 * rows[0]!.p);
  const { text } = modelTwinTable(rows, { title: "One of two", origin: "measured", names: ["Chinese", "English"] });
  match(text, /^reads Chinese +– +8 +0\.0 +100\.0 +100\.0 \[.*Chinese is higher$/m);
});
