import { deepEqual, equal } from "node:assert/strict";
import {
  floorText,
  isAboveFloor,
  threadingRows,
  type ThreadingRun,
  turnedRows,
} from "@/lib/papers/needle_threading/knob_rows.ts";

type Knobs = Readonly<Record<string, string | number>>;

/** A run with twenty replies to each task at two lengths, of which some are right. */
function runOf(model: string, asked: readonly (readonly [knobs: Knobs, right: number])[]): ThreadingRun {
  const nameOf = (knobs: Knobs): string => Object.values(knobs).join(" ");
  const replies = asked.flatMap(([knobs, right]) =>
    [4096, 8192].flatMap((length) =>
      Array.from({ length: 20 }, (_, index) => ({
        task: nameOf(knobs),
        length,
        value: index < right ? 1 : 0,
        failed: false,
        noAnswer: false,
        record: { index, seed: "1" },
      }))
    )
  );
  const tasks = Object.fromEntries(asked.map(([knobs]) => [nameOf(knobs), { options: knobs }]));
  return { manifest: { model, tasks }, replies };
}

const thread = (steps: number, direction: string): Knobs => ({ kind: "single_thread", steps, direction });
const STEPS = { kind: "single_thread", knob: "steps", series: "direction" } as const;

Deno.test("threadingRows() have the model and the knobs of their task", () => {
  const rows = threadingRows([runOf("a", [[thread(2, "forward"), 20]]), runOf("b", [[thread(2, "forward"), 0]])]);
  deepEqual(rows.map(({ model, knobs, length, score }) => [model, knobs["steps"], length, score]), [
    ["a", 2, 4096, 100],
    ["a", 2, 8192, 100],
    ["b", 2, 4096, 0],
    ["b", 2, 8192, 0],
  ]);
});

Deno.test("isAboveFloor() asks for an interval above 5 points, or of few samples for any score", () => {
  const [row] = threadingRows([runOf("a", [[thread(2, "forward"), 20]])]);
  const is = (low: number, score: number, n = 20): boolean => isAboveFloor({ ...row!, score, low, n });
  deepEqual([is(5, 20), is(4.9, 20), is(0, 50, 2), is(0, 0, 2)], [true, false, true, false]);
});

Deno.test("turnedRows() compare like with like at the longest length, and leave out what is at the floor", () => {
  const turned = [thread(2, "forward"), thread(9, "forward"), thread(2, "backward")];
  const other = { ...thread(5, "forward"), pairs: 4 };
  const rows = threadingRows([runOf("a", [...turned.map((knobs) => [knobs, 10] as const), [other, 10]])]);
  deepEqual(turnedRows(rows, STEPS).map(({ task, length }) => [task, length]), [
    ["single_thread 2 forward", 8192],
    ["single_thread 9 forward", 8192],
    ["single_thread 2 backward", 8192],
  ]);
  deepEqual(turnedRows(rows, { ...STEPS, kind: "multi_thread" }), []);
  deepEqual(turnedRows(threadingRows([runOf("a", turned.map((knobs) => [knobs, 0]))]), STEPS), []);
  deepEqual(
    turnedRows(threadingRows([runOf("a", [[thread(2, "forward"), 10]])]), STEPS),
    [],
    "one value is not turned",
  );
});

Deno.test("floorText() names what is above the floor, model by model", () => {
  const [easy, hard] = [thread(2, "forward"), thread(9, "forward")];
  const textOf = (asked: Parameters<typeof runOf>[1]): string => floorText(threadingRows([runOf("a", asked)]));
  equal(
    textOf([[easy, 10], [hard, 0]]),
    "a is above the floor in 2 of 4 pairs of task and length: single_thread 2 forward.",
  );
  equal(textOf([[easy, 10], [hard, 20]]), "a is above the floor in all 4 pairs of task and length.");
  equal(textOf([[easy, 0]]), "a is at the floor in every task and length.");
});
