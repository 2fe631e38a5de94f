import { deepEqual, equal } from "node:assert/strict";
import type { Model } from "@/lib/models/mod.ts";
import { checkStudy, replyRows, runStudy, simulatedModel, type StudyRun } from "@/lib/runs/mod.ts";

async function ask(model: Model, tasks: readonly string[]): Promise<StudyRun> {
  const folder = await Deno.makeTempDir();
  try {
    return await runStudy(checkStudy({ tasks, lengths: [2048], samples: 1 }), { name: "rows", model, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("replyRows() is a row a reply, with depth where there is one target and the way of failing where there is one", async () => {
  const run = await ask(simulatedModel("mute"), ["niah_single_1", "vt"]);
  const rows = await replyRows(run);
  deepEqual(rows.map(({ task, score, failure, reply }) => [task, score, failure, reply]), [
    ["niah_single_1", 0, "empty", ""],
    ["vt", 0, "empty", ""],
  ]);
  equal(typeof rows[0]?.depth, "number");
  equal(rows[1]?.depth, null);
  deepEqual(rows[0]?.wanted, run.replies[0]?.record.references.join(" | "));
});

Deno.test("replyRows() says of a failed call what failed, and gives it no score", async () => {
  const failure = { kind: "failure", failure: "timeout", message: "No reply came", latencyMs: 9, attempts: 3 } as const;
  const run = await ask({ ...simulatedModel("ideal"), ask: () => Promise.resolve(failure) }, ["niah_single_1"]);
  const [row] = await replyRows(run);
  deepEqual([row?.score, row?.penalised, row?.why, row?.failure, row?.finish, row?.reply], [
    ...[null, null, "timeout: No reply came", "failed call", null, ""],
  ]);
});
