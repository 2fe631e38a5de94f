import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { depthFigure, placeReplies } from "@/lib/reports/mod.ts";
import { runStudy, type StudyRun } from "@/lib/asking/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";

async function ask(tasks: readonly unknown[], samples = 2, length = 1024, profile = "ideal"): Promise<StudyRun> {
  const study = checkStudy({ tasks, lengths: [length], samples });
  return await inFolder((folder) => runStudy(study, { name: "depths", model: simulatedModel(profile), folder }));
}

Deno.test("placeReplies() gives the depth that a needle was put at", async () => {
  const tasks = [0, 0.5, 1].map((depth) => ({ task: "niah", name: `at_${depth}`, depth, haystack: "noise" }));
  const { replies, skipped } = await placeReplies(await ask(tasks, 1));
  deepEqual(skipped, []);
  deepEqual([replies[0]?.depth, replies[2]?.depth], [0, 1]);
  ok(Math.abs(replies[1]!.depth - 0.5) < 0.05);
});

Deno.test("placeReplies() leaves out tasks with several targets or none in one place, and says so", async () => {
  const { replies, skipped } = await placeReplies(await ask(["niah_single_1", "niah_multivalue", "fwe"], 1));
  deepEqual(replies.map(({ task }) => task), ["niah_single_1"]);
  deepEqual(skipped, [
    { task: "niah_multivalue", why: "it asks for 4 facts" },
    { task: "fwe", why: "it asks for 3 facts" },
  ]);
});

Deno.test("placeReplies() takes the depth that a record keeps, which is that of its sample", async () => {
  const run = await ask(["niah_single_1", "vt"]);
  const kept = run.replies.map(({ record }) => record.targetDepth);
  deepEqual(kept.map((depth) => typeof depth), ["number", "number", "undefined", "undefined"]);
  const older = run.replies.map((reply) => {
    const { targetDepth: _, ...record } = reply.record;
    return { ...reply, record };
  });
  const [now, before] = await Promise.all([placeReplies(run), placeReplies({ ...run, replies: older })]);
  deepEqual(now.replies.map(({ depth }) => depth), before.replies.map(({ depth }) => depth));
  deepEqual(now.skipped, before.skipped);
});

Deno.test("placeReplies() leaves out a sample that is not the text that was asked, with a note", async () => {
  const run = await ask(["niah_single_1"]);
  const [first, second] = run.replies;
  const { targetDepth: _, ...older } = first!.record;
  const changed = { ...first!, record: { ...older, sha256: "0".repeat(64) } };
  const { replies, notes } = await placeReplies({ ...run, replies: [changed, second!] });
  equal(replies.length, 1);
  equal(notes.length, 1);
  match(notes[0]!, /^1 replies have no depth as the recipe is the same and the text is not/);
});

Deno.test("placeReplies() refuses a run whose task is none of its study's", async () => {
  const run: ScoredRun = await ask(["niah_single_1"], 1);
  const { targetDepth: _, ...record } = run.replies[0]!.record;
  const other = { ...run.replies[0]!, task: "vt", record: { ...record, task: "vt" } };
  await rejects(placeReplies({ ...run, replies: [other] }), {
    name: "RangeError",
    message: /its task must be one of niah_single_1: current value is "vt"/,
  });
});

Deno.test("depthFigure() finds the place that a simulated reader loses, and names it in the title", async () => {
  const { thirds, figure, table, rows, replies } = await depthFigure(
    await ask(["niah_multikey_1"], 120, 4096, "lost-in-the-tail"),
  );
  equal(thirds.lost, "last");
  equal(figure?.title, thirds.finding);
  deepEqual(figure?.origins, ["simulated"]);
  deepEqual(table?.origins, ["simulated"]);
  equal(rows.reduce((sum, { n }) => sum + n, 0), replies.length);
});

Deno.test("depthFigure() of a run without a task that has one target has no figure, and says why", async () => {
  const { figure, table, thirds, notes } = await depthFigure(await ask(["vt"]));
  deepEqual([figure, table, thirds.lost], [null, null, null]);
  deepEqual(notes, ["vt is left out as it asks for 5 facts"]);
  ok(thirds.finding.startsWith("No two thirds"));
});
