import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { importRun, replyRows, writeInspectLogs } from "@/lib/exchange/mod.ts";
import { openZip } from "@/lib/exchange/zip_file.ts";
import type { Reply } from "@/lib/models/mod.ts";
import { openStudy, remakeSample } from "@/lib/studies/mod.ts";
import { readRun, readScoredRun, type ScoredRun, scoreRecords, withScores } from "@/lib/records/mod.ts";

const RUNS = [
  "measured/gemma-3-270m/needle_threading",
  "measured/smollm2-135m-instruct/counting_stars",
  "measured/smollm2-135m-instruct/prompt_dependence",
  "measured/gemma-3-270m-kv-q4/kv_cache",
];

/** Reads the first sample of a log. */
async function readFirst([path]: readonly string[]): Promise<ReturnType<typeof JSON.parse>> {
  const archive = openZip(await Deno.readFile(path!), path!);
  const first = archive.paths.find((each) => each.startsWith("samples/"))!;
  return JSON.parse(new TextDecoder().decode(archive.read(first)));
}

/** The columns that a log keeps, by sample and repeat. */
async function keptRows(run: ScoredRun): Promise<readonly unknown[]> {
  const rows = await replyRows(run);
  return rows.map(({ run: _, suite: __, task: ___, failure: ____, ...kept }) => kept)
    .sort((left, right) => `${left.length} ${left.sample}`.localeCompare(`${right.length} ${right.sample}`));
}

for (const name of RUNS) {
  Deno.test(`a log of Inspect keeps ids, hashes, origins, replies and scores of ${name}`, async () => {
    await inFolder(async (folder) => {
      const run = await readScoredRun(name);
      const { paths, failed, lost } = await writeInspectLogs(run, `${folder}/logs`);
      deepEqual([paths.length, failed, lost], [Object.keys(run.manifest.tasks).length, 0, 0]);
      const { notes } = await importRun(`${folder}/logs`, { folder, name: "back" });
      match(notes.join(), new RegExp(`all ${run.replies.length} scores agree with Fathom`));
      const back = await readScoredRun("back", { folder });
      deepEqual(await keptRows(back), await keptRows(run));
      deepEqual([back.manifest.model, back.manifest.origin], [run.manifest.model, "measured"]);
    });
  });
}

Deno.test("a failed call is the error of its sample, and stays a failed call of its kind", async () => {
  await inFolder(async (folder) => {
    const run = await readRun("measured/smollm2-135m-instruct/cdme");
    const failure: Reply = { kind: "failure", failure: "timeout", message: "too late: 9 s", latencyMs: 0, attempts: 2 };
    const records = run.records.map((record, at) => at % 3 === 0 ? { ...record, reply: failure } : record);
    const failing = withScores({ ...run, records }, scoreRecords(records));
    const { paths, failed } = await writeInspectLogs(failing, `${folder}/logs`);
    equal(failed, records.filter(({ reply }) => reply === failure).length);
    const { error, scores, output } = await readFirst(paths);
    deepEqual([error.message, scores, output.choices], ["timeout: too late: 9 s", {}, []]);
    const archive = openZip(await Deno.readFile(paths[0]!), paths[0]!);
    deepEqual(archive.paths.slice(-2), ["summaries.json", "header.json"]);
    await importRun(`${folder}/logs`, { folder, name: "back" });
    const { replies } = await readScoredRun("back", { folder });
    const kinds = replies.flatMap(({ record: { reply } }) => reply.kind === "failure" ? [reply] : []);
    equal(kinds.length, failed);
    deepEqual([kinds[0]!.failure, kinds[0]!.message], ["timeout", "too late: 9 s"]);
  });
});

Deno.test("the same run gives the same logs, and no half of one is left where a run cannot be written", async () => {
  await inFolder(async (folder) => {
    const run = await readScoredRun("measured/smollm2-135m-instruct/cdme");
    const [one, two] = [await writeInspectLogs(run, `${folder}/1`), await writeInspectLogs(run, `${folder}/2`)];
    deepEqual(await Deno.readFile(one.paths[0]!), await Deno.readFile(two.paths[0]!));
    const broken = { ...run, replies: [...run.replies, { ...run.replies[0]!, record: null as never }] };
    await rejects(writeInspectLogs(broken, `${folder}/3`));
    deepEqual(await Array.fromAsync(Deno.readDir(`${folder}/3`)), []);
  });
});

Deno.test("the origin and the id in a log are not believed where the model's name or the prompt contradicts them", async () => {
  await inFolder(async (folder) => {
    const sample = {
      ...{ id: "a", epoch: 1, input: "17?", target: ["17"], scores: { fathom: { value: 1 } } },
      metadata: { task: "vt", "max_length": 1024, sample: "ruler-2/forged", sha256: "0", origin: "measured" },
      output: { model: "sim:gpt-4", choices: [{ message: { content: "17" } }] },
    };
    const log = { eval: { task: "vt", model: "none/m" }, samples: [sample] };
    await Deno.writeTextFile(`${folder}/log.json`, JSON.stringify(log));
    await importRun(`${folder}/log.json`, { folder, name: "back" });
    const { replies: [reply] } = await readScoredRun("back", { folder });
    equal(reply!.record.origin, "simulated");
    match(reply!.record.sample, /^ruler-file\/vt\//);
  });
});

Deno.test("a log counts cached tokens beside its input tokens, and both come back as one prompt", async () => {
  await inFolder(async (folder) => {
    const run = await readRun("measured/smollm2-135m-instruct/cdme");
    const counts = { promptTokens: 915, cachedTokens: 551, completionTokens: 9, reasoningTokens: 4 };
    const records = run.records.map((record) => ({ ...record, reply: { ...record.reply, ...counts } as Reply }));
    const counted = withScores({ ...run, records }, scoreRecords(records));
    const { paths } = await writeInspectLogs(counted, `${folder}/logs`);
    const { output } = await readFirst(paths);
    deepEqual(output.usage, {
      ...{ input_tokens: 364, output_tokens: 9, total_tokens: 924 },
      ...{ reasoning_tokens: 4, input_tokens_cache_read: 551 },
    });
    await importRun(`${folder}/logs`, { folder, name: "back" });
    const { records: [back] } = await readScoredRun("back", { folder });
    deepEqual({ ...back!.reply, ...counts }, back!.reply);
  });
});

Deno.test("a log has the prompt as it was sent, with its answer prefix at the end of the last message", async () => {
  await inFolder(async (folder) => {
    const run = await readScoredRun("measured/smollm2-135m-instruct/ruler");
    const replies = [run.replies.find(({ record }) => record.task === "vt")!];
    const { paths } = await writeInspectLogs({ ...run, replies }, folder);
    const { input, metadata } = await readFirst(paths);
    const last: string = typeof input === "string" ? input : input.at(-1).content;
    const prefix: string = metadata["answer_prefix"];
    deepEqual([prefix !== "", last.endsWith(prefix), last.endsWith(prefix + prefix)], [true, true, false]);
  });
});

Deno.test("a log has a chat as its messages, a completion as its text, and no prompt that cannot be made again", async () => {
  await inFolder(async (folder) => {
    const run = await readScoredRun("measured/smollm2-135m-instruct/mrcr");
    const [reply] = run.replies;
    const read = async (changes: Partial<ScoredRun>) => {
      const { paths, lost } = await writeInspectLogs({ ...run, replies: [reply!], ...changes }, folder);
      return { ...await readFirst(paths), lost };
    };
    const { input, messages } = await read({});
    deepEqual([input.length, messages.length, input[1].role, input.at(-1).role], [27, 28, "assistant", "user"]);
    match(input.at(-1).content, /^Prepend \w+ to the 2nd /);
    const template = { ...run.manifest.template, before: "<user>", after: "<model>" };
    const { sample } = remakeSample(reply!.record, { ...await openStudy(run.manifest.study), template });
    const record = { ...reply!.record, sha256: sample.sha256 };
    const wrapped = await read({ manifest: { ...run.manifest, template }, replies: [{ ...reply!, record }] });
    match(wrapped.input, /^User: <user>Here are [^]*User: Prepend \w+ to the 2nd [^]*<model>/);
    deepEqual(wrapped.messages[0], { role: "user", content: wrapped.input, source: "input" });
    const other = await read({ replies: [{ ...reply!, record: { ...reply!.record, sha256: "0".repeat(64) } }] });
    deepEqual([other.input, other.metadata["answer_prefix"], other.lost, wrapped.lost], ["", "", 1, 0]);
  });
});
