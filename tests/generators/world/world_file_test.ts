import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { worldDocuments } from "@/lib/generators/mod.ts";
import { encodeWorld } from "@/lib/generators/world/world.ts";
import {
  type EncodedWorld,
  packCounts,
  packWorld,
  paragraphCodes,
  unpackCounts,
  unpackWorld,
  type WorldCounts,
} from "@/lib/generators/world/world_file.ts";
import { openEncoding } from "@/lib/text/mod.ts";

const DOCUMENTS = 63_000;
const WORLD = { seed: "packed", names: ["", " Ada", " Bela"] };

/** A byte for each document, which differs from one list to the next. */
const listOf = (first: number): Uint8Array =>
  Uint8Array.from({ length: DOCUMENTS }, (_, number) => first + number % 50);
const countsOf = (first: number): WorldCounts => ({ paragraphs: listOf(first), titles: listOf(first + 50) });

/** A world whose paragraphs have codes of different lengths. */
function worldWith(counts: EncodedWorld["counts"]): EncodedWorld {
  const codes = Array.from(listOf(1), (length, number) => new Uint8Array(length).fill(number % 256));
  return { codes, counts };
}

Deno.test.each(
  [
    ["no tokenizer", []],
    ["one tokenizer", ["cl100k_base"]],
    ["three tokenizers", ["cl100k_base", "o200k_base", "r50k_base"]],
  ] as [string, string[]][],
)("unpackWorld() gives back a world that is packed with the tokens of %s", (_name, names) => {
  const world = worldWith(new Map(names.map((name, place) => [name, countsOf(20 * place)])));
  const { counts, lengths, code } = unpackWorld(packWorld(world, WORLD), WORLD)!;
  deepEqual([counts, lengths], [world.counts, listOf(1)]);
  equal(Buffer.compare(code, Buffer.concat(world.codes as Uint8Array[])), 0);
  const codeOf = paragraphCodes(() => ({ counts, lengths, code }), () => []);
  for (const number of [0, 1, 31_500, 62_999]) {
    deepEqual([...Array.from(codeOf(number))], [...Array.from(world.codes[number]!)]);
  }
});

Deno.test("unpackWorld() takes neither a world of another seed or other names, nor one with a byte that has changed", () => {
  const bytes = packWorld(worldWith(new Map([["cl100k_base", countsOf(0)]])), WORLD);
  for (const other of [{ ...WORLD, seed: "other" }, { ...WORLD, names: ["", " Ada"] }]) {
    equal(unpackWorld(bytes, other), undefined);
  }
  for (const at of [0, 31, 32, 100, bytes.length - 1]) {
    equal(unpackWorld(bytes.with(at, bytes[at]! ^ 1), WORLD), undefined);
  }
  for (const end of [0, 31, 32, 33, bytes.length - 1]) equal(unpackWorld(bytes.subarray(0, end), WORLD), undefined);
});

Deno.test("unpackCounts() gives back what is packed, and nothing where there is none of it or too little", () => {
  const counts = countsOf(3);
  const bytes = packCounts(counts);
  deepEqual(unpackCounts(bytes), counts);
  equal(unpackCounts(packCounts(undefined)), undefined);
  equal(unpackCounts(bytes.subarray(1)), undefined);
});

Deno.test("worldDocuments() reads a world that was packed without counts as the one it draws", async () => {
  const packed = encodeWorld("world", []);
  const [read, own] = [worldDocuments({ hops: 2, packed: () => packed }), worldDocuments({ hops: 2 })];
  for (const number of [0, 1, 5, 31_500, 62_999]) deepEqual(read.document(number), own.document(number));
  equal(read.pieces.tokens(await openEncoding("cl100k_base")), undefined);
});
