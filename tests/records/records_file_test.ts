import { deepEqual, equal, rejects } from "node:assert/strict";
import type { RunRecord } from "@/lib/records/mod.ts";
import { chunksOf } from "./_chunks.ts";
import { noRecords, noteRecords } from "@/lib/records/records_file.ts";

/** A record that is whole, with a reply of so many characters. */
function recordOf(index: number, characters = 10): string {
  return JSON.stringify({
    sample: `s${index}`,
    sha256: "0",
    suite: "toy-1",
    task: "sum",
    length: 512,
    index,
    seed: "1",
    promptTokens: 9,
    references: ["1"],
    scoring: "all",
    model: "m",
    origin: "measured",
    settings: {},
    fathom: "0.1.0",
    time: "",
    reply: { kind: "answer", text: "é".repeat(characters), finishReason: "stop", latencyMs: 1, attempts: 1 },
  });
}

async function read(text: string): Promise<readonly RunRecord[]> {
  const known = noRecords();
  await noteRecords(known, chunksOf(text), "records.jsonl");
  return [...known.latest.values()];
}

Deno.test("noteRecords() gives each line back, however it falls into chunks, blank lines left out", async () => {
  const sizes = [10, 32_000, 32_768, 65_000, 200_000, 1];
  const lines = sizes.map((size, index) => recordOf(index, size));
  const records = await read(`${lines.join("\n\n")}\n`);
  deepEqual(records.map((record) => JSON.stringify(record)), lines);
});

Deno.test("noteRecords() reads a line of 60 MB in seconds, as its chunks are joined once", async () => {
  const [record] = await read(recordOf(0, 30_000_000));
  equal(record?.reply.kind === "answer" && record.reply.text.length, 30_000_000);
});

Deno.test("noteRecords() quotes both ends of a long line that is no record", async () => {
  await rejects(read(`${"a".repeat(100)}\n`), {
    name: "SyntaxError",
    message: /each line must be a record: line 1: it must be JSON: current value is a{30}… \(40 characters\) …a{30}; /,
  });
});
