import { deepEqual, equal, match, ok } from "node:assert/strict";
import { markLabels } from "../../figures/_read_svg.ts";
import { scoresOf } from "./_ablation_scores.ts";
import {
  type AblationFigureOptions,
  ablationFigures,
  closedBookLines,
  openAblations,
  panelLines,
  type PanelName,
} from "@/lib/papers/ruler/ablations.ts";
import { RULER_STUDY_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Evidence } from "@/lib/statistics/mod.ts";
import { checkStudy, makeTasks, readStudyFile } from "@/lib/studies/mod.ts";

const TASKS = makeTasks(await readStudyFile("data/studies/03-ablations.yaml"));
const published = await openAblations();
const PANELS: readonly PanelName[] = ["needle type", "keys", "values", "queries", "hops", "chains", "alpha", "qa"];

/** The lines of each panel as `keys #K=4 = niah_multikey_1`. */
function linesOf(rows: readonly Evidence[]): readonly string[] {
  return PANELS.flatMap((panel) =>
    panelLines(rows, panel).map(({ series, points }) => `${panel} ${series} = ${points[0]!.task}`)
  );
}

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
  const isDrawn = (name: string): boolean => linesOf(scoresOf(name, 50)).length > 0;
  deepEqual(TASKS.map(({ name }) => name).filter((name) => !isDrawn(name)), [
    "fwe_10_words",
    "cwe",
    "cwe_no_example",
  ]);
});

Deno.test("panelLines() has other settings too", () => {
  const tasks = makeTasks(checkStudy({
    tasks: [
      { task: "niah", name: "mine", haystack: "essay", keyType: "uuids", valueType: "words" },
      { task: "niah", name: "keys", haystack: "needle", keyType: "words", valueType: "uuids" },
      { task: "vt", grid: { chains: [1, 5], hops: [9] } },
      { task: "fwe", name: "alpha", alpha: 1.25 },
      "niah_multikey_1",
      "cwe",
    ],
  }));
  const [row] = scoresOf("vt", 50);
  const rows = tasks.map(({ name, options }) => ({ ...row!, task: name, knobs: options }));
  deepEqual(linesOf(rows), [
    "needle type K=U, V=W = mine",
    "keys #K=FULL, K=W, V=U = keys",
    "keys #K=4 = niah_multikey_1",
    "hops chain=1, hop=9 = vt chains=1 hops=9",
    "chains chain=5, hop=9 = vt chains=5 hops=9",
    "alpha alpha=1.25 = alpha",
  ]);
});

Deno.test("openAblations() has every digitised point of Figures 2 and 3, each in its panels", () => {
  equal(published.length, 28 * 8 + 2);
  equal(linesOf(published).length, 31);
  const chains = panelLines(published, "chains").find(({ series }) => series === "chain=3, hop=2");
  equal(chains?.points.at(-1)?.score, 57.7);
  deepEqual(closedBookLines(published).map(({ series, points }) => [series, points.map(({ score }) => score)]), [
    ["SQuAD", [28.8]],
    ["HotpotQA", [31.6]],
  ]);
});

Deno.test("panelLines() puts lengths in order, and leaves out scores without an interval", () => {
  const rows = [...scoresOf("fwe", 75, 60, 50).toReversed(), { ...scoresOf("vt", 50)[0]!, low: null, high: null }];
  deepEqual(panelLines(rows, "alpha")[0]!.points.map(({ length }) => length), [4096, 8192, 262_144]);
  deepEqual(linesOf(rows), ["alpha alpha=2.0 = fwe"]);
});

const OPTIONS: AblationFigureOptions = {
  model: "Yi-34B",
  caption: "How to read it.",
  origin: "published",
  n: "500 samples a point",
};

Deno.test("ablationFigures() draws every digitised point of Figures 2 and 3", async () => {
  const figures = ablationFigures(published, OPTIONS);
  deepEqual(figures.map(({ title }) => title), [
    "Yi-34B on needles (Figure 2)",
    "Yi-34B on chains, words and questions (Figure 3)",
  ]);
  for (const [at, figure] of figures.entries()) {
    const names = PANELS.slice(4 * at, 4 * at + 4);
    const points = names.flatMap((name) => panelLines(published, name)).flatMap((line) => line.points);
    const drawn = markLabels(await figure.svg()).filter((label) => /^[^:]*: \d/.test(label));
    ok(drawn.length >= points.length, `${drawn.length} of ${points.length}`);
  }
});

Deno.test("ablationFigures() names the panels that it leaves out, and has no figure without any", () => {
  const [keys, none] = ablationFigures(scoresOf("niah_multikey_1", 50), OPTIONS);
  match(keys!.caption, /Not drawn, as they have no score: needle type, values, queries\./);
  equal(none, undefined);
  match(
    ablationFigures(published, OPTIONS)[1]!.caption,
    /^How to read it\. Dotted, where asked: the score without any context\.$/,
  );
  deepEqual(ablationFigures([], OPTIONS), []);
});
