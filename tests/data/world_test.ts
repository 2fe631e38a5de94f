import { Buffer } from "node:buffer";
import { deepEqual, equal, notEqual } from "node:assert/strict";
import { cases } from "../_cases.ts";
import type { DocumentPieces } from "@/lib/generators/mod.ts";
import { encodeWorld, type WorldDocuments, worldDocuments } from "@/lib/generators/world/world.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { ENCODING_NAMES, openEncoding, type Tokenizer } from "@/lib/text/mod.ts";

// The generated world is encoded once, and comes with the project. After a change of its texts:
// deno test -A tests/data/world_test.ts -- --update

const encodings = await Promise.all(ENCODING_NAMES.map(openEncoding));
const PACKED = new URL("../../data/world/told.bin", import.meta.url);

if (Deno.args.includes("--update")) {
  await Deno.writeFile(PACKED, encodeWorld("world", encodings));
}

const packed = await Deno.readFile(PACKED);

Deno.test("the world that comes with the project is the one that is drawn, in paragraphs and in tokens", async () => {
  const { documents: { oneHop, twoHop } } = await openMaterials();
  for (const known of [oneHop, twoHop]) {
    const made = worldDocuments({ hops: known === oneHop ? 1 : 2 });
    const step = Math.floor(made.documentCount / 200);
    const counters = encodings.map((encoding) => ({
      count: known.pieces!.tokens(encoding)!,
      countAfterCut: encoding.countAfterCut,
    }));
    for (let number = 0; number < made.documentCount; number += step) {
      const document = made.document(number);
      deepEqual(known.document(number), document);
      for (const { count, countAfterCut } of counters) {
        equal(count(number), countAfterCut(`${document.text}\n\nA`) - countAfterCut("A"));
      }
    }
  }
});

Deno.test({
  name: "encodeWorld() encodes the world that comes with the project, to the byte",
  ignore: !cases<boolean>(false, true),
  fn(): void {
    equal(Buffer.compare(encodeWorld("world", encodings), packed), 0);
  },
});

Deno.test("worldDocuments() tells a world anew where what it reads is damaged, of another world or absent", () => {
  const damaged = packed.with(packed.length >> 1, packed[packed.length >> 1]! ^ 1);
  const expected = worldDocuments({ hops: 1 }).document(40_000);
  for (
    const [read, seed] of [[damaged, "world"], [packed.subarray(0, 100), "world"], [packed, "other"], [
      undefined,
      "world",
    ]] as const
  ) {
    const world = worldDocuments({ hops: 1, seed, packed: () => read });
    equal(world.pieces.tokens(encodings[0]!), undefined);
    if (seed === "world") deepEqual(world.document(40_000), expected);
    else notEqual(world.document(40_000).text, expected.text);
  }
});

Deno.test("worldDocuments() takes the tokens that are kept for a tokenizer of which the packed world has none", () => {
  const [known] = encodings;
  const tokenizer = { ...known!, name: "another" };
  const kept = new Uint8Array(126_000).fill(7, 0, 63_000).fill(2, 63_000);
  const openCounts = (bytes: Uint8Array | undefined): ReturnType<DocumentPieces["tokens"]> =>
    worldDocuments({ hops: 2, packed: () => packed, keepCounts: () => bytes }).pieces.tokens(tokenizer);
  equal(openCounts(kept)!(5), 9);
  equal(openCounts(kept.subarray(1)), undefined);
  equal(openCounts(undefined), undefined);
  const world = worldDocuments({ hops: 1, packed: () => packed, keepCounts: () => kept });
  equal(world.pieces.tokens(known!)!(5), worldDocuments({ hops: 1, packed: () => packed }).pieces.tokens(known!)!(5));
});

Deno.test({
  name: "worldDocuments() counts all paragraphs to be kept as the packed world has them",
  ignore: !cases<boolean>(false, true),
  fn(): void {
    const tokenizer = { ...encodings[0]!, name: "another" };
    const keepCounts = (_: Tokenizer, count: () => Uint8Array): Uint8Array => count();
    const [{ pieces }, { pieces: known }] = [keepCounts, undefined].map((keep) =>
      worldDocuments({ hops: 2, packed: () => packed, ...(keep ? { keepCounts: keep } : {}) })
    ) as [WorldDocuments, WorldDocuments];
    const [counted, expected] = [pieces.tokens(tokenizer)!, known.tokens(encodings[0]!)!];
    for (let number = 0; number < 63_000; number++) equal(counted(number), expected(number));
  },
});

Deno.test("worldDocuments() reads the packed world once, on first use", () => {
  let reads = 0;
  const world = worldDocuments({
    hops: 1,
    packed(): Uint8Array {
      reads++;
      return packed;
    },
  });
  equal(reads, 0);
  world.document(0);
  world.withHops(2).document(1);
  equal(reads, 1);
});
