import { deepEqual, equal, ok } from "node:assert/strict";
import { errorPlaces, openStarsPublished } from "@/lib/benchmarks/counting_stars/mod.ts";

const { panels } = await openStarsPublished();

function places(figure: string, model: string): ReturnType<typeof errorPlaces> {
  return errorPlaces(panels.find((panel) => panel.figure === figure && panel.model.startsWith(model))!);
}

Deno.test.each(
  // Counted by hand from the bits: errors, and percent in the first, middle and last third.
  [
    ["stone_16_32", "GPT-4", 18, [89, 6, 6], "first"],
    ["stone_32_32", "GPT-4", 33, [33, 58, 9], "middle"],
    ["stone_32_16", "GPT-4", 11, [9, 82, 9], "middle"],
    ["stone_32_32", "Kimi", 139, [5, 29, 66], "last"],
    ["west_16_32", "Kimi", 27, [0, 7, 93], "last"],
    ["west_16_32", "GPT-4", 8, [50, 0, 50], null],
    ["en_32_32", "Kimi", 107, [33, 47, 21], "middle"],
  ] as [string, string, number, number[], string | null][],
)("errorPlaces() of %s by %s", (figure, model, errors, thirds, most) => {
  const found = places(figure, model);
  equal(found.errors, errors);
  deepEqual([found.first, found.middle, found.last].map((share) => Math.round(100 * share!)), thirds);
  equal(found.most, most);
});

Deno.test("errorPlaces() finds the star that Kimi misses in English at 29 of 32 lengths: the 19th, whose count is 75", () => {
  const { worstStar, worstShare } = places("en_32_32", "Kimi");
  equal(worstStar, 19);
  equal(worstShare, 29 / 107);
});

Deno.test("errorPlaces() has thirds that add up to 1, and none where nothing is lost", () => {
  for (const panel of panels) {
    const { first, middle, last } = errorPlaces(panel);
    ok(Math.abs(first! + middle! + last! - 1) < 1e-9);
  }
  const whole = errorPlaces({ model: "m", columns: [{ length: 1, cells: [1, 1, 1] }] });
  deepEqual([whole.errors, whole.first, whole.most, whole.worstStar], [0, null, null, null]);
});
