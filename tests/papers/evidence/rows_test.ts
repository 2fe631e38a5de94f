import { deepEqual, equal, throws } from "node:assert/strict";
import { joinByModel, oneRow } from "@/lib/papers/evidence/rows.ts";

const rows = [{ model: "a", length: 1, score: 5 }, { model: "a", length: 2, score: 6 }, {
  model: "b",
  length: 1,
  score: 7,
}];

Deno.test("oneRow() returns the only row with the values, and refuses none and several", () => {
  equal(oneRow(rows, { model: "a", length: 2 }).score, 6);
  const message = (count: number, named: string): string =>
    `Cannot pick a row as exactly one must have ${named}: current value is ${count} rows`;
  throws(() => oneRow(rows, { model: "a" }), { name: "RangeError", message: message(2, 'model "a"') });
  throws(() => oneRow(rows, { model: "c", length: 1 }), { message: message(0, 'model "c" and length 1') });
});

Deno.test("joinByModel() joins lists in the order of the first, and refuses a model that a list lacks", () => {
  const [first, second] = [[{ model: "b", at: 1 }, { model: "a", at: 2 }], [{ model: "a", at: 3 }, {
    model: "b",
    at: 4,
  }]];
  deepEqual(joinByModel({ first, second }), [
    { model: "b", first: first[0], second: second[1] },
    { model: "a", first: first[1], second: second[0] },
  ]);
  throws(() => joinByModel({ first, second: second.slice(1) }), /exactly one must have model "a"/);
});
