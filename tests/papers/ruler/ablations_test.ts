import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { markLabels } from "../../figures/_read_svg.ts";
import {
  ablationFigure,
  type AblationFigureOptions,
  ablationLines,
  ablationPanels,
  publishedAblationLines,
} from "@/lib/papers/ruler/ablations.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import type { ScoreLine } from "@/lib/papers/ruler/score_lines.ts";
import { RULER_STUDY_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { checkStudy, makeTasks, readStudyFile } from "@/lib/studies/mod.ts";

const TASKS = makeTasks(await readStudyFile("data/studies/03-ablations.yaml"));
const published = await openPublished();
const lines = publishedAblationLines(published);

const knobsOf = ({ options }: { readonly options: Readonly<Record<string, unknown>> }): string =>
  JSON.stringify(Object.entries(options).toSorted());

Deno.test("data/studies/03-ablations.yaml asks settings that RULER has as its own tasks, no task twice, and common words and ten frequent ones in no panel", () => {
  const own = new Map(RULER_STUDY_TASK_NAMES.map((name) => [knobsOf(rulerTask(name)), name]));
  for (const task of TASKS) {
    const name = own.get(knobsOf(task));
    ok(name === undefined || name === task.name, `${task.name} has the knobs of ${name}`);
    ok(name !== undefined || !RULER_STUDY_TASK_NAMES.some((each) => each === task.name));
  }
  equal(new Set(TASKS.map(({ name }) => name)).size, 31);
  const drawn = new Set(ablationPanels(TASKS).flatMap(({ series }) => series.map(({ task }) => task)));
  deepEqual(TASKS.map(({ name }) => name).filter((name) => !drawn.has(name)), [
    "fwe_10_words",
    "cwe",
    "cwe_no_example",
  ]);
});

Deno.test("ablationPanels() draws other settings too, and leaves out panels without any", () => {
  const panels = ablationPanels(makeTasks(checkStudy({
    tasks: [
      { task: "niah", name: "mine", haystack: "essay", keyType: "uuids", valueType: "words" },
      { task: "niah", name: "keys", haystack: "needle", keyType: "words", valueType: "uuids" },
      { task: "vt", grid: { chains: [1, 5], hops: [9] } },
      { task: "fwe", name: "alpha", alpha: 1.25 },
      "niah_multikey_1",
      "cwe",
    ],
  })));
  deepEqual(panels.map(({ panel, series }) => [panel, ...series.map(({ series, task }) => `${series} = ${task}`)]), [
    ["needle type", "K=U, V=W = mine"],
    ["keys", "#K=FULL, K=W, V=U = keys", "#K=4 = niah_multikey_1"],
    ["hops", "chain=1, hop=9 = vt chains=1 hops=9"],
    ["chains", "chain=5, hop=9 = vt chains=5 hops=9"],
    ["alpha", "alpha=1.25 = alpha"],
  ]);
});

Deno.test("publishedAblationLines() holds every digitised point of Figures 2 and 3", () => {
  const digitised = published.series.filter(({ figure }) => figure !== 4).length;
  equal(lines.flatMap(({ points }) => points).length, digitised);
  const chains = lines.find(({ series }) => series === "chain=3, hop=2");
  deepEqual([chains?.panel, chains?.points.at(-1)?.score], ["chains", 57.7]);
  const baseline = lines.find(({ series }) => series === "SQuAD w/o context");
  deepEqual([baseline?.panel, baseline?.points.map(({ score }) => score)], ["qa without context", [28.8]]);
});

Deno.test("ablationLines() leaves out what was not asked, and lengths at which every call failed", () => {
  const row = { task: "fwe", n: 4, failed: 0, noAnswer: 0 };
  const found = ablationLines([
    { ...row, length: 4096, score: 75, low: 30, high: 95 },
    { ...row, length: 8192, n: 0, failed: 4, score: null, low: null, high: null },
    { ...row, task: "qa_1_no_context", length: 512, score: 0, low: 0, high: 50 },
  ], ablationPanels(TASKS));
  deepEqual(found.map(({ panel, series, points }) => [panel, series, points.map(({ length }) => length)]), [
    ["alpha", "alpha=2.0", [4096]],
    ["qa without context", "SQuAD w/o context", [512]],
  ]);
  deepEqual(ablationLines([], ablationPanels(TASKS)), []);
});

const OPTIONS: AblationFigureOptions = {
  title: "A finding",
  caption: "How to read it.",
  figure: 2,
  origin: "published",
  n: "500 samples a point",
};

Deno.test.each([[2], [3]] as [2 | 3][])("ablationFigure() draws every digitised point of Figure %d", async (figure) => {
  const svg = await ablationFigure(lines, { ...OPTIONS, figure }).svg();
  const points = lines.filter(({ panel }) =>
    (figure === 2 ? ["needle type", "keys", "values", "queries"] : ["hops", "chains", "alpha", "qa"]).includes(panel)
  ).flatMap((line) => line.points.map(({ score }) => score));
  const drawn = markLabels(svg).filter((label) => /^[^:]*: \d/.test(label));
  ok(drawn.length >= points.length, `${drawn.length} of ${points.length}`);
});

Deno.test("ablationFigure() names the panels that it leaves out, and refuses to draw none", () => {
  const keys = lines.filter(({ panel }) => panel === "keys");
  match(ablationFigure(keys, OPTIONS).caption, /Not drawn, as they have no score: needle type, values, queries\./);
  equal(ablationFigure(lines, OPTIONS).caption, OPTIONS.caption);
  for (const none of [[], lines.map((line): ScoreLine => ({ ...line, points: [] }))]) {
    throws(() => ablationFigure(none, OPTIONS), {
      name: "RangeError",
      message:
        'Cannot draw "A finding" as a panel of needle type, keys, values, queries must have a score: current value is "none"',
    });
  }
});
