import { clusterAnswer, clusterSentence, CORRELATION_CLAIMS } from "@/lib/papers/ruler/correlation_claims.ts";
import {
  categoryClusters,
  categoryTable,
  correlationFigure,
  type CorrelationStudy,
  correlationStudy,
  type ModelReplies,
  openCorrelationStudy,
} from "@/lib/papers/ruler/correlation_study.ts";
import { RULER_STUDY_TASK_NAMES, RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { openMeasured, type RunRecord } from "@/lib/records/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { writtenTexts } from "../../figures/_read_svg.ts";

const published = await openCorrelationStudy();

/** Replies of models that differ, to tasks that fare alike by family. */
function drawMembers(
  options: { models?: number; samples?: number; tasks?: readonly string[] } = {},
): readonly ModelReplies[] {
  const { models = 4, samples = 3, tasks = RULER_STUDY_TASK_NAMES } = options;
  const draw = stream("correlation study test");
  return Array.from({ length: models }, (_, model) => ({
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

Deno.test("correlationStudy() leaves out tasks that Figure 5 lacks, and has none of an empty run or of failed calls", () => {
  const study = (members: readonly ModelReplies[]) => correlationStudy(members, published);
  deepEqual([study([]).tasks, study([]).leftOut], [[], []]);
  const failed = drawMembers().map(({ replies }) => ({
    replies: replies.map((reply) => ({ ...reply, value: null, failed: true })),
  }));
  deepEqual([study(failed).tasks, study(failed).leftOut.length], [[], 18]);
  const { tasks, leftOut } = study(drawMembers({ tasks: ["vt", "cwe", "vt_no_example", "toString"] }));
  deepEqual([tasks, leftOut], [["CWE", "chain=1, hop=4 (VT)"], []]);
});

Deno.test("correlationStudy() takes two runs of one model as two", () => {
  const members = drawMembers({ models: 2 });
  deepEqual(correlationStudy(members, published).matrix.length, 18);
  equal(correlationStudy(members, published).models, 2);
});

Deno.test("a study of one sample at one length reports that there is too little to correlate", async () => {
  const members = drawMembers({ models: 1, samples: 1 }).map(({ replies }) => ({
    replies: replies.filter(({ length }) => length === 4096),
  }));
  const study = correlationStudy(members, published);
  deepEqual([study.tasks, study.kept, study.leftOut.length], [[], [], 18]);
  const drawn = { title: "Ours", origin: "measured", n: 1 } as const;
  const figure = correlationFigure(study, { ...drawn, caption: "Of the run.", unit: "r" });
  equal(figure.title, "Ours: too little to correlate");
  match(await figure.svg(), /18 tasks|left out/);
  match(categoryTable(study, drawn).text, /^too little to correlate$/m);
  ok(checkClaims(CORRELATION_CLAIMS, study).every(({ verdict }) => verdict === "cannot tell"));
  match(clusterSentence(study), /^Too little to correlate/);
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
    return correlationStudy([{ replies }], published);
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

Deno.test("correlationFigure() draws Figure 5 in its own order, the five removed tasks marked", async () => {
  const options = {
    title: "A figure",
    caption: "How to read it.",
    origin: "published",
    n: "8 models",
    unit: "r",
  } as const;
  const texts = writtenTexts(await correlationFigure(published, options).svg());
  deepEqual(
    texts.filter((text) => published.tasks.includes(text)).toSorted(),
    [
      ...published.tasks,
      ...published.kept,
    ].toSorted(),
  );
  const removed = texts.filter((text) => text.startsWith("✗ ")).map((text) => text.slice(2));
  deepEqual(removed, published.tasks.filter((task) => !published.kept.includes(task)));
});

Deno.test("categoryClusters() of Figure 5: two categories are clusters, all more similar within", () => {
  const found = categoryClusters(published);
  deepEqual(found.map(({ category, size, linkages }) => [category, size, linkages]), [
    ["AG", 3, 0],
    ["QA", 2, 7],
    ["VT", 2, 6],
    ["NIAH", 11, 0],
  ]);
  ok(found.every(({ within, between }) => within! > between!));
  // The mean of the three pairs of aggregation, by hand: 0.800, 0.439 and 0.537.
  equal(found[0]!.within!.toFixed(4), ((0.8 + 0.439 + 0.537) / 3).toFixed(4));
});

/** Two categories that could not be clearer, one task of them removed. */
const CLEAR: CorrelationStudy = {
  tasks: ["a1", "a2", "a3", "b1", "b2"],
  matrix: [
    [1, 0.9, 0.95, 0, 0],
    [0.9, 1, 0.9, 0.1, 0],
    [0.95, 0.9, 1, 0, 0],
    [0, 0.1, 0, 1, 0.8],
    [0, 0, 0, 0.8, 1],
  ],
  leftOut: [],
  categories: { a1: "A", a2: "A", a3: "A", b1: "B", b2: "B" },
  kept: ["a1", "a2", "b1", "b2"],
  models: 8,
  tolerance: 0,
};

Deno.test("CORRELATION_CLAIMS hold where categories are clusters and the removed task is the redundant one", () => {
  const verdicts = checkClaims(CORRELATION_CLAIMS, CLEAR).map(({ verdict }) => verdict);
  deepEqual(verdicts, ["holds", "holds"]);
});

Deno.test("CORRELATION_CLAIMS are open if there is nothing to compare, and of few models", () => {
  const kept = { ...CLEAR, kept: CLEAR.tasks };
  const one = { ...CLEAR, categories: { a1: "A", a2: "A", a3: "A", b1: "A", b2: "A" } };
  equal(checkClaims(CORRELATION_CLAIMS, one)[0]!.verdict, "cannot tell");
  for (const study of [kept, { ...CLEAR, kept: [] }, { ...CLEAR, models: 4 }]) {
    const checked = checkClaims(CORRELATION_CLAIMS, study);
    equal(checked[1]!.verdict, "cannot tell");
    ok(checked.every(({ observed }) => !/NaN|Infinity|undefined/.test(observed)));
  }
  match(clusterSentence({ ...CLEAR, models: 4 }), /It takes the scores of 5 models, and these are of 4/);
});

Deno.test("clusterSentence() says by how many linkages each category is a cluster", () => {
  equal(
    clusterSentence(published),
    "Question answering forms a cluster under every linkage, variable tracking under six of seven; aggregation and the needles never do.",
  );
  equal(clusterSentence(CLEAR), "A and B form clusters under every linkage.");
  const crossed = { ...CLEAR, categories: { a1: "A", a2: "B", a3: "A", b1: "B", b2: "A" } };
  equal(clusterSentence(crossed), "No category forms a cluster under any linkage.");
  // A category of one task is always a branch of the tree, which says nothing.
  const single = { ...CLEAR, categories: { a1: "A", a2: "A", a3: "A", b1: "B", b2: "C" } };
  equal(clusterSentence(single), "A forms a cluster under every linkage.");
});

Deno.test("clusterAnswer() begins with whether all, some or none of the categories are clusters", () => {
  match(
    clusterAnswer(published),
    /^Only in part: question answering forms .* never do\. But tasks resemble their own .* in every category\.$/,
  );
  equal(clusterAnswer(CLEAR), "Yes. A and B form clusters under every linkage.");
  const crossed = { ...CLEAR, categories: { a1: "A", a2: "B", a3: "A", b1: "B", b2: "A" } };
  match(clusterAnswer(crossed), /^No: no category forms a cluster .* in 0 of 2 categories\.$/);
});

Deno.test("Figure 5's matrix is symmetric with a diagonal of 1", () => {
  equal(published.matrix.length, 18);
  published.matrix.forEach((row, place) => {
    equal(row[place], 1);
    row.forEach((value, other) => equal(value, published.matrix[other]![place]));
  });
});

Deno.test("both measured models were asked all 18 tasks of the study: the 13 kept ones, and the 5 others in runs of their own", async () => {
  const [kept, others] = await Promise.all(
    ["ruler", "ruler_configurations"].map((benchmark) => openMeasured({ benchmark })),
  );
  deepEqual(others!.map(({ manifest }) => manifest.settings["model"]), kept!.map(({ manifest }) => manifest.model));
  for (const { replies, manifest } of others!) {
    const asked = kept!.find(({ manifest: { model } }) => model === manifest.settings["model"])!;
    const { tasks, leftOut, models } = correlationStudy([{ replies: [...asked.replies, ...replies] }], published);
    equal(tasks.length + leftOut.length, 18);
    equal(models, 1);
    const cells = [...Map.groupBy(replies, ({ task, length }) => `${task} ${length}`).values()];
    ok(cells.length >= 5 && cells.every((cell) => cell.length >= 24));
    equal(manifest.measured?.weights.sha256, asked.manifest.measured?.weights.sha256);
  }
});
