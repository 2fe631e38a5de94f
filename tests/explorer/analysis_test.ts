import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { compareRuns } from "@/lib/reports/mod.ts";
import { openExplorer } from "@/lib/reports/explorer/page.ts";
import type { ExplorerAnswer, ExplorerFacts, ExplorerRow } from "@/lib/reports/explorer/data.ts";
import type { App } from "@/lib/reports/explorer/client/app.ts";
import { openFilters, type State, writeValues } from "@/lib/reports/explorer/client/filters.ts";
import { pivotOf } from "@/lib/reports/explorer/client/pivot.ts";
import {
  cellScores,
  countsText,
  meanOfCells,
  pairedDifferences,
  scoreText,
} from "@/lib/reports/explorer/client/statistics.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { FAILURE_MEANINGS } from "@/lib/statistics/failures/mod.ts";

/** Facts of runs A, B … with tasks of one suite. */
function factsOf(runs: number, tasks: readonly string[]): ExplorerFacts {
  return {
    runs: Array.from({ length: runs }, (_, run) => {
      const label = "ABC"[run]!;
      return { name: label, label, model: label, origin: "simulated", about: "", answer: [] };
    }),
    tasks: tasks.map((name) => ({ name, suite: "words", least: 0 })),
    groups: [],
    threshold: 85.6,
    meanings: FAILURE_MEANINGS,
    isPivotOnly: false,
    served: "no",
  };
}

function answerOf(value: number | null, text = "a reply"): ExplorerAnswer {
  const verdict = value === null ? "failed call" : value === 1 ? "right" : "wrong";
  return { value, verdict, latency: 1000, text, thinking: "", lines: [], modes: [] };
}

function rowOf(at: number, values: readonly (number | null)[], given: Partial<ExplorerRow> = {}): ExplorerRow {
  const place = { at, task: 0, length: 4096, index: at, repeat: 0, seed: "s", id: `id-${at}`, depth: null };
  const answers = values.map((value) => answerOf(value));
  return { ...place, cluster: null, question: "", wanted: [], why: "", answers, ...given };
}

function appOf(facts: ExplorerFacts, rows: readonly ExplorerRow[], state: State = {}): App {
  const filters = openFilters(facts, rows);
  return { facts, rows, state, filters, filtered: (ignored) => filters.filtered(state, ignored), go: () => {} };
}

const HOSTILE = "a,b%2C<b>";

Deno.test("filters take several values and ranges, and ignore those asked for", () => {
  const lengths = [4096, 8192, 16384];
  const rows = lengths.flatMap((length, at) =>
    [0, 1].map((task) => rowOf(2 * at + task, [task], { task, length, depth: at / 2 }))
  );
  const { filtered, menus, chosen } = openFilters(factsOf(1, [HOSTILE, "vt"]), rows);
  const found = (state: State, ignored?: readonly string[]): number[] => filtered(state, ignored).map(({ at }) => at);
  deepEqual(found({}), [0, 1, 2, 3, 4, 5]);
  deepEqual(found({ task: writeValues([HOSTILE]) }), [0, 2, 4]);
  deepEqual(found({ length: "4096,16384", task: "vt" }), [1, 5]);
  deepEqual(found({ length: "5000..20000" }), [2, 3, 4, 5]);
  deepEqual(found({ depth: "0..2", verdict0: "wrong" }), [0, 2]);
  deepEqual(found({ task: "vt", length: "4096" }, ["task"]), [0, 1]);
  deepEqual(found({ task: "gone" }), []);
  equal(filtered({ task: "vt" }, ["length"]), filtered({ task: "vt", length: "4096" }, ["length"]));
  deepEqual(chosen({ length: "5000..9000" }, "length"), ["8192"]);
  const [task, length, depth] = menus({ task: "vt", length: "4096" });
  deepEqual(task!.options.map(({ count, isChosen }) => [count, isChosen]), [[1, false], [1, true]]);
  deepEqual(length!.options.map(({ text, count }) => [text, count]), [["4K", 1], ["8K", 1], ["16K", 1]]);
  deepEqual(depth!.options.map(({ text }) => text), ["0–20%", "40–60%", "80–100%"]);
});

Deno.test("filters find texts in any case and runs that differ", () => {
  const rows = [
    rowOf(0, [1, 0], { question: "Where is the NEEDLE?" }),
    rowOf(1, [1, 1], { wanted: ["7 needles"] }),
    rowOf(2, [null, 1], { answers: [null, answerOf(1, "no such thing")] }),
  ];
  const { filtered } = openFilters(factsOf(2, ["vt"]), rows);
  const found = (state: State): number[] => filtered(state).map(({ at }) => at);
  deepEqual(found({ q: "Needle" }), [0, 1]);
  deepEqual(found({ q: "NO SUCH", verdict0: "not asked" }), [2]);
  deepEqual(found({ scores: "different" }), [0]);
  deepEqual(found({ scores: "same,fewer than two" }), [1, 2]);
});

Deno.test("differences of a measured pair equal those of fathom compare", async () => {
  const names = ["measured/gemma-3-270m-kv-f16/kv_cache", "measured/gemma-3-270m-kv-q4/kv_cache"];
  const runs = await Promise.all(names.map((name) => readScoredRun(name)));
  const { facts, rows } = await openExplorer(runs, { tokens: 0 });
  const app = appOf(facts, [...rows()]);
  const compared = await compareRuns(runs, { by: ["all", "length"] });
  const of = (state: State): [App, readonly ExplorerRow[]] => [app, app.filters.filtered(state)];
  const [, all] = of({});
  const [whole] = pairedDifferences(facts, all, 0);
  const wanted = compared.others[0]!.rows.find(({ by }) => by === "all")!;
  deepEqual({ ...whole!.row, adjusted: 0 }, { ...wanted, adjusted: 0 });
  const [, short] = of({ length: "1024" });
  const ofLength = compared.others[0]!.rows.find(({ name }) => name === "1K")!;
  const [found] = pairedDifferences(facts, short, 0);
  deepEqual(
    [found!.row!.difference, found!.row!.low, found!.row!.p],
    [ofLength.difference, ofLength.low, ofLength.p],
  );
});

Deno.test("means leave out failed calls, weigh tasks equally, and have no interval below five units", () => {
  const facts = factsOf(1, ["one", "two"]);
  const ofOne = Array.from({ length: 8 }, (_, at) => rowOf(at, [1], { cluster: "the same text" }));
  const rows = [...ofOne, rowOf(8, [0], { task: 1 }), rowOf(9, [0], { task: 1 }), rowOf(10, [null], { task: 1 })];
  const mean = meanOfCells(cellScores(facts, rows, 0));
  match(scoreText(mean), /^50\.0 \(about these 3 texts only\)$/);
  equal(countsText(mean), "n = 10, 3 questions or texts, 1 failed call not in the score");
  equal(scoreText(meanOfCells(cellScores(facts, [rowOf(0, [null])], 0))), "no score");
  equal(scoreText(meanOfCells([])), "no score");
  deepEqual(pairedDifferences(factsOf(2, ["one"]), [rowOf(0, [1, null])], 0), [{ run: 1, row: null }]);
});

Deno.test("a pivot refuses means over other runs, tasks or lengths, and its remedy compares like with like", () => {
  const facts = factsOf(2, ["one", "two", "three"]);
  const both = [0, 1].flatMap((task) => [4096, 8192].map((length) => ({ task, length })));
  const places = [...both, { task: 2, length: 4096 }];
  const rows = places.map((place, at) => rowOf(at, [1, 0], place));
  const open = (axes: [string, string], state: State = {}): ReturnType<typeof pivotOf> =>
    pivotOf(appOf(facts, rows, state), axes);
  match(open(["task", "length"]).why, /mix 2 runs/);
  deepEqual(open(["task", "length"]).remedy, { pivotRows: "run" });
  const uneven = open(["run", "length"]);
  match(uneven.why, /different tasks or lengths; they share 2 of 3/);
  deepEqual(uneven.remedy, { task: "one,two" });
  const common = open(["run", "length"], uneven.remedy!);
  equal(common.why, "");
  deepEqual(common.cells.map(({ place, rows, runs }) => [place.join(), rows.length, runs]), [
    ["0,4096", 2, [0]],
    ["0,8192", 2, [0]],
    ["1,4096", 2, [1]],
    ["1,8192", 2, [1]],
  ]);
  equal(open(["run", "none"]).why, "");
  const half = rows.map((row) => row.length === 8192 ? { ...row, answers: [row.answers[0]!, null] } : row);
  const ofHalf = pivotOf(appOf(facts, half), ["run", "none"]);
  deepEqual(ofHalf.remedy, { task: "one,two,three", length: "4096" });
  doesNotMatch(ofHalf.why, /mix/);
});
