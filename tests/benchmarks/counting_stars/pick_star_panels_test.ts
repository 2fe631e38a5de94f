import { deepEqual, equal } from "node:assert/strict";
import { openStarsPublished, pickStarPanels } from "@/lib/benchmarks/counting_stars/mod.ts";

const published = await openStarsPublished();

Deno.test("pickStarPanels() names every two panels of one M and N differently", () => {
  const names = pickStarPanels(published).map(({ stars, lengths, model }) => `(${stars}-${lengths}) ${model}`);
  equal(new Set(names).size, 24);
});

Deno.test.each(
  [
    ["west_32_32_temperature", "GPT-4, West, T = 1"],
    ["west_32_32_v2", "GPT-4, West, run 2"],
    ["en_32_32", "GPT-4, English"],
  ] as [string, string][],
)("pickStarPanels() names %s %s", (figure, name) => {
  equal(pickStarPanels(published, [figure])[0]!.model, name);
});

Deno.test("pickStarPanels() keeps the order asked for, gives all where none is, and none of a figure that is not there", () => {
  const picked = pickStarPanels(published, ["west_16_32", "stone_16_32"]);
  deepEqual(picked.map(({ figure }) => figure), ["west_16_32", "west_16_32", "stone_16_32", "stone_16_32"]);
  equal(pickStarPanels(published).length, 24);
  deepEqual(pickStarPanels(published, ["stone_9_9"]), []);
});
