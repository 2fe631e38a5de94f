import { deepEqual, equal } from "node:assert/strict";
import { checkStudy, knobGrid, makeTasks } from "@/lib/runs/mod.ts";

Deno.test("knobGrid() lists every combination once, each with a name of its own", () => {
  const grid = knobGrid(
    { task: "threading", name: "threads", knobs: { kind: "single_thread" } },
    { steps: [2, 5, 25], direction: ["forward", "backward"] },
  );
  equal(grid.length, 6);
  equal(new Set(grid.map(({ name }) => name)).size, 6);
  deepEqual(grid[3], {
    task: "threading",
    name: "threads steps=5 direction=backward",
    knobs: { kind: "single_thread", steps: 5, direction: "backward" },
  });
});

Deno.test("knobGrid() gives tasks that a study can make", () => {
  const tasks = makeTasks(checkStudy({ tasks: knobGrid({ task: "niah" }, { keys: [1, 8] }) }));
  deepEqual(tasks.map(({ name, options }) => [name, options["keys"]]), [["niah keys=1", 1], ["niah keys=8", 8]]);
});

Deno.test("knobGrid() leaves a task as it is where no knob is turned", () => {
  deepEqual(knobGrid({ task: "vt" }, {}), [{ task: "vt", name: "vt" }]);
});
