import { deepEqual, equal, throws } from "node:assert/strict";
import type { Model } from "@/lib/models/mod.ts";
import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
import { csvText, replyRows } from "@/lib/exchange/mod.ts";
import { runStudy, type StudyRun } from "@/lib/asking/mod.ts";
import { scoreRecords } from "@/lib/records/mod.ts";
import { readCsv } from "@/lib/statistics/mod.ts";
import fc from "fast-check";

async function ask(model: Model, tasks: readonly string[]): Promise<StudyRun> {
  const folder = await Deno.makeTempDir();
  try {
    return await runStudy(checkStudy({ tasks, lengths: [2048], samples: 1 }), { name: "rows", model, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
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
  deepEqual(rows[0]?.wanted, run.replies[0]?.record.references.join(" | "));
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

Deno.test("csvText() is read back as it was written, whatever the texts", () => {
  const text = fc.string({ unit: "grapheme" }).filter((drawn) => !/^[=+\-@\t\r\uFEFF]/.test(drawn));
  const rows = fc.array(fc.record({ reply: text, index: fc.integer() }), { minLength: 1 });
  fc.assert(
    fc.property(rows, (drawn) => {
      const [head, ...body] = readCsv(csvText(drawn), "rows.csv");
      deepEqual(head?.fields, ["reply", "index"]);
      deepEqual(body.map(({ fields }) => fields), drawn.map(({ reply, index }) => [reply, String(index)]));
    }),
  );
});

Deno.test.each([
  ["a formula", '=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["a plus", "+1", "'+1"],
  ["a minus", "-1+1", "'-1+1"],
  ["an at sign", "@SUM(A1)", "'@SUM(A1)"],
  ["a tab", "\t=1", "'\t=1"],
  ["a carriage return", "\r=1", `"'\r=1"`],
] as [string, string, string][])("csvText() makes a reply that begins with %s harmless", (_name, reply, want) => {
  equal(csvText([{ reply }]), `reply\r\n${want}\r\n`);
});

Deno.test("csvText() leaves numbers as they are and null empty", () => {
  equal(csvText([{ away: -0.5, depth: null }]), "away,depth\r\n-0.5,\r\n");
});

Deno.test("csvText() refuses no rows, and rows of other fields", () => {
  throws(() => csvText([]), {
    name: "RangeError",
    message: "Cannot write CSV as there must be at least one row: current value is 0",
  });
  throws(() => csvText([{ a: 1, b: 2 }, { a: 1 }]), {
    name: "RangeError",
    message: "Cannot write CSV as every row must have the fields a, b: current value is a",
  });
});
