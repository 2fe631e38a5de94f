import { deepEqual, equal } from "node:assert/strict";
import { packWorld, unpackWorld } from "@/lib/generators/world/world.ts";

const DOCUMENTS = 63_000;
const WORLD = { seed: "packed", names: ["", " Ada", " Bela"] };

/** A byte for each of `size` places, which differs from one list to the next. */
const listOf = (first: number, size = DOCUMENTS): Uint8Array =>
  Uint8Array.from({ length: size }, (_, number) => first + number % 50);

/** Codes of different lengths. */
const CODES = Array.from(listOf(1), (length, number) => new Uint8Array(length).fill(number % 256));

Deno.test.each(
  [
    ["no tokenizer", []],
    ["one tokenizer", ["cl100k_base"]],
    ["three tokenizers", ["cl100k_base", "o200k_base", "r50k_base"]],
  ] as [string, string[]][],
)("unpackWorld() gives back a world that is packed with the tokens of %s", (_name, names) => {
  const counts = new Map(names.map((name, place) => [name, listOf(20 * place, 2 * DOCUMENTS)]));
  const unpacked = unpackWorld(packWorld(CODES, counts, WORLD), WORLD)!;
  deepEqual(unpacked.counts, counts);
  for (const number of [0, 1, 31_500, 62_999]) deepEqual(unpacked.codeOf(number), CODES[number]);
});

Deno.test("unpackWorld() takes neither a world of another seed or other names, nor one with a byte that has changed", () => {
  const bytes = packWorld(CODES, new Map([["cl100k_base", listOf(0, 2 * DOCUMENTS)]]), WORLD);
  for (const other of [{ ...WORLD, seed: "other" }, { ...WORLD, names: ["", " Ada"] }]) {
    equal(unpackWorld(bytes, other), undefined);
  }
  for (const at of [0, 31, 32, 100, bytes.length - 1]) {
    equal(unpackWorld(bytes.with(at, bytes[at]! ^ 1), WORLD), undefined);
  }
  for (const end of [0, 31, 32, 33, bytes.length - 1]) equal(unpackWorld(bytes.subarray(0, end), WORLD), undefined);
});
