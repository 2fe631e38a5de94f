import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { repliesOf } from "./_shares.ts";
import { inFolder } from "../../_folder.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { publishedModels } from "@/lib/papers/ruler/published_leaderboard.ts";
import { RULER_STUDY_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { runLeaderboard } from "@/lib/papers/suites/run_leaderboard.ts";
import { compareRuns } from "@/lib/reports/mod.ts";
import { openMeasured, type ScoredRun } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";

const { rows } = await openPublished();
const published = publishedModels(rows.filter(({ edition, table }) => edition === "v1" && table === 3));

/** A run of some tasks, each with a share of right answers at each length. */
function runOf(
  model: string,
  shares: Readonly<Record<number, number>>,
  { tasks = ["vt", "cwe"], knobs = {}, seed = "42" }: {
    readonly tasks?: readonly string[];
    readonly knobs?: Readonly<Record<string, number>>;
    readonly seed?: string;
  } = {},
): ScoredRun {
  const replies = repliesOf(shares, { tasks, reply: { kind: "failure" } });
  const header = (task: string): object => ({
    suite: task.startsWith("cdme") ? "cdme-3" : "ruler-2",
    scoring: "all",
    options: knobs,
  });
  return {
    manifest: {
      ...{ model, name: `run-${model}`, origin: "measured", study: { seed }, settings: {}, template: {} },
      materials: { tokenizer: "cl100k_base" },
      tasks: Object.fromEntries(tasks.map((task) => [task, header(task)])),
    },
    replies,
  } as unknown as ScoredRun;
}

Deno.test("runLeaderboard() ranks what runs share, benchmark by benchmark, and names what is left out", () => {
  const one = runOf("one", { 4096: 0.5, 8192: 0.4 }, { tasks: ["vt", "cwe", "cdme_zh"] });
  const two = runOf("two", { 4096: 0.9 }, { tasks: ["vt", "fwe", "cdme_zh"] });
  const { boards, notes } = runLeaderboard([one, two]);
  deepEqual(boards.map(({ benchmark, group: { name } }) => [benchmark, name]), [["ruler", "vt"], ["cdme", "cdme_zh"]]);
  deepEqual(boards[0]!.board.rows.map(({ model, average }) => [model, average?.score]), [["two", 90], ["one", 50]]);
  // No other mean is held against RULER's threshold.
  match(boards[0]!.table.caption, /85% of the model's own score/);
  deepEqual(boards[0]!.effective.map(({ model }) => model), ["one: 85% of its own", "two: 85% of its own"]);
  deepEqual(notes, ["one: cwe left out, as not all runs have them", "two: fwe left out, as not all runs have them"]);
});

Deno.test("runLeaderboard() leaves out tasks that were asked with other knobs, and says that texts differ", () => {
  const [one, two] = [runOf("one", { 4096: 1 }), runOf("two", { 4096: 1 }, { knobs: { hops: 6 }, seed: "7" })];
  throws(() => runLeaderboard([one, two]), {
    name: "RangeError",
    message:
      "Cannot rank runs as they must share a task, asked with the same knobs: current value is one: vt, cwe | two: vt, cwe; asked with other knobs: vt, cwe",
  });
  const [six, five] = [["a", "b", "c", "d", "e", "f"], ["g", "h", "i", "j", "k"]].map((tasks) =>
    runOf(`${tasks.length}`, { 4096: 1 }, { tasks })
  );
  throws(() => runLeaderboard([six!, five!]), /6: a, b, c, d, e and 1 more \| 5: g, h, i, j, k$/);
  const { notes } = runLeaderboard([one, runOf("two", { 4096: 1 }, { seed: "7" })]);
  deepEqual(notes, ['one and two were asked other texts: seed "42" and "7"']);
});

Deno.test("runLeaderboard() of two runs of one model tells them apart by their names", () => {
  const one = runOf("one", { 4096: 1 });
  const other = { ...one, manifest: { ...one.manifest, name: "later" } };
  const { names, boards: [board] } = runLeaderboard([one, other]);
  deepEqual(names, ["run-one", "later"]);
  match(board!.curves.title, /^run-one and later: /);
});

Deno.test("runLeaderboard() puts measured models among the published ones of Table 3", async () => {
  const measured = await openMeasured({ benchmark: "ruler" });
  const lengths = published[0]!.rows.map(({ length }) => length);
  const [board] = runLeaderboard(measured, { published, lengths }).boards;
  // Ten published models keep Table 3's ranks, and what was asked at fewer lengths has none.
  deepEqual(board!.board.rows.map(({ model, average }) => [model, average?.rank ?? null]).slice(8), [
    ["LongChat (7B)", 9],
    ["LongAlpaca (13B)", 10],
    ["gemma-3-270m", null],
    ["smollm2-135m-instruct", null],
  ]);
  match(board!.table.caption, /Not ranked, as these lengths are missing: gemma-3-270m \(32K, 64K, 128K\); smollm2/);
  const { boards: [shared], notes } = runLeaderboard(measured, { published });
  equal(
    notes.at(-1),
    "gemma-3-270m is asked as a base model: the paper ranks these separately, in Table 12, with a threshold of 79.4",
  );
  deepEqual(shared!.board.lengths, [4096]);
  equal(shared!.board.rows.length, 12);
  match(shared!.table.title, /^gemma-3-270m is number 11 to 12 of 12 by its average on RULER, 10 of them published$/);
});

Deno.test("runLeaderboard() says in its title only what the intervals of the ranks decide", () => {
  const tasks = [...new Set(RULER_STUDY_TASK_NAMES)];
  const titleOf = (share: number): string => {
    const { boards } = runLeaderboard([runOf("own", { 4096: share }, { tasks })], { published });
    const { board: { rows: [...ranked] }, table: { title } } = boards[0]!;
    const [first, last] = ranked.find(({ model }) => model === "own")!.average!.ranks;
    // The title has both ends of the ranks, and never a single rank where there are two.
    ok(first === last ? title.includes(`number ${first} of 11`) : title.includes(`${first} to ${last}`), title);
    return title;
  };
  match(titleOf(1), /^own is number 1 of 11 /);
  match(titleOf(0.96), /^own is among the first \d of 11 \(1 to \d\) by its average on RULER, 10 of them published$/);
  match(titleOf(0.9), /^own is number \d to \d+ of 11 /);
});

Deno.test("runLeaderboard() and compareRuns() name no winner of two identical runs", async () => {
  const runs = [runOf("one", { 4096: 0.5 }), runOf("two", { 4096: 0.5 }), runOf("three", { 4096: 0.1 })];
  equal(
    runLeaderboard(runs).boards[0]!.table.title,
    "The intervals leave open which of one and two has the highest average",
  );
  equal(runLeaderboard(runs.slice(1)).boards[0]!.table.title, "two has the highest average, 50.0");
  const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 12 });
  const ask = (profile: string, name: string): Promise<ScoredRun> =>
    inFolder((folder) => runStudy(study, { name, model: simulatedModel(profile), folder }));
  const [same, again, mute] = [await ask("ideal", "a"), await ask("ideal", "b"), await ask("mute", "c")];
  const titleOf = async (...asked: readonly ScoredRun[]): Promise<string> => (await compareRuns(asked)).finding!;
  equal(await titleOf(same, again), "Against a: b shows no difference (0.0 points [−22.1, 22.1]).");
  match(await titleOf(same, mute), /^Against sim:ideal: sim:mute costs 100\.0 points \[\d+\.\d, 100\.0\]\.$/);
  match(await titleOf(mute, same), /^Against sim:mute: sim:ideal gains 100\.0 points \[\d+\.\d, 100\.0\]\.$/);
  match(await titleOf(same, again, mute), /^Against a: b shows no difference \(.*\); c costs 100\.0 points \[.*\]\.$/);
});

Deno.test("runLeaderboard() refuses no run, published rows without RULER's 13 tasks, and runs without a length in common tasks", () => {
  throws(() => runLeaderboard([]), { message: "Cannot rank runs as there must be at least one: current value is 0" });
  throws(() => runLeaderboard([runOf("one", { 4096: 1 })], { published }), {
    message:
      "Cannot rank runs among published models as each must have RULER's 13 tasks (--tasks all): current value is one: vt, cwe",
  });
  const split = runOf("split", { 4096: 1, 8192: 1 });
  const replies = split.replies.filter(({ task, length }) => (task === "vt") === (length === 4096));
  throws(() => runLeaderboard([{ ...split, replies }]), {
    message:
      "Cannot rank runs as each must have a length with a score on all shared tasks (vt, cwe): current value is none (split)",
  });
});
