import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { cdmeGrid, type CdmeGridName, cdmePlaces } from "@/lib/benchmarks/cdme/grids.ts";

Deno.test("cdmeGrid() asks as many prompts as OpenCompass's configurations", () => {
  // open-compass/opencompass e975a96f: 8·20·10, 32·20·10 and 13·20·10.
  deepEqual((["8k", "32k", "200k"] as const).map((name) => cdmeGrid(name).prompts), [1600, 6400, 2600]);
});

Deno.test("cdmeGrid() steps by 1,000 tokens, and by 16,000 up to 192,000 and 200,000", () => {
  deepEqual(cdmeGrid("8k").lengths, [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]);
  equal(cdmeGrid("32k").lengths.at(-1), 32_000);
  deepEqual(cdmeGrid("200k").lengths.slice(-3), [176_000, 192_000, 200_000]);
  equal(cdmeGrid("8k").samples, 200);
});

Deno.test("cdmeGrid() refuses a name it does not know", () => {
  throws(() => cdmeGrid("16k" as CdmeGridName), {
    name: "RangeError",
    message: 'Cannot give the grid as its name must be one of 8k, 32k, 200k: current value is "16k"',
  });
});

Deno.test("cdmePlaces() agrees with a literal insertion into a list of tokens", () => {
  const options = fc.record({
    tokens: fc.integer({ min: 0, max: 300 }),
    depth: fc.integer({ min: 0, max: 100 }),
    gap: fc.integer({ min: 0, max: 100 }),
    needles: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
  });
  fc.assert(fc.property(options, (given) => {
    const { original, intended } = cdmePlaces(given);
    deepEqual(original, insertLiterally(given));
    ok(original.every((place, at) => at === 0 || place >= original[at - 1]!));
    equal(original[0], intended[0]);
  }));
});

/** The two loops of cdme_multi.py: points first, then insertion with every later point moved on. */
function insertLiterally(given: Parameters<typeof cdmePlaces>[0]): number[] {
  const { tokens, depth, gap, needles } = given;
  const points: number[] = [];
  needles.forEach((_, at) => {
    const point = at === 0
      ? Math.floor(tokens * depth / 100)
      : Math.floor(points[at - 1]! + needles[at - 1]! + tokens * gap / 100);
    points.push(Math.min(point, tokens + needles.slice(0, at).reduce((sum, length) => sum + length, 0)));
  });
  let context: (number | null)[] = Array(tokens).fill(null);
  needles.forEach((length, at) => {
    context = [...context.slice(0, points[at]), ...Array(length).fill(at), ...context.slice(points[at])];
    for (let later = at + 1; later < needles.length; later++) points[later]! += length;
  });
  return needles.map((_, at) => context.slice(0, context.indexOf(at)).filter((token) => token === null).length);
}
