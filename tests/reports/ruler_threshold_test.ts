import { deepEqual } from "node:assert/strict";
import { runReport } from "@/lib/reports/mod.ts";
import { openMeasured } from "@/lib/records/mod.ts";

Deno.test("runReport() judges by RULER's threshold the mean of RULER's own tasks, and of no other suite", async () => {
  const [run] = await openMeasured({ benchmark: "ruler", model: "smollm2-135m-instruct" });
  const judged = ["ruler-2", "ruler-file", "own-1", "ruler2-1"].map((suite) => {
    const tasks = Object.entries(run!.manifest.tasks).map(([name, about]) => [name, { ...about, suite }]);
    const { board } = runReport({ ...run!, manifest: { ...run!.manifest, tasks: Object.fromEntries(tasks) } });
    return board.some(({ model }) => model.endsWith("RULER's threshold"));
  });
  deepEqual(judged, [true, true, false, false]);
});
