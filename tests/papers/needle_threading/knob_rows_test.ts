import { deepEqual, equal } from "node:assert/strict";
import { floorText, isAboveFloor, turnedRows } from "@/lib/papers/needle_threading/knob_rows.ts";
import { type LengthEvidence, widestInterval } from "@/lib/statistics/mod.ts";

type Knobs = Readonly<Record<string, string | number>>;

/** The rows of tasks at two lengths, of twenty replies each, of which some are right. */
function rowsOf(model: string, asked: readonly (readonly [knobs: Knobs, right: number])[]): readonly LengthEvidence[] {
  const form = { suite: "s", model, depth: null, n: 20, origin: "measured", source: "run" } as const;
  return asked.flatMap(([knobs, right]) =>
    [4096, 8192].map((length) => {
      const score = 5 * right;
      const task = Object.values(knobs).join(" ");
      return { ...form, task, knobs, length, score, ...widestInterval(score, 20) };
    })
  );
}

const thread = (steps: number, direction: string): Knobs => ({ kind: "single_thread", steps, direction });
const STEPS = { kind: "single_thread", knob: "steps", series: "direction" } as const;

Deno.test("isAboveFloor() asks for an interval above 5 points, or of few samples for any score", () => {
  const [row] = rowsOf("a", [[thread(2, "forward"), 20]]);
  const is = (low: number, score: number, n = 20): boolean => isAboveFloor({ ...row!, score, low, n });
  deepEqual([is(5, 20), is(4.9, 20), is(0, 50, 2), is(0, 0, 2)], [true, false, true, false]);
});

Deno.test("turnedRows() compare like with like at the longest length, and leave out what is at the floor", () => {
  const turned = [thread(2, "forward"), thread(9, "forward"), thread(2, "backward")];
  const other = { ...thread(5, "forward"), pairs: 4 };
  const rows = rowsOf("a", [...turned.map((knobs) => [knobs, 10] as const), [other, 10]]);
  deepEqual(turnedRows(rows, STEPS).map(({ task, length }) => [task, length]), [
    ["single_thread 2 forward", 8192],
    ["single_thread 9 forward", 8192],
    ["single_thread 2 backward", 8192],
  ]);
  deepEqual(turnedRows(rows, { ...STEPS, kind: "multi_thread" }), []);
  deepEqual(turnedRows(rowsOf("a", turned.map((knobs) => [knobs, 0])), STEPS), []);
  deepEqual(
    turnedRows(rowsOf("a", [[thread(2, "forward"), 10]]), STEPS),
    [],
    "one value is not turned",
  );
});

Deno.test("floorText() names what is above the floor, model by model", () => {
  const [easy, hard] = [thread(2, "forward"), thread(9, "forward")];
  const textOf = (asked: Parameters<typeof rowsOf>[1]): string => floorText(rowsOf("a", asked));
  equal(
    textOf([[easy, 10], [hard, 0]]),
    "a is above the floor in 2 of 4 pairs of task and length: single_thread 2 forward.",
  );
  equal(textOf([[easy, 10], [hard, 20]]), "a is above the floor in all 4 pairs of task and length.");
  equal(textOf([[easy, 0]]), "a is at the floor in every task and length.");
});
