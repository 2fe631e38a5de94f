import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import {
  categoryTable,
  CORRELATION_CLAIMS,
  correlationFigure,
  correlationStudy,
  type ModelReplies,
  openPublished,
  publishedCorrelationStudy,
  taskTable,
} from "@/lib/papers/ruler/mod.ts";
import { RULER_STUDY_TASK_NAMES, RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = publishedCorrelationStudy(await openPublished());

/** Replies of models that differ, to tasks that fare alike by family. */
function drawMembers(
  options: { models?: number; samples?: number; tasks?: readonly string[] } = {},
): readonly ModelReplies[] {
  const { models = 4, samples = 3, tasks = RULER_STUDY_TASK_NAMES } = options;
  const draw = stream("correlation study test");
  return Array.from({ length: models }, (_, model) => ({
    model: `m${model}`,
    replies: tasks.flatMap((task) =>
      [4096, 8192, 16_384].flatMap((length, step) =>
        Array.from({ length: samples }, (_, index) => {
          const phase = task.charCodeAt(0) + task.length / 20;
          const value = 0.5 + 0.4 * Math.sin(phase + model * 2 + step) + 0.05 * draw();
          return { task, length, value, failed: false, noAnswer: false, record: { index } as RunRecord };
        })
      )
    ),
  }));
}

Deno.test("publishedCorrelationStudy() is Figure 5: 18 tasks of four categories, 13 kept", () => {
  equal(published.tasks.length, 18);
  equal(published.kept.length, 13);
  deepEqual([...new Set(Object.values(published.categories))], ["AG", "QA", "VT", "NIAH"]);
  equal(published.stability, null);
});

Deno.test("correlationStudy() names tasks as Figure 5 does, in its order, and measures their stability", () => {
  const study = correlationStudy(drawMembers(), { published, seed: "1", replicates: 20 });
  deepEqual(study.tasks, published.tasks);
  equal(study.stability?.tasks.length, 18);
  ok(study.matrix.flat().every((r) => r >= -1 && r <= 1));
});

Deno.test("correlationStudy() of a part of the tasks keeps what is kept of them", () => {
  const study = correlationStudy(drawMembers({ tasks: ["vt", "vt_2_chains", "cwe", "fwe"] }), {
    published,
    seed: "1",
    replicates: 20,
  });
  deepEqual(study.kept, ["a=2.0 (FWE)", "CWE", "chain=1, hop=4 (VT)"]);
});

Deno.test("correlationStudy() of one sample a cell has no stability", () => {
  equal(correlationStudy(drawMembers({ samples: 1 }), { published, seed: "1", replicates: 20 }).stability, null);
});

Deno.test("correlationStudy() refuses an empty run, calls that all failed, and an unknown task", () => {
  const study = (members: readonly ModelReplies[]) => () =>
    correlationStudy(members, { published, seed: "1", replicates: 20 });
  throws(study([]), { message: /there must be at least one score: current value is 0 of 0/ });
  const failed = drawMembers().map(({ model, replies }) => ({
    model,
    replies: replies.map((reply) => ({ ...reply, value: null, failed: true })),
  }));
  throws(study(failed), { name: "RangeError", message: /at least one score/ });
  throws(study(drawMembers({ tasks: ["vt", "cwe", "fwe", "fwe_alpha_3_5", "toString"] })), {
    message: /as each task must be one of .*: current value is "toString"/,
  });
});

Deno.test("a study of one sample at one length reports that there is too little to correlate", async () => {
  const members = drawMembers({ models: 1, samples: 1 }).map(({ model, replies }) => ({
    model,
    replies: replies.filter(({ length }) => length === 4096),
  }));
  const study = correlationStudy(members, { published, seed: "1", replicates: 20 });
  deepEqual([study.tasks, study.kept, study.stability, study.leftOut.length], [[], [], null, 18]);
  const drawn = { title: "Ours", origin: "measured", n: 1 } as const;
  const figure = correlationFigure(study, { ...drawn, caption: "Of the run.", unit: "r" });
  equal(figure.title, "Ours: too little to correlate");
  match(await figure.svg(), /18 tasks|left out/);
  for (const each of [categoryTable(study, drawn), taskTable(study, drawn)]) {
    match(each.text, /^too little to correlate$/m);
  }
  ok(checkClaims(CORRELATION_CLAIMS, study).every(({ verdict }) => verdict === "cannot tell"));
});

Deno.test("correlationStudy() scores an empty reply 0 and a failed call not at all", () => {
  const study = (last: { failed: boolean; noAnswer: boolean }) => {
    const reply = (task: string, length: number, value: number | null) => (
      { task, length, value, failed: false, noAnswer: false, record: { index: 0 } as RunRecord }
    );
    const replies = ["vt", "cwe"].flatMap((task) => [
      reply(task, 4096, 1),
      reply(task, 8192, 0.5),
      task === "vt" ? reply(task, 16_384, 0) : { ...reply(task, 16_384, null), ...last },
    ]);
    return correlationStudy([{ model: "a", replies }], { published, seed: "1", replicates: 20 });
  };
  deepEqual(study({ failed: false, noAnswer: true }).matrix, [[1, 1], [1, 1]]);
  match(JSON.stringify(study({ failed: true, noAnswer: false }).leftOut), /"CWE","reason":"2 scores"/);
});

Deno.test("correlationStudy() gives each of the eighteen tasks a label of its category, the thirteen kept ones kept labels", () => {
  const studyOf = (tasks: readonly string[]) =>
    correlationStudy(drawMembers({ tasks, samples: 1 }), { published, seed: "1", replicates: 20 });
  deepEqual(studyOf(RULER_TASK_NAMES).kept, published.kept);
  deepEqual(studyOf(RULER_TASK_NAMES).tasks.toSorted(), published.kept.toSorted());
  for (const [start, category] of Object.entries({ niah: "NIAH", vt: "VT", "[cf]we": "AG", qa: "QA" })) {
    const { tasks } = studyOf(RULER_STUDY_TASK_NAMES.filter((name) => new RegExp(`^${start}`).test(name)));
    ok(tasks.every((task) => published.categories[task] === category), tasks.join());
  }
});

/** Replies to the tasks of two categories; within a category tasks fare alike over models and lengths, but for noise. */
function drawCategories(noise: number): readonly ModelReplies[] {
  const draw = stream("cluster stability test", noise);
  const falls = (base: number) => (model: number, step: number) => base - 0.1 * step - 0.05 * model;
  const jumps = (base: number) => (model: number, step: number) => base + 0.1 * ((model * 5 + step * 3) % 7);
  const rates = {
    vt: falls(0.9),
    "vt_2_chains": falls(0.8),
    cwe: jumps(0.2),
    fwe: jumps(0.25),
    "fwe_alpha_3_5": jumps(0.3),
  };
  return [0, 1, 2, 3].map((model) => ({
    model: `m${model}`,
    replies: Object.entries(rates).flatMap(([task, rate]) =>
      [1, 2, 3].flatMap((step) =>
        [0, 1, 2, 3].map((index) => {
          const value = Math.max(0, Math.min(1, rate(model, step) + noise * (draw() - 0.5)));
          return { task, length: 4096 * step, value, failed: false, noAnswer: false, record: { index } as RunRecord };
        })
      )
    ),
  }));
}

const stabilityOf = (members: readonly ModelReplies[]) =>
  correlationStudy(members, { published, seed: "42", replicates: 100 }).stability!;

Deno.test("correlationStudy() finds clear categories in nearly every replicate, and none in noise", () => {
  const clear = stabilityOf(drawCategories(0.1));
  ok(clear.categories.every(({ ownShare }) => ownShare > 0.9));
  ok(clear.sameShare >= 0 && clear.sameShare <= 1);
  equal(Math.round(clear.tasks.reduce((sum, { keptShare }) => sum + keptShare, 0)), 3);
  equal(clear.tasks.find(({ task }) => task === "a=3.5 (FWE)")?.ownShare, 1);
  // Of its own category no other is kept.
  equal(clear.tasks.find(({ task }) => task === "chain=1, hop=4 (VT)")?.ownShare, null);
  ok(stabilityOf(drawCategories(20)).categories.every(({ ownShare }) => ownShare < 0.9));
  deepEqual(stabilityOf(drawCategories(0.1)), clear);
});

Deno.test("correlationStudy() sets the spread of correlations about them, though replicates are noisier", () => {
  for (const noise of [0.1, 0.5, 20]) {
    for (const { correlation: { score, low, high } } of stabilityOf(drawCategories(noise)).tasks) {
      ok(low <= score && score <= high && low < high && high <= 1, `${score} in ${low} to ${high}`);
    }
  }
});

Deno.test("correlationStudy() is free of NaN where a replicate makes a task constant", () => {
  // Only one of four samples of a task is ever right, and only on one model: some replicates do not draw it.
  const members = drawCategories(0.1).map(({ model, replies }) => ({
    model,
    replies: replies.map((reply) =>
      reply.task === "fwe" ? { ...reply, value: model === "m0" && reply.record.index === 0 ? 1 : 0 } : reply
    ),
  }));
  const numbers = JSON.stringify(stabilityOf(members)).replaceAll('"ownShare":null', "");
  ok(!numbers.includes("null"), "JSON writes NaN as null");
});
