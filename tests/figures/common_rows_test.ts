import { deepEqual, equal, match, throws } from "node:assert/strict";
import fc from "fast-check";
import { pivot, type PlainRow, plot } from "@/lib/figures/mod.ts";
import { commonRows } from "@/lib/figures/common_rows.ts";

interface Row extends PlainRow {
  readonly suite: string;
  readonly model: string;
  readonly run?: string;
  readonly task: string;
  readonly length: number;
  readonly score: number;
}

/** Rows of equal scores by task, whatever the model: easy tasks score 100 and hard ones 0. */
function rowsOf(model: string, tasks: readonly string[], others: Partial<Row> = {}): Row[] {
  return tasks.map((task) => ({
    ...{ suite: "RULER", model, task, length: 1024, score: task.startsWith("easy") ? 100 : 0 },
    ...others,
  }));
}

const byModel = { x: "suite", y: "score", series: "model" } as const;

Deno.test("plot() compares models by the tasks that all have, so that equal models have equal bars", async () => {
  const rows = [
    ...rowsOf("whole", ["easy 1", "easy 2", "hard 1", "hard 2"]),
    ...rowsOf("4-bit cache", ["easy 1", "hard 1"]),
  ];
  const figure = plot(rows, byModel);
  const values = [...(await figure.svg()).matchAll(/<title>[^<]*: ([\d.]+)/g)].map(([, value]) => value);
  deepEqual(new Set(values), new Set(["50"]));
  match(figure.caption, /Left out, as not all compared marks have them: 2 rows: easy 2, hard 2\.$/);
  match(plot(rows, { ...byModel, caption: "Mine." }).caption, /^Mine\. Left out/);
});

Deno.test.each([
  ["models", [...rowsOf("a", ["easy 1"]), ...rowsOf("b", ["easy 1"])], "model"],
  ["runs", [...rowsOf("a", ["easy 1"], { run: "f16" }), ...rowsOf("a", ["easy 1"], { run: "q4" })], "run"],
] as [string, Row[], "model" | "run"][])(
  "pivot() and plot() refuse a mark of several %s, and name the field",
  (_name, rows, field) => {
    const message = new RegExp(`several values of "${field}" as it must be an axis, the series or in \`average\``);
    throws(() => plot(rows, { x: "suite", y: "score" }), { name: "RangeError", message });
    throws(() => pivot(rows, { rows: "suite", columns: "length", value: "score" }), { name: "RangeError", message });
    plot(rows, { x: "suite", y: "score", average: [field] });
    if (field === "model") plot(rows, byModel);
  },
);

Deno.test.each([
  ["of two runs that do not name themselves", {}, {}, /"run" .*: current value is 2 rows without one at suite RULER/],
  ["in two wordings", { wording: "short" }, { wording: "long" }, /"wording" .*: current value is short, long at suite/],
  ["of which one has a run", {}, { run: "q4" }, /"run" .*: current value is undefined, q4 at suite RULER/],
] as [string, object, object, RegExp][])(
  "plot() refuses rows of one task and length %s",
  (_name, one, other, message) => {
    const rows = [...rowsOf("a", ["easy 1"], one), ...rowsOf("a", ["easy 1"], other)];
    throws(() => plot(rows, byModel), { name: "RangeError", message });
    throws(() => pivot(rows, { rows: "suite", columns: "length", value: "score" }), { name: "RangeError", message });
  },
);

Deno.test("pivot() averages tasks that a model was asked in several runs", () => {
  const rows = [...rowsOf("a", ["easy 1"], { run: "1" }), ...rowsOf("a", ["hard 1"], { run: "2" })];
  match(pivot(rows, { rows: "model", columns: "length", value: "score" }).text, /^a +50\.0$/m);
});

Deno.test("commonRows() refuses models without a common task, but not labels that stand for tasks", () => {
  const rows = [...rowsOf("a", ["easy 1"]), ...rowsOf("b", ["hard 1"])];
  throws(() => plot(rows, byModel), {
    message: /must have a task and length in common; .* none at suite RULER, model a and/,
  });
  const who = rows.map((row) => ({ ...row, who: `${row.model}, ${row.task}` }));
  equal(commonRows(who, { axes: ["who", "length"], average: [] }).rows.length, 2);
  const twice = [...who, ...who.map((row) => ({ ...row, model: "c", who: `c, ${row.task}` }))];
  equal(commonRows(twice, { axes: ["who", "length"], average: [] }).rows.length, 4);
});

Deno.test("commonRows() keeps equal sets of tasks for all models of a suite", () => {
  const row = fc.record({
    suite: fc.constantFrom("s", "t"),
    model: fc.constantFrom("a", "b", "c"),
    task: fc.constantFrom("one", "two", "three"),
    length: fc.constantFrom(1, 2),
    score: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(fc.property(fc.array(row), (rows) => {
    let kept: readonly Row[];
    try {
      kept = commonRows<Row>(rows, { axes: ["suite", "model"], average: [] }).rows;
    } catch (error) {
      return /^Cannot (compare the marks|average rows of several values of "run")/.test((error as Error).message);
    }
    for (const ofSuite of Map.groupBy(kept, ({ suite }) => suite).values()) {
      const sets = Array.from(
        Map.groupBy(ofSuite, ({ model }) => model).values(),
        (ofModel) => [...new Set(ofModel.map(({ task, length }) => `${task} ${length}`))].sort().join(),
      );
      if (new Set(sets).size !== 1) return false;
    }
    return true;
  }));
});
