import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { FAILED } from "../records/_replies.ts";
import { JUPYTER_DISPLAY } from "@/lib/figures/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { failureFigure, runFailures } from "@/lib/reports/mod.ts";
import { type ScoredRun, scoreRecords } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";

const study = checkStudy({ tasks: ["niah_multikey_2", "vt", "qa_1"], lengths: [1024, 2048], samples: 3 });

async function withRun(model: Model, use: (run: ScoredRun, folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await use(await runStudy(study, { name: "run", model, folder }), folder);
  });
}

/** A model that says the same to everything. */
function saying(text: string): Model {
  const ask: Model["ask"] = () =>
    Promise.resolve({ kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 });
  return { ...simulatedModel("ideal"), name: "one-answer", ask };
}

Deno.test("runFailures() makes the samples of wrong replies again and leaves right ones alone", async () => {
  await withRun(simulatedModel("longalpaca"), async (run) => {
    const { replies, notes } = await runFailures(run);
    deepEqual(notes, []);
    equal(replies.length, run.replies.length);
    ok(replies.some(({ modes }) => modes.length > 0));
    for (const { value, modes } of replies) equal(modes.length > 0, value !== 1);
  });
});

Deno.test("runFailures() compares with the answer that was given without context", async () => {
  await withRun(saying(" Marie Curie"), async (run) => {
    const { replies } = await runFailures(run, {
      closedBookAnswer: ({ task }) => task === "qa_1" ? "Marie Curie" : undefined,
    });
    const ofTask = (task: string): unknown[] =>
      replies.filter((reply) => reply.task === task).map(({ modes }) => modes[0]?.class);
    deepEqual(ofTask("qa_1"), Array(6).fill("prior knowledge"));
    deepEqual(new Set(ofTask("niah_multikey_2")), new Set(["wrong format"]));
  });
});

Deno.test("runFailures() finds the answers without context in the run itself", async () => {
  const alone = { task: "qa", name: "qa_alone", knobs: { hops: 1, documents: 0 } };
  const both = checkStudy({ tasks: ["qa_1", alone], lengths: [2048], samples: 3 });
  const run = await inFolder((folder) => runStudy(both, { name: "run", model: saying(" Marie Curie."), folder }));
  const { replies } = await runFailures(run);
  const classes = replies.map(({ task, modes }) => [task, modes[0]?.class]);
  deepEqual(classes.filter(([task]) => task === "qa_1"), Array(3).fill(["qa_1", "prior knowledge"]));
  deepEqual(classes.filter(([task]) => task === "qa_alone"), Array(3).fill(["qa_alone", "other answer"]));
});

Deno.test("runFailures() explains nothing where the sample is not the text that was asked, and says so", async () => {
  await withRun(saying(""), async (run) => {
    const replies = run.replies.map((reply) => ({ ...reply, record: { ...reply.record, sha256: "0".repeat(64) } }));
    const explained = await runFailures({ ...run, replies });
    ok(explained.replies.every(({ modes }) => modes.length === 0));
    match(explained.notes[0]!, /^18 failures cannot be explained as the recipe is the same and the text is not/);
  });
});

Deno.test("runFailures() explains failed calls without making their samples again", async () => {
  await withRun(saying(""), async (run) => {
    const replies = run.replies.map(({ record }) => ({ ...record, reply: FAILED, sha256: "" }));
    const explained = await runFailures({ ...run, replies: scoreRecords(replies) });
    deepEqual(explained.notes, []);
    deepEqual(explained.replies[0]?.modes[0]?.why, "timeout: late");
  });
});

Deno.test("runFailures() refuses a run of a task that there is none of", async () => {
  await withRun(saying(""), async (run) => {
    const opened = await openStudy({ ...study, tasks: [{ task: "cwe" }] });
    await rejects(runFailures(run, { opened }), { name: "RangeError" });
  });
});

Deno.test("runFailures() shows replies of different tasks and lengths for each failure class, cut and escaped", async () => {
  await withRun(saying("<b>a\u001b[31m</b>\n".repeat(20)), async (run) => {
    const { shown } = await runFailures(run, { each: 2 });
    for (const [, ofClass] of Map.groupBy(shown, (reply) => reply.class)) {
      const cells = new Set(ofClass.map(({ task, length }) => `${task} ${length}`));
      equal(cells.size, ofClass.length);
    }
    match(shown[0]!.reply, /^<b>a\\u\{1b\}\[31m<\/b>\\n<b>.*… \(\d+ characters\) ….*<\/b>\\n$/);
    ok(shown.every(({ wanted }) => wanted.length > 0));
  });
});

Deno.test("failureFigure() shows how a run failed, in a figure and in replies, both said to be simulated", async () => {
  const small = checkStudy({ tasks: ["niah_multikey_3", "cwe"], lengths: [2048, 4096], samples: 3 });
  const model = simulatedModel("longalpaca");
  const run = await inFolder((folder) => runStudy(small, { name: "run", model, folder }));
  const { figure, table, rows, replies, notes } = await failureFigure(run, { each: 1 });
  deepEqual(notes, []);
  const failures = replies.filter(({ modes }) => modes.length > 0);
  equal(failures.length, rows.reduce((sum, row) => sum + row.failures, 0));
  ok(failures.length > 0);
  match(figure.title, new RegExp(`^${failures.length} of 12 replies failed`));
  deepEqual([figure.origins, table.origins], [["simulated"], ["simulated"]]);
  ok(Object.keys(await figure[JUPYTER_DISPLAY]()).includes("image/svg+xml"));
});

Deno.test("failureFigure() escapes what a model wrote", async () => {
  await withRun(saying("<script>alert(1)</script> | *x*"), async (run) => {
    const { html, markdown, text } = (await failureFigure(run)).table;
    ok(!html.includes("<script>") && html.includes("&lt;script&gt;"));
    ok(!markdown.includes("<script>"));
    match(text, /vt, 1K, 0/);
  });
});
