import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import type { Model } from "@/lib/models/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { openCsv } from "@/lib/exchange/rows.ts";
import { replyRows, writeRows } from "@/lib/exchange/mod.ts";
import { runStudy, type StudyRun } from "@/lib/asking/mod.ts";
import { openMeasured, type RunRecord, type ScoredRun, scoreRecords } from "@/lib/records/mod.ts";
import { readCsv } from "@/lib/statistics/mod.ts";
import fc from "fast-check";

async function ask(model: Model, tasks: readonly string[]): Promise<StudyRun> {
  return await inFolder((folder) =>
    runStudy(checkStudy({ tasks, lengths: [2048], samples: 1 }), { name: "rows", model, folder })
  );
}

Deno.test("replyRows() is a row a reply, with depth where there is one target and the way of failing where there is one", async () => {
  const run = await ask(simulatedModel("mute"), ["niah_single_1", "vt"]);
  const rows = await replyRows(run);
  deepEqual(rows.map(({ task, score, failure, reply }) => [task, score, failure, reply]), [
    ["niah_single_1", 0, "empty", ""],
    ["vt", 0, "empty", ""],
  ]);
  equal(typeof rows[0]?.depth, "number");
  equal(rows[1]?.depth, null);
  match(rows[0]!.question, /^What is the special magic number for \S+ mentioned in the provided text\?$/);
  deepEqual(rows[0]?.wanted, run.replies[0]?.record.references.join(" | "));
});

Deno.test("replyRows() finds the questions of records that lack them, and none where the sample is not the recorded text", async () => {
  const run = await ask(simulatedModel("ideal"), ["vt"]);
  const withRecord = (change: Partial<RunRecord>): ScoredRun => ({
    ...run,
    replies: run.replies.map((reply) => {
      const { question: _, ...record } = reply.record;
      return { ...reply, record: { ...record, ...change } };
    }),
  });
  const [kept] = await replyRows(run);
  match(kept!.question, /^Find all variables that are assigned the value \d+ in the text above\.$/);
  deepEqual((await replyRows(withRecord({}))).map(({ question }) => question), [kept!.question]);
  deepEqual((await replyRows(withRecord({ sha256: "0".repeat(64) }))).map(({ question }) => question), [""]);
});

Deno.test("replyRows() has what was scored, and the score of the whole reply beside that of its first answer", async () => {
  const model = { ...simulatedModel("ideal"), settings: { a: 1 } };
  const run = await ask(model, ["niah_single_1"]);
  const [whole] = await replyRows(run);
  deepEqual([whole?.scored, whole?.whole, whole?.score, whole?.settings], ["whole", null, 1, '{"a":1}']);
  const replies = scoreRecords(run.records, { scored: "first" });
  const [first] = await replyRows({ ...run, replies });
  deepEqual([first?.scored, first?.whole, first?.score], ["first", 1, 1]);
});

Deno.test("replyRows() says of a failed call what failed, and gives it no score", async () => {
  const failure = { kind: "failure", failure: "timeout", message: "No reply came", latencyMs: 9, attempts: 3 } as const;
  const run = await ask({ ...simulatedModel("ideal"), ask: () => Promise.resolve(failure) }, ["niah_single_1"]);
  const [row] = await replyRows(run);
  deepEqual([row?.score, row?.penalised, row?.why, row?.failure, row?.finish, row?.reply], [
    ...[null, null, "timeout: No reply came", "failed call", null, ""],
  ]);
});

Deno.test("openCsv() is read back as it was written, whatever the texts", () => {
  const text = fc.string({ unit: "grapheme" }).filter((drawn) => !/^[=+\-@\t\r\uFEFF]/.test(drawn));
  const rows = fc.array(fc.record({ reply: text, index: fc.integer() }), { minLength: 1 });
  fc.assert(
    fc.property(rows, (drawn) => {
      const [head, ...body] = readCsv(drawn.map(openCsv()).join(""), "rows.csv");
      deepEqual(head?.fields, ["reply", "index"]);
      deepEqual(body.map(({ fields }) => fields), drawn.map(({ reply, index }) => [reply, String(index)]));
    }),
  );
});

Deno.test.each([
  ["a formula", '=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["a minus", "-1+1", "'-1+1"],
  ["an at sign", "@SUM(A1)", "'@SUM(A1)"],
  ["a tab", "\t=1", "'\t=1"],
  ["a carriage return", "\r=1", `"'\r=1"`],
] as [string, string, string][])("openCsv() makes a reply that begins with %s harmless", (_name, reply, want) => {
  equal(openCsv()({ reply }), `reply\r\n${want}\r\n`);
});

Deno.test("openCsv() leaves numbers as they are and null empty, and refuses rows of other fields", () => {
  equal(openCsv()({ away: -0.5, depth: null }), "away,depth\r\n-0.5,\r\n");
  throws(() => [{ a: 1, b: 2 }, { a: 1 }].map(openCsv()), {
    name: "RangeError",
    message: "Cannot write CSV as every row must have the fields a, b: current value is a",
  });
});

Deno.test("writeRows() writes the replies of a real run as JSON lines and CSV", async () => {
  const run = (await openMeasured({ benchmark: "cdme", model: "gemma-3-270m" }))[0]!;
  const rows = await replyRows(run);
  await inFolder(async (folder) => {
    for (const ending of ["jsonl", "csv"]) equal(await writeRows(rows, `${folder}/new/rows.${ending}`), rows.length);
    const lines = (await Deno.readTextFile(`${folder}/new/rows.jsonl`)).trimEnd().split("\n");
    deepEqual(lines.map((line) => JSON.parse(line)), rows);
    const [head, ...body] = readCsv(await Deno.readTextFile(`${folder}/new/rows.csv`), "rows.csv");
    deepEqual([head!.fields, body.length], [Object.keys(rows[0]!), rows.length]);
  });
});

Deno.test("writeRows() refuses another ending and no rows", async () => {
  await rejects(writeRows([{ a: 1 }], "rows.xlsx"), /must end in \.csv, \.jsonl: current value is "rows\.xlsx"/);
  await rejects(writeRows([], "rows.csv"), /there must be at least one: current value is 0/);
});

Deno.test("writeRows() leaves the earlier file whole, and no piece of a file, if a row fails or the disk is full", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/rows.jsonl`;
  await writeRows([{ a: 1 }], path);
  const failing = async function* (): AsyncGenerator<{ a: number }> {
    for (let a = 0; a < 20_000; a++) yield { a };
    throw new RangeError("no more");
  };
  await rejects(writeRows(failing(), path), { message: "no more" });
  equal(await Deno.readTextFile(path), '{"a":1}\n');
  deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["rows.jsonl"]);
  await Deno.remove(folder, { recursive: true });
});
