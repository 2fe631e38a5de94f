import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
import type { NeedleType } from "@/lib/benchmarks/ruler/needles.ts";
import type { Sample } from "@/lib/generators/mod.ts";

const TYPES: readonly NeedleType[] = ["words", "numbers", "uuids"];
const PAIRS = TYPES.flatMap((keyType) => TYPES.map((valueType) => ({ keyType, valueType })));
const materials = await openTestMaterials("cl100k_base");

/** Checks that all keys and values of a sample differ and that none is part of another; `askedKeys` keys have several values. */
function checkApart({ id, facts }: Sample, askedKeys: number, values: number): void {
  const texts = new Set(facts.flatMap(({ key, value }) => [key, value]));
  equal(texts.size, facts.length + facts.length - askedKeys * (values - 1), `${id} has a text twice`);
  const lengths = [...new Set([...texts].map(({ length }) => length))];
  for (const text of texts) {
    for (const length of lengths) {
      if (length >= text.length) continue;
      for (let start = 0; start + length <= text.length; start++) {
        const part = text.slice(start, start + length);
        ok(!texts.has(part), `${id}: "${part}" is part of "${text}"`);
      }
    }
  }
}

Deno.test("NIAH.make() makes no key or value that equals or holds another, in 1,080 samples of all types", () => {
  let samples = 0;
  for (const pair of PAIRS) {
    const hidden = NIAH.make({ ...pair, haystack: "noise", keys: 8, values: 3, queries: 2 });
    const filler = NIAH.make({ ...pair, haystack: "needle" });
    for (let index = 0; index < 60; index++) {
      checkApart(hidden.sample({ length: 2048, seed: "apart", index, materials }), 8, 3);
      checkApart(filler.sample({ length: 4096, seed: "apart", index, materials }), 1, 1);
      samples += 2;
    }
  }
  equal(samples, 1080);
});

Deno.test.each(PAIRS.map(({ keyType, valueType }) => [keyType, valueType] as const))(
  "NIAH.make() keeps keys (%s) and values (%s) apart among needles of 131,072 tokens",
  (keyType, valueType) => {
    const task = NIAH.make({ keyType, valueType, haystack: "needle" });
    checkApart(task.sample({ length: 131_072, seed: "apart", index: 0, materials }), 1, 1);
  },
);

Deno.test("NIAH.make() keeps words apart among needles of 1,000,000 tokens", () => {
  const task = NIAH.make({ keyType: "words", valueType: "words", haystack: "needle" });
  const sample = task.sample({ length: 1_000_000, seed: "apart", index: 0, materials });
  ok(sample.facts.length > 40_000);
  checkApart(sample, 1, 1);
});

Deno.test("NIAH.make() names the answer of word needles by their value alone: it stands in one needle and nowhere else", () => {
  const task = NIAH.make({ keyType: "words", valueType: "words", haystack: "needle" });
  for (let index = 0; index < 30; index++) {
    const { prompt, references } = task.sample({ length: 16_384, seed: "once", index, materials });
    deepEqual(references.map((reference) => prompt.user.split(reference).length - 1), [1]);
  }
});
