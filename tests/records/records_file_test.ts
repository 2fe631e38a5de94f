import { deepEqual, equal, rejects } from "node:assert/strict";
import type { RunRecord } from "@/lib/records/mod.ts";
import { heldBytes, readLines, readRecords } from "@/lib/records/records_file.ts";

/** A record that is whole, with a reply of so many characters. */
function recordOf(index: number, characters = 10): string {
  return JSON.stringify({
    ...{
      sample: `s${index}`,
      sha256: "0",
      suite: "toy-1",
      task: "sum",
      length: 512,
      index,
      seed: "1",
      promptTokens: 9,
    },
    ...{ references: ["1"], scoring: "all", model: "m", origin: "measured", settings: {}, fathom: "0.1.0", time: "" },
    reply: { kind: "answer", text: "é".repeat(characters), finishReason: "stop", latencyMs: 1, attempts: 1 },
  });
}

async function read(text: string): Promise<readonly RunRecord[]> {
  return await Array.fromAsync(readRecords(heldBytes(new TextEncoder().encode(text)), { path: "records.jsonl" }));
}

Deno.test("readRecords() gives each line back, however it falls into chunks, blank lines left out", async () => {
  const sizes = [10, 32_000, 32_768, 65_000, 200_000, 1];
  const lines = sizes.map((size, index) => recordOf(index, size));
  const records = await read(`${lines.join("\n\n")}\n`);
  deepEqual(records.map((record) => JSON.stringify(record)), lines);
});

Deno.test("readRecords() reads a line of 60 MB in seconds, as its chunks are joined once", async () => {
  const [record] = await read(recordOf(0, 30_000_000));
  equal(record?.reply.kind === "answer" && record.reply.text.length, 30_000_000);
});

const CHUNK = 1 << 16;

Deno.test.each([CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK])(
  "readLines() gives lines with their numbers and starts where the first line has %i bytes",
  async (size) => {
    const first = "a".repeat(size);
    const lines = await Array.fromAsync(readLines(heldBytes(new TextEncoder().encode(`${first}\n\nb\nc`))));
    deepEqual(lines, [
      { text: first, number: 1, start: 0, isEnded: true },
      { text: "b", number: 3, start: size + 2, isEnded: true },
      { text: "c", number: 4, start: size + 4, isEnded: false },
    ]);
  },
);

Deno.test("readLines() takes nothing of an earlier chunk for a part of a shorter one", async () => {
  const [first, second] = ["a".repeat(10), "b".repeat(CHUNK)];
  const lines = await Array.fromAsync(readLines(heldBytes(new TextEncoder().encode(`${first}\n${second.slice(1)}`))));
  deepEqual(lines, [
    { text: first, number: 1, start: 0, isEnded: true },
    { text: second.slice(1), number: 2, start: 11, isEnded: false },
  ]);
});

Deno.test("readRecords() quotes both ends of a long line that is no record", async () => {
  await rejects(read(`${"a".repeat(100)}\n`), {
    name: "SyntaxError",
    message: /each line must be a record: line 1: it must be JSON: current value is a{30}… \(40 characters\) …a{30}; /,
  });
});
