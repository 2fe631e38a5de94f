import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import fc from "fast-check";
import { inFolder } from "../_folder.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { type ChatTemplate, PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { openMeasured, type ScoredReply, type ScoredRun } from "@/lib/records/mod.ts";
import { compareApart, sharedSamples } from "@/lib/reports/compare_runs.ts";
import { compareReplies, compareRuns, type RepliesCompared } from "@/lib/reports/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { differenceInterval, scoredRows, summarise } from "@/lib/statistics/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";

const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024, 2048], samples: 6 });

async function runOf(
  profile: string,
  name = profile,
  { template, ...changes }: Partial<typeof study> & { readonly template?: ChatTemplate } = {},
): Promise<ScoredRun> {
  const model = { ...simulatedModel(profile), ...(template === undefined ? {} : { template }) };
  return await inFolder((folder) => runStudy({ ...study, ...changes }, { name, model, folder }));
}

Deno.test("compareRuns() compares all samples, lengths, tasks and thirds with the first run, corrected for all rows", async () => {
  const { names, finding, others } = await compareRuns([
    await runOf("ideal"),
    await runOf("mute"),
    await runOf("gpt-4"),
  ]);
  deepEqual(names, ["sim:ideal", "sim:mute", "sim:gpt-4"]);
  deepEqual(others.map(({ name }) => name), ["sim:mute", "sim:gpt-4"]);
  const { rows } = others[0]!;
  ok(rows.every(({ difference }) => difference === -100));
  deepEqual(rows.slice(0, 5).map(({ name, n }) => [name, n]), [
    ...[["all samples", 24], ["1K", 12], ["2K", 12], ["niah_single_1", 12], ["vt", 12]],
  ]);
  // Of the two tasks, one has a single target.
  deepEqual(rows.slice(5).map(({ name }) => name), ["first third", "middle third", "last third"]);
  equal(rows.slice(5).reduce((sum, { n }) => sum + n, 0), 12);
  match(
    others[0]!.table.caption,
    /All samples are the primary comparison; p-values of the other 14 are corrected for each other \(Holm\), and all for 2 models/,
  );
  equal(
    finding,
    "Against sim:ideal: sim:mute costs 100.0 points [76.5, 100.0]; sim:gpt-4 shows no difference (0.0 points [−11.7, 11.7]).",
  );
  equal(others[0]!.note, "24 samples with the same text in both runs, 0 with another text, 0 in one run alone.");
});

Deno.test("compareRuns() compares what is shared, and says how much is not", async () => {
  const more = await runOf("mute", "more", { lengths: [1024, 2048, 3072], samples: 3 });
  const { others } = await compareRuns([await runOf("ideal"), more]);
  equal(others[0]!.note, "12 samples with the same text in both runs, 0 with another text, 18 in one run alone.");
  equal(others[0]!.rows[0]!.n, 12);
});

Deno.test("compareRuns() drops samples whose call failed in one run, and counts them", async () => {
  const [ideal, mute] = [await runOf("ideal"), await runOf("mute")];
  const [first, ...rest] = mute.replies;
  const failed: ScoredReply = { ...first!, value: null, failed: true, noAnswer: false, score: null, penalised: null };
  const { others } = await compareRuns([ideal, { ...mute, replies: [failed, ...rest] }]);
  equal(others[0]!.rows[0]!.n, 23);
  match(others[0]!.note, /; 1 of the shared have no score in one of them\.$/);
});

Deno.test("compareRuns() of two runs of one model tells them apart by their names, and shows no difference", async () => {
  const { names, others, settings } = await compareRuns([await runOf("gpt-4", "one"), await runOf("gpt-4", "two")]);
  deepEqual(names, ["one", "two"]);
  equal(others[0]!.table.title, "two against one: no difference is shown");
  ok(!others[0]!.table.text.includes("NaN"));
  equal(settings, null);
});

Deno.test("compareRuns() says what differs in how the runs were asked, and which is simulated where one is not", async () => {
  const [one, other] = [await runOf("ideal"), await runOf("mute")];
  const template = { ...one.manifest.template, name: "chat" };
  const manifest = { ...one.manifest, origin: "measured", settings: { maxTokens: 64 }, template } as const;
  const { settings, others } = await compareRuns([{ ...one, manifest }, other]);
  match(settings!.text, /^setting maxTokens +64 +none$/m);
  match(settings!.text, /^template name +"chat" +"base"$/m);
  match(others[0]!.table.note, /Measured: sim:ideal; simulated: sim:mute/);
});

Deno.test("compareRuns() says what is missing where one run was asked or none is shared, and refuses none", async () => {
  const ideal = await runOf("ideal");
  const { finding, table, missing, others } = await compareRuns([ideal]);
  equal(finding, null);
  match(table.text, /sim:ideal +a second model or run, named after the first/);
  deepEqual([missing, others.length], ["a second model or run, named after the first, comma-separated", 0]);
  const seeded = await compareRuns([ideal, await runOf("mute", "mute", { seed: "7" })]);
  equal(
    seeded.missing,
    "samples with the same text in sim:ideal and sim:mute (24 have another text, as these differ: seed)",
  );
  const [apart, ...more] = seeded.apart;
  equal(more.length, 0);
  match(apart!.text, /niah_single_1 +\S+ +100\.0 +0\.0 +-?−?100\.0/);
  deepEqual((await compareRuns([ideal, await runOf("mute")])).apart, []);
  const template = { ...PLAIN_TEMPLATE, name: "chat+extra-30", extraTokens: 30 };
  const roomy = await compareRuns([ideal, await runOf("mute", "mute", { template })]);
  // However many tasks differ, the reason stays short.
  const tasks = Array.from({ length: 40 }, (_, at) => `task_with_a_long_name_${at}`);
  const [own, theirs] = [1, 2].map((version) => {
    const header = { suite: `own-${version}`, scoring: "all", options: { knob: version } };
    const manifest = { ...ideal.manifest, tasks: Object.fromEntries(tasks.map((task) => [task, header])) };
    const replies = ideal.replies.map((reply) => (
      { ...reply, record: { ...reply.record, sha256: `${version}${reply.record.sha256}` } }
    ));
    return { ...ideal, manifest, replies };
  });
  const { missing: short } = await compareRuns([own!, theirs!]);
  match(short!, /as these differ: the suite \("own-1" and "own-2"\), .* and 36 more\)$/);
  ok(short!.length < 400, String(short!.length));
  match(roomy.missing!, /24 have another text.*; the same --template-tokens gives the same text\)$/);
  await rejects(compareRuns([]), {
    name: "RangeError",
    message: "Cannot compare the runs as there must be at least one: current value is 0",
  });
});

function of(task: string, index: number, sha256: string, repeat = 0): ScoredReply {
  const record = { task, length: 4096, index, sha256, seed: "42", ...(repeat > 0 ? { repeat } : {}) };
  return { record, task, length: 4096, value: 1, failed: false, noAnswer: false } as unknown as ScoredReply;
}

Deno.test("sharedSamples() counts every sample once, whichever run comes first", () => {
  const replies = fc.uniqueArray(fc.record({ index: fc.nat(9), sha256: fc.constantFrom("a", "b") }), {
    selector: ({ index }) => index,
  });
  fc.assert(
    fc.property(replies, replies, (left, right) => {
      const [one, other] = [left, right].map((run) => run.map(({ index, sha256 }) => of("vt", index, sha256)));
      const [shared, back] = [sharedSamples(one!, other!), sharedSamples(other!, one!)];
      equal(2 * (shared.samples.length + shared.changed) + shared.alone, left.length + right.length);
      deepEqual([shared.samples.length, shared.changed, shared.alone], [back.samples.length, back.changed, back.alone]);
    }),
  );
});

Deno.test("compareReplies() counts the failure modes that changed", async () => {
  const runs = [await runOf("ideal"), await runOf("mute")];
  const compared = await compareRuns(runs);
  const [mute] = await compareReplies(runs, compared);
  deepEqual(mute!.changes, [{ from: "right", to: "empty", count: 24, example: "niah_single_1, 1K, 0" }]);
  equal(mute!.changeTable.title, "sim:mute against sim:ideal: the outcome of 24 of 24 replies changed");
  equal(mute!.pairs, 24);
});

Deno.test("compareReplies() shows the twelve most frequent changes, and says how many are left out", async () => {
  const runs = await openMeasured({ benchmark: "needle_threading" });
  const [{ pairs, changes, changeTable }] = await compareReplies(runs, await compareRuns(runs)) as [RepliesCompared];
  const counts = changes.map(({ count }) => count);
  deepEqual(counts, counts.toSorted((left, right) => right - left));
  const changed = counts.reduce((sum, each) => sum + each);
  match(changeTable.title, new RegExp(`the outcome of ${changed} of ${pairs} replies changed$`));
  const shown = changeTable.markdown.split("\n").filter((line) => /^\| [^:]/.test(line)).length - 1;
  deepEqual([shown, /(\d+) rarer changes left out/.exec(changeTable.caption)![1]], [12, `${counts.length - 12}`]);
});

/** A run with the given scores of a task at 4,096 tokens. */
function run(task: string, values: readonly number[]): ScoredRun {
  const replies = values.map((value, index) => ({
    ...{ task, length: 4096, value, failed: false, noAnswer: false },
    record: { index, settings: {}, reply: { kind: "failure" } },
  }));
  return { manifest: { origin: "measured", model: "m", tasks: {} }, replies } as unknown as ScoredRun;
}

Deno.test("compareApart() gives the difference of two means with the interval of independent ones", () => {
  const [one, two] = [[1, 1, 1, 0, 1, 1, 0, 1], [0, 1, 0, 0, 1, 0]];
  const shown = compareApart([run("vt", one), run("vt", two)], ["a", "b"])!;
  const [before, after] = [one, two].map((values) => scoredRows(summarise(run("vt", values).replies), "vt")[0]);
  const { score, low, high } = differenceInterval(after!, before!);
  const [from, to, points, least, most] = [before!.score, after!.score, score, low, high].map((value) =>
    value.toFixed(1)
  );
  const found = shown.text.split("\n").find((line) => line.startsWith("vt"))!.replaceAll("−", "-").split(/ {2,}/);
  deepEqual(found.slice(2), [from, to, `${points} [${least}, ${most}]`, "8 and 6"]);
});

Deno.test("compareApart() states no interval for few samples, and nothing for runs without a common task", () => {
  const few = compareApart([run("vt", [1, 1]), run("vt", [0, 0])], ["a", "b"])!;
  equal(/vt.*−100\.0 +–? *–? *2/.test(few.text) || /vt.*-100\.0/.test(few.text), true);
  equal(compareApart([run("vt", [1]), run("cwe", [0])], ["a", "b"]), null);
});
