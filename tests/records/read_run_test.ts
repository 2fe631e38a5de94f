import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { asKilled, fakeModel, smallHeader, smallPlan, withFolder } from "../asking/_fakes.ts";
import { checkScored, listRuns, readRun, readScoredRun, type RunRecord, scoreRecords } from "@/lib/records/mod.ts";
import { runPlan } from "@/lib/asking/run_plan.ts";
import { openStore } from "@/lib/records/store.ts";
import { summarise } from "@/lib/statistics/mod.ts";

async function recordRun(folder: string, name = "run"): Promise<void> {
  const store = await openStore(name, smallHeader(), { folder });
  await runPlan(smallPlan(), { model: fakeModel({ turns: (call) => (call * 5) % 7 }), store });
  await store.close();
}

Deno.test("readRun() gives one record a sample, by length, task as the manifest lists them, and index, in whatever order replies came", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const { records, manifest, notes } = await readRun("run", { folder });
    deepEqual(
      records.map(({ length, task, index }) => `${length} ${task} ${index}`),
      [512, 1024].flatMap((length) =>
        ["sum", "other"].flatMap((task) => [0, 1, 2].map((index) => `${length} ${task} ${index}`))
      ),
    );
    deepEqual([manifest.name, manifest.model, manifest.samples.count, notes], ["run", "fake", 12, []]);
    match(manifest.started, /^\d{4}-\d\d-\d\dT/);
  });
});

Deno.test("readRun() reads the same, byte for byte cut or not, but for the record that was cut", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/records.jsonl`;
    const whole = await Deno.readFile(path);
    await asKilled(folder);
    const before = (await readRun("run", { folder })).records.length;
    for (const cut of [1, 2, 50, 300]) {
      await Deno.writeFile(path, whole.subarray(0, whole.length - cut));
      const { records, notes } = await readRun("run", { folder });
      equal(records.length, cut === 1 ? before : before - 1);
      equal(notes.length, cut === 1 ? 0 : 1);
    }
  });
});

Deno.test("readRun() and openStore() read manifests that still call the chat template a frame", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/manifest.json`;
    const { template, ...rest } = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(path, JSON.stringify({ ...rest, frame: template }));
    const { manifest } = await readRun("run", { folder });
    deepEqual([manifest.template, "frame" in manifest], [template, false]);
    await (await openStore("run", smallHeader(), { folder })).close();
  });
});

Deno.test("readRun() says which runs there are where there is none of the name", async () => {
  await withFolder(async (folder) => {
    await rejects(readRun("run", { folder }), {
      name: "RangeError",
      message:
        'Cannot read the run as its name must be that of a recorded run (none is recorded yet): current value is "run"',
    });
    for (let at = 0; at < 10; at++) {
      await Deno.mkdir(`${folder}/other-run-${at}`);
      await Deno.writeTextFile(`${folder}/other-run-${at}/manifest.json`, "{}");
    }
    // Only the nearest are named, and the command suggests the first.
    await Deno.rename(`${folder}/other-run-9`, `${folder}/rum`);
    await rejects(readRun("run", { folder }), /recorded run \(rum, other-run-\d(, other-run-\d){6} and 2 more\)/);
    for (const each of Deno.readDirSync(folder)) await Deno.remove(`${folder}/${each.name}`, { recursive: true });
    await recordRun(folder, "b");
    await recordRun(folder, "a");
    await Deno.mkdir(`${folder}/empty`);
    deepEqual(await listRuns({ folder }), ["a", "b"], "a folder without a manifest is no run");
    await Deno.rename(`${folder}/b`, `${folder}/.importing-b`);
    deepEqual(await listRuns({ folder }), ["a"], "an import that is under way is no run");
    await Deno.rename(`${folder}/.importing-b`, `${folder}/b`);
    await rejects(readRun("run", { folder }), /that of a recorded run \(a, b\): current value is "run"$/);
  });
});

Deno.test("readRun() refuses names that lead elsewhere, and says which file is missing", async () => {
  await withFolder(async (folder) => {
    await rejects(readRun("..", { folder }), /^RangeError: Cannot name the run/);
    await rejects(
      readRun("../run", { folder }),
      /as a path must be that of a folder with a manifest\.json: current value is "\.\.\/run"$/,
    );
    await recordRun(folder);
    await Deno.remove(`${folder}/run/records.jsonl`);
    await rejects(readRun("run", { folder }), /records\.jsonl" as records must be beside the manifest/);
  });
});

Deno.test("readRun() calls a run simulated as soon as one answer is, and says how many are", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/records.jsonl`;
    const [first, ...rest] = (await Deno.readTextFile(path)).trimEnd().split("\n");
    const record = JSON.parse(first!);
    const served = { ...record, reply: { ...record.reply, fingerprint: "simulated-1" } };
    await Deno.writeTextFile(path, `${[JSON.stringify(served), ...rest].join("\n")}\n`);
    await asKilled(folder);
    const { manifest, notes } = await readRun("run", { folder });
    equal(manifest.origin, "simulated");
    deepEqual(notes, ["the origin of 1 of 12 answers is simulated, so that of the run is too"]);
  });
});

function record(text: string, changes: Partial<RunRecord> = {}): RunRecord {
  const reply = { kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 };
  const base = { task: "vt", length: 4096, references: ["12345", "67890"], scoring: "all", reply };
  return { ...base, ...changes } as unknown as RunRecord;
}

Deno.test("scoreRecords() scores by all references or by any, as the record says", () => {
  const [all, any] = scoreRecords([record("it is 12345"), record("it is 12345", { scoring: "any" })]);
  deepEqual([all?.value, any?.value], [0.5, 1]);
  equal(all?.score?.why, "found 1 of 2: 12345; missing: 67890");
});

Deno.test("scoreRecords() has beside it a score that a reply listing everything cannot win", () => {
  const [scored] = scoreRecords([record("12345 67890 11111 22222")]);
  equal(scored?.value, 1);
  // Two of four found of two wanted: F1 = 2 * 2 / (4 + 2).
  equal(scored?.penalised?.value, 4 / 6);
});

Deno.test("scoreRecords() scores lists of counts, with the wrong counts that the text says, and sums", () => {
  const list = { references: ["3", "5"], distractors: ["4", ""] } as const;
  const reply = '{"little_penguin": [3, 4, 5], "total": 8}';
  const [stars, withSum, sum] = scoreRecords([
    record(reply, { ...list, scoring: "stars" }),
    record(reply, { references: ["3", "5", "8"], distractors: ["4", "", ""], scoring: "stars and sum" }),
    record(reply, { references: ["8"], scoring: "sum" }),
  ]);
  // Cut to two: 3 with its wrong 4 is worth a half, 5 is lost.
  equal(stars?.value, 0.25);
  // Two of three different numbers are right, of two wanted: F1 = 2 * 2 / (3 + 2).
  equal(stars?.penalised?.value, 0.8);
  equal(withSum?.value, 1.5 / 3);
  equal(sum?.value, 1);
});

Deno.test("scoreRecords() scores values in order or in any, the asked form alone, and how far along a thread they are", () => {
  const [a, b, c] = ["1a", "2b", "3c"].map((end) => `0e7bbda8-78e4-8982-dbec-b7b4a4c0c6${end}`);
  const [ordered, any, threads] = scoreRecords([
    record(JSON.stringify([b, a]), { references: [a!, b!], scoring: "values in order" }),
    record(`${b} and ${a}`, { references: [a!, b!], scoring: "values in any order" }),
    record(b!, { references: [c!], paths: [[a!, b!, c!]], scoring: "values in order" }),
  ]);
  deepEqual([ordered?.value, ordered?.penalised?.value, ordered?.partial], [0, 0, undefined]);
  deepEqual([any?.value, any?.penalised?.value], [1, 0]);
  deepEqual([threads?.value, threads?.partial?.value], [0, 2 / 3]);
});

Deno.test("scoreRecords() scores by edits, and by a keyword with the score by edits beside it", () => {
  const answer = "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack";
  const [edits, trimmed, keyword] = scoreRecords([
    record(`${answer}。还有很多别的话要说，一直说到很远很远的地方。`, {
      references: [answer],
      scoring: "edit distance",
    }),
    record(`${answer}。`, { references: [`${answer}。`], scoring: "trimmed edit distance" }),
    record("厨师叫Jack", { references: [answer, "Jack"], scoring: "keyword" }),
  ]);
  // 23 of 49 characters are too many.
  deepEqual([edits?.value, edits?.penalised?.value], [1 - 23 / 49, 1 - 23 / 49]);
  equal(trimmed?.value, 1);
  equal(keyword?.value, 1);
  equal(keyword?.penalised?.value?.toFixed(4), "0.1923");
  const [missing] = scoreRecords([record("杰克", { references: [answer, "Jack"], scoring: "trimmed keyword" })]);
  deepEqual([missing?.value, missing?.noAnswer], [0, false]);
});

Deno.test("scoreRecords() tells replies that cannot be read from empty ones", () => {
  for (const scoring of ["values in order", "stars"] as const) {
    const [words, empty] = scoreRecords([record("I do not know.", { scoring }), record(" ", { scoring })]);
    deepEqual([words?.value, words?.unparsable, words?.noAnswer], [0, true, false]);
    deepEqual([empty?.value, empty?.unparsable, empty?.noAnswer], [0, false, true]);
  }
});

Deno.test("scoreRecords() has no score for a failed call, and a score of 0 for an empty answer", () => {
  const failure = { kind: "failure", failure: "timeout", message: "", latencyMs: 1, attempts: 1 } as const;
  const [failed, empty] = scoreRecords([record("", { reply: failure }), record(" \n")]);
  deepEqual([failed?.value, failed?.failed, failed?.noAnswer, failed?.score], [null, true, false, null]);
  deepEqual([empty?.value, empty?.failed, empty?.noAnswer], [0, false, true]);
});

Deno.test.each(["", "12345", "12345 67890"])(
  "scoreRecords() has no score for a reply that a content filter stopped, as nobody knows how %j would go on",
  (text) => {
    const reply = { kind: "answer", text, finishReason: "content_filter", latencyMs: 1, attempts: 1 } as const;
    const replies = scoreRecords([record("", { reply }), record("12345 67890")]);
    const [filtered] = replies;
    deepEqual([filtered?.value, filtered?.failed, filtered?.noAnswer], [null, false, false]);
    equal(filtered?.score?.why, "the provider's content filter stopped the reply");
    const [row] = summarise(replies);
    deepEqual([row?.n, row?.score, row?.unscored], [1, 100, 1]);
    // Neither has it the class of a reply that cannot be read, nor a score of the whole beside that of a base model's first answer.
    const base = { api: "completions", template: "base" };
    const [values] = scoreRecords([record("", { reply, scoring: "values in order", settings: base })]);
    deepEqual([values?.unparsable, values?.whole, values?.penalised], [false, undefined, null]);
  },
);

Deno.test.each([
  ["its own", { cluster: "a", suite: "ruler-2", sample: "ruler-2/vt" }, "a"],
  ["none for a text of its own", { suite: "ruler-2", sample: "ruler-2/vt" }, undefined],
  ["the context of several questions", { suite: "r-2", sample: "r-2/vt/questions=3" }, "context:r-2/vt/4096/42/1"],
  [
    "the text that a benchmark's earlier version shared",
    { suite: "cdme-3", sample: "cdme-3/cdme_en/language=en,edition=original,depths=2" },
    "text:cdme-3/en/original/42/2",
  ],
] as [string, Partial<RunRecord>, string | undefined][])(
  "scoreRecords() gives a cluster: %s",
  (_name, changes, wanted) => {
    equal(scoreRecords([record("12345", { seed: "42", index: 5, ...changes })])[0]!.cluster, wanted);
  },
);

Deno.test("scoreRecords() gives what a summary is made of", () => {
  const failure = { kind: "failure", failure: "timeout", message: "", latencyMs: 1, attempts: 1 } as const;
  const replies = scoreRecords([record("12345 67890"), record(""), record("", { reply: failure })]);
  const [row] = summarise(replies);
  deepEqual([row?.n, row?.score, row?.failed, row?.noAnswer], [2, 50, 1, 1]);
});

Deno.test("scoreRecords() grades a short answer alike in every wording of the question", () => {
  const needle = "PistachioAI received a patent before its Series A.";
  const published = "What did PistachioAI receive before its Series A?";
  const distant = "Which asset was PistachioAI granted ahead of the Series A round?";
  const scored = scoreRecords([
    record("A patent.", { references: [needle, published], scoring: "recall rubric" }),
    record("A patent.", { references: [needle, distant, published], scoring: "recall rubric" }),
    record("A grant.", { references: [needle, distant, published], scoring: "recall rubric" }),
  ]);
  deepEqual(scored.map(({ value }) => value), [1, 1, 0.2]);
});

Deno.test("scoreRecords() scores the first answer of a base model, with the whole reply beside it, and either if told so", () => {
  const text = ": 54321.\nWhat is the number? The number is: 12345.";
  const base = record(text, { references: ["12345"], settings: { api: "completions", template: "base" } });
  const chat = record(text, { references: ["12345"], settings: { api: "chat", template: "base" } });
  const [first, whole] = scoreRecords([base, chat]);
  deepEqual([first!.scored, first!.value, first!.whole?.value, first!.first?.endedBy], [
    "first",
    0,
    1,
    "a new question",
  ]);
  deepEqual([whole!.scored, whole!.value, whole!.whole], ["whole", 1, undefined]);
  deepEqual(
    [scoreRecords([base], { scored: "whole" })[0]!.value, scoreRecords([chat], { scored: "first" })[0]!.value],
    [1, 0],
  );
});

Deno.test("readScoredRun() says in the manifest that first answers are scored, where they are", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    equal((await readScoredRun("run", { folder })).manifest.scored, undefined);
    equal((await readScoredRun("run", { folder, scored: "first" })).manifest.scored, "first");
  });
});

Deno.test("checkScored() takes whole, first and nothing, and refuses the rest", () => {
  deepEqual(["whole", "first", "", undefined].map(checkScored), ["whole", "first", undefined, undefined]);
  throws(() => checkScored("second"), {
    name: "RangeError",
    message: 'Cannot score the run as scored must be whole or first: current value is "second"',
  });
});

Deno.test("readRun() says which versions of Fathom asked, where there were several", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/records.jsonl`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/"fathom":"[^"]*"/, '"fathom":"0.0.9"'));
    await asKilled(folder);
    const { notes } = await readRun("run", { folder });
    match(notes.join("\n"), /^several versions of Fathom asked: .*0\.0\.9 1.* of 12 samples$/);
  });
});
