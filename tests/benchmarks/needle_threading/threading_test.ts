import { deepEqual, equal } from "node:assert/strict";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";

Deno.test("THREADING.make() leaves room for each value asked for, of needles and of threads alike", () => {
  const roomFor = (knobs: Parameters<typeof THREADING.make>[0]): number => THREADING.make(knobs).answerRoom;
  const rooms = [1, 2, 3, 5].map((needles) => roomFor({ kind: "multi_needle", needles }));
  deepEqual(rooms, rooms.toSorted((left, right) => left - right));
  equal(new Set(rooms).size, 4);
  deepEqual([1, 2, 3, 5].map((threads) => roomFor({ kind: "multi_thread", threads })), rooms);
  deepEqual([roomFor({ kind: "single_needle" }), roomFor({ kind: "single_thread", steps: 7 })], [rooms[0], rooms[0]]);
});
