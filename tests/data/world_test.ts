import { Buffer } from "node:buffer";
import { deepEqual, equal, notEqual } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { tellWorld, worldDocuments } from "@/lib/generators/world/world.ts";
import { openMaterials } from "@/lib/runs/mod.ts";
import { ENCODING_NAMES, openEncoding } from "@/lib/text/mod.ts";

// The generated world is told once, and comes with the project. After a change of its texts:
// deno test -A tests/data/world_test.ts -- --update

const encodings = await Promise.all(ENCODING_NAMES.map(openEncoding));
const TOLD = new URL("../../data/world/told.bin", import.meta.url);

if (Deno.args.includes("--update")) {
  await Deno.writeFile(TOLD, tellWorld("world", encodings));
}

const told = await Deno.readFile(TOLD);

Deno.test("the world that comes with the project is the one that is told, in paragraphs and in tokens", async () => {
  const { documents: { oneHop, twoHop } } = await openMaterials();
  for (const known of [oneHop, twoHop]) {
    const made = worldDocuments({ hops: known === oneHop ? 1 : 2 });
    const step = Math.floor(made.documentCount / 200);
    const counters = encodings.map(({ name, countAfterCut }) => ({
      count: known.pieces!.tokens(name)!,
      countAfterCut,
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
  name: "tellWorld() tells the world that comes with the project, to the byte",
  ignore: !cases<boolean>(false, true),
  fn(): void {
    equal(Buffer.compare(tellWorld("world", encodings), told), 0);
  },
});

Deno.test("worldDocuments() tells a world anew where what it reads is damaged, of another world or absent", () => {
  const damaged = told.with(told.length >> 1, told[told.length >> 1]! ^ 1);
  const expected = worldDocuments({ hops: 1 }).document(40_000);
  for (
    const [read, seed] of [[damaged, "world"], [told.subarray(0, 100), "world"], [told, "other"], [
      undefined,
      "world",
    ]] as const
  ) {
    const world = worldDocuments({ hops: 1, seed, told: () => read });
    equal(world.pieces.tokens("cl100k_base"), undefined);
    if (seed === "world") deepEqual(world.document(40_000), expected);
    else notEqual(world.document(40_000).text, expected.text);
  }
});

Deno.test("worldDocuments() reads what was told when it is first needed, once", () => {
  let reads = 0;
  const world = worldDocuments({
    hops: 1,
    told(): Uint8Array {
      reads++;
      return told;
    },
  });
  equal(reads, 0);
  world.document(0);
  world.withHops(2).document(1);
  equal(reads, 1);
});
