import { deepEqual } from "node:assert/strict";
import { CHUNK, chunksOf } from "./_chunks.ts";
import { readLines } from "@/lib/records/line_files.ts";

Deno.test.each([CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK])(
  "readLines() gives lines with their numbers and starts where the first line has %i bytes",
  async (size) => {
    const first = "a".repeat(size);
    const lines = await Array.fromAsync(readLines(chunksOf(`${first}\n\nb\nc`)));
    deepEqual(lines, [
      { text: first, number: 1, start: 0, isEnded: true },
      { text: "b", number: 3, start: size + 2, isEnded: true },
      { text: "c", number: 4, start: size + 4, isEnded: false },
    ]);
  },
);

Deno.test("readLines() takes nothing of an earlier chunk for a part of a shorter one", async () => {
  const [first, second] = ["a".repeat(10), "b".repeat(CHUNK)];
  const lines = await Array.fromAsync(readLines(chunksOf(`${first}\n${second.slice(1)}`)));
  deepEqual(lines, [
    { text: first, number: 1, start: 0, isEnded: true },
    { text: second.slice(1), number: 2, start: 11, isEnded: false },
  ]);
});
