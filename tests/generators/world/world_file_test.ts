import { deepEqual, equal } from "node:assert/strict";
import { worldDocuments } from "@/lib/generators/mod.ts";
import { tellWorld } from "@/lib/generators/world/world.ts";
import {
  packCounts,
  packWorld,
  type ToldWorld,
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

function toldWith(counts: ToldWorld["counts"]): ToldWorld {
  return { tellings: Uint8Array.of(7, 0, 32, 9), lengths: listOf(1), counts };
}

Deno.test.each(
  [
    ["no tokenizer", []],
    ["one tokenizer", ["cl100k_base"]],
    ["three tokenizers", ["cl100k_base", "o200k_base", "r50k_base"]],
  ] as [string, string[]][],
)("unpackWorld() gives back a world that is packed with the tokens of %s", (_name, names) => {
  const told = toldWith(new Map(names.map((name, place) => [name, countsOf(20 * place)])));
  deepEqual(unpackWorld(packWorld(told, WORLD), WORLD), told);
});

Deno.test("unpackWorld() takes neither a world of another seed or other names, nor one with a byte that has changed", () => {
  const bytes = packWorld(toldWith(new Map([["cl100k_base", countsOf(0)]])), WORLD);
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

Deno.test("worldDocuments() reads a world that was told without any tokenizer as the one it tells itself", async () => {
  const told = tellWorld("world", []);
  const [read, own] = [worldDocuments({ hops: 2, told: () => told }), worldDocuments({ hops: 2 })];
  for (const number of [0, 1, 5, 31_500, 62_999]) deepEqual(read.document(number), own.document(number));
  equal(read.pieces.tokens(await openEncoding("cl100k_base")), undefined);
});
