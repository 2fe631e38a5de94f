import {
  categoryTable,
  CORRELATION_CLAIMS,
  correlationFigure,
  type CorrelationFigureOptions,
  type CorrelationStudy,
  correlationStudy,
  type ModelReplies,
  publishedCorrelationStudy,
  taskTable,
} from "@/lib/papers/ruler/correlation_study.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { RULER_STUDY_TASK_NAMES, RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import type { RunRecord } from "@/lib/records/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";
import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { writtenTexts } from "../../figures/_read_svg.ts";

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

Deno.test("correlationStudy() refuses an empty run, calls that all failed, and an unknown task", () => {
  const study = (members: readonly ModelReplies[]) => () => correlationStudy(members, published);
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
  const study = correlationStudy(members, published);
  deepEqual([study.tasks, study.kept, study.leftOut.length], [[], [], 18]);
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
    return correlationStudy([{ model: "a", replies }], published);
  };
  deepEqual(study({ failed: false, noAnswer: true }).matrix, [[1, 1], [1, 1]]);
  match(JSON.stringify(study({ failed: true, noAnswer: false }).leftOut), /"CWE","reason":"2 scores"/);
});

Deno.test("correlationStudy() gives each of the eighteen tasks a label of its category, the thirteen kept ones kept labels", () => {
  const studyOf = (tasks: readonly string[]) => correlationStudy(drawMembers({ tasks, samples: 1 }), published);
  deepEqual(studyOf(RULER_TASK_NAMES).kept, published.kept);
  deepEqual(studyOf(RULER_TASK_NAMES).tasks.toSorted(), published.kept.toSorted());
  for (const [start, category] of Object.entries({ niah: "NIAH", vt: "VT", "[cf]we": "AG", qa: "QA" })) {
    const { tasks } = studyOf(RULER_STUDY_TASK_NAMES.filter((name) => new RegExp(`^${start}`).test(name)));
    ok(tasks.every((task) => published.categories[task] === category), tasks.join());
  }
});

const OPTIONS: CorrelationFigureOptions = {
  title: "A finding",
  caption: "How to read it.",
  origin: "published",
  n: "8 models",
  unit: "r, rescaled",
};

Deno.test("correlationFigure() draws Figure 5 in its own order, the five removed tasks in red", async () => {
  const svg = await correlationFigure(published, OPTIONS).svg();
  const labels = writtenTexts(svg).filter((text) => published.tasks.includes(text));
  equal(labels.slice(0, 18).join(), published.tasks.join());
  // Each is at its row and at its column.
  equal([...svg.matchAll(/fill="#c1121f"/g)].length, 10);
});

/** Two categories that could not be clearer, one task of them removed. */
const CLEAR: CorrelationStudy = {
  tasks: ["a1", "a2", "a3", "b1"],
  matrix: [[1, 0.9, 0.95, 0], [0.9, 1, 0.9, 0.1], [0.95, 0.9, 1, 0], [0, 0.1, 0, 1]],
  leftOut: [],
  categories: { a1: "A", a2: "A", a3: "A", b1: "B" },
  kept: ["a1", "a2", "b1"],
  tolerance: 0,
};

Deno.test("CORRELATION_CLAIMS hold where categories are clusters and the removed task is the redundant one", () => {
  const verdicts = checkClaims(CORRELATION_CLAIMS, CLEAR).map(({ verdict }) => verdict);
  deepEqual(verdicts, ["cannot tell", "holds", "holds", "holds"]);
});

Deno.test("CORRELATION_CLAIMS are open if there is nothing to compare, without NaN", () => {
  const kept = { ...CLEAR, kept: CLEAR.tasks };
  const one = { ...CLEAR, categories: { a1: "A", a2: "A", a3: "A", b1: "A" } };
  equal(checkClaims(CORRELATION_CLAIMS, one)[1]!.verdict, "cannot tell");
  for (const study of [kept, { ...CLEAR, kept: [] }]) {
    const checked = checkClaims(CORRELATION_CLAIMS, study);
    equal(checked[3]!.verdict, "cannot tell");
    ok(checked.every(({ observed }) => !/NaN|Infinity|undefined/.test(observed)));
  }
});
