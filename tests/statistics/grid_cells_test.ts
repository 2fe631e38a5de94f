import { deepEqual } from "node:assert/strict";
import { gridCells, type GriddedReply } from "@/lib/statistics/knob_rows.ts";

Deno.test("gridCells() sorts scores by size and difficulty, and leaves failed calls out", () => {
  const reply = (
    size: number,
    needles: number,
    value: number | null,
  ): GriddedReply<{ size: number; needles: number }> => ({ record: { size, needles }, value });
  const replies = [reply(2000, 5, 1), reply(1000, 25, 0), reply(1000, 5, 0.5), reply(2000, 5, 0), reply(1000, 2, null)];
  const cells = gridCells(replies, { size: ({ size }) => size, difficulty: ({ needles }) => needles });
  deepEqual(cells, [
    { size: 1000, difficulty: 5, scores: [0.5] },
    { size: 1000, difficulty: 25, scores: [0] },
    { size: 2000, difficulty: 5, scores: [1, 0] },
  ]);
});
