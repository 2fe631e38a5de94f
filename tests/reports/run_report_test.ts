import { deepEqual, equal, match, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { FAILED } from "../records/_replies.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { checkPapers, runFailures, runReport } from "@/lib/reports/mod.ts";
import { runStudy, type StudyRun } from "@/lib/asking/mod.ts";
import { openMeasured, scoreRecords } from "@/lib/records/mod.ts";

async function ask(tasks: readonly string[] | string, profile: string, samples: number): Promise<StudyRun> {
  return await inFolder(async (folder) => {
    const study = checkStudy({ tasks, lengths: [4096, 8192], samples });
    return await runStudy(study, { name: "report", model: simulatedModel(profile), folder });
  });
}

Deno.test("runReport() of a whole benchmark has its groups, their effective lengths and its claims", async () => {
  const run = await ask("all", "ideal", 1);
  const { rows, board, checked, claims, curves, scores } = runReport(run, { checked: await checkPapers(run) });
  const means = rows.filter(({ task }) => task === "all 13 tasks");
  deepEqual(means.map(({ length, n, score }) => [length, n, score]), [[4096, 13, 100], [8192, 13, 100]]);
  equal(board[0]!.model, "all 13 tasks, RULER's threshold");
  equal(board[0]!.found, ">8K");
  deepEqual([checked, claims], [[], null]);
  match(scores!.text, /all 13 tasks +100\.0 \[/);
  deepEqual(curves!.origins, ["simulated"]);
  // The threshold is for the mean of all, wherever its group is in the list.
  const benchmarks = BENCHMARKS.map((each) => ({ ...each, groups: (each.groups ?? []).toReversed() }));
  const judged = runReport({ ...run, benchmarks }).board.filter(({ model }) => model.endsWith("RULER's threshold"));
  deepEqual(judged.map(({ model }) => model), ["all 13 tasks, RULER's threshold"]);
});

Deno.test("runReport() has the claims of a whole benchmark that a real model was asked", async () => {
  const [run] = await openMeasured({ benchmark: "ruler", model: "gemma-3-270m" });
  const { checked, claims } = runReport(run!, { checked: await checkPapers(run!) });
  ok(checked.some(({ verdict }) => verdict !== "cannot tell"));
  match(claims!.text, /R11/);
});

Deno.test("runReport() has the groups that were asked whole, and those of one task where the benchmark was", async () => {
  const run = await ask(["niah_single_1", "vt"], "ideal", 1);
  const groups = [
    { name: "pair", tasks: ["niah_single_1", "vt"] },
    { name: "lone", tasks: ["vt"] },
    { name: "half", tasks: ["vt", "cwe"] },
  ];
  const namesOf = (tasks: readonly string[]): readonly string[] => {
    const benchmarks = [{ ...BENCHMARKS[0]!, tasks, groups, claims: [] }];
    return [...new Set(runReport({ ...run, benchmarks }).rows.map(({ task }) => task))].slice(2);
  };
  deepEqual(namesOf(["niah_single_1", "vt", "cwe"]), ["pair"]);
  deepEqual(namesOf(["niah_single_1", "vt"]), ["pair", "lone"]);
});

Deno.test("runReport() of some tasks has their mean, and no claim", async () => {
  const run = await ask(["niah_single_1", "vt"], "longchat", 2);
  const { rows, board, claims, timeRows, outcomes } = runReport(run, { checked: await checkPapers(run) });
  deepEqual([...new Set(rows.map(({ task }) => task))], ["niah_single_1", "vt", "mean of 2 tasks"]);
  deepEqual(board.map(({ model }) => model), [
    "mean of 2 tasks, RULER's threshold",
    "niah_single_1, 85% of its own",
    "vt, 85% of its own",
    "mean of 2 tasks, 85% of its own",
  ]);
  deepEqual([claims, timeRows], [null, []]); // the simulated reader takes no time
  match(outcomes.text, /answered +8 +100\.0/);
});

Deno.test("runReport() of failed calls alone has no figure and no effective length", async () => {
  const run = await ask(["vt"], "ideal", 1);
  const replies = run.replies.map((reply) => ({ ...reply, value: null, score: null, failed: true }));
  const { curves, cells, lengths, outcomes } = runReport({ ...run, replies });
  deepEqual([curves, cells, lengths], [null, null, null]);
  ok(/failed call +2 /.test(outcomes.text));
});

Deno.test("runReport() marks cells whose calls failed, tells their kinds, and what an effective length rests on", async () => {
  const run = await ask(["vt"], "ideal", 2);
  const longest = Math.max(...run.replies.map(({ length }) => length));
  const failure = { ...FAILED, failure: "context_length" } as const;
  const records = run.replies.map(({ record }) => record.length === longest ? { ...record, reply: failure } : record);
  const { scores, lengths, rows, board } = runReport({ ...run, replies: scoreRecords(records) });
  match(scores!.text, /— †2/);
  match(scores!.text, /† marks the number of failed calls of a cell/);
  match(lengths!.text, /Refused as too long[^]*: all 2/);
  deepEqual(rows.map(({ failed, refused }) => [failed, refused]), [[0, undefined], [2, 2]]);
  deepEqual(board[0]!.refused, [{ length: longest, n: 0, refused: 2 }]);
  const whole = runReport(run);
  ok(!/†|Refused/.test(`${whole.scores!.text}${whole.lengths!.text}`));
});

Deno.test("runReport() and runFailures() of a run without replies say what was asked, and score nothing", async () => {
  const empty = { ...await ask(["vt"], "ideal", 1), replies: [] };
  const { overview, outcomes, scores, lengths, curves, cells } = runReport(empty);
  match(overview.text, /Tasks +vt/);
  match(outcomes.text, /answered +0 /);
  deepEqual([scores, lengths, curves, cells], [null, null, null, null]);
  deepEqual((await runFailures(empty)).rows, []);
});

Deno.test("runReport() judges by RULER's threshold the mean of RULER's own tasks, and of no other suite", async () => {
  const [run] = await openMeasured({ benchmark: "ruler", model: "smollm2-135m-instruct" });
  const judged = ["ruler-2", "ruler-file", "own-1", "ruler2-1"].map((suite) => {
    const tasks = Object.entries(run!.manifest.tasks).map(([name, about]) => [name, { ...about, suite }]);
    const { board } = runReport({ ...run!, manifest: { ...run!.manifest, tasks: Object.fromEntries(tasks) } });
    return board.some(({ model }) => model.endsWith("RULER's threshold"));
  });
  deepEqual(judged, [true, true, false, false]);
});
