import { deepEqual, equal, match } from "node:assert/strict";
import { contourFigure, levelFits, openThreadingPublished, publishedLimit } from "@/lib/papers/needle_threading/mod.ts";

const published = await openThreadingPublished();
const { contours } = published;

Deno.test.each(
  [
    // On a bend, between two bends, left of a line's beginning, and on a level line.
    ["Gemini 1.5 Pro", 50, 332],
    ["Gemini 1.5 Pro", 45, (366 + 332) / 2],
    ["Jamba 1.5 Mini", 0, null],
    ["GPT-4o", 73, 211],
    // Reka Core is above the level again over its lowest line at a depth of 30 and 100, below it for good at 60.
    ["Reka Core", 30, 102],
    ["Reka Core", 60, 5],
    ["Reka Core", 100, null],
    // Reka Flash fails at 5K at the very beginning, and is above the level again over that.
    ["Reka Flash", 0, 104],
  ] as [string, number, number | null][],
)("publishedLimit() of %s at a depth of %d%% is %s", (model, at, limit) => {
  equal(publishedLimit(contours, { task: "single_needle", model, at }), limit);
});

Deno.test("publishedLimit() is 0 where a line has left the figure below, and the upper of two lines where both are crossed", () => {
  const at = (model: string, needles: number) =>
    publishedLimit(contours, { task: "multiple_needles", model, at: needles });
  equal(at("Jamba 1.5 Mini", 25), 0);
  equal(at("LLaMA 3.1 405b", 25), 19);
  equal(at("Reka Core", 5), null, "no line of it is to be seen");
});

Deno.test("levelFits() finds that 75% explains Table 2, and no other level as much", () => {
  const fits = levelFits(published);
  deepEqual(fits.toSorted((left, right) => right.explained - left.explained).slice(0, 3), [
    { level: 75, explained: 11, of: 12 },
    { level: 76, explained: 9, of: 12 },
    { level: 88, explained: 8, of: 12 },
  ]);
  // Single needles are always found at 1.2K, so no level near 0 can be crossed.
  deepEqual(levelFits(published, [5]), [{ level: 5, explained: 0, of: 12 }]);
});

Deno.test("levelFits() explains nothing where no answer is wrong", () => {
  const perfect = { ...published, scores: published.scores.map((row) => ({ ...row, score: 100 })) };
  equal(Math.max(...levelFits(perfect).map(({ explained }) => explained)), 0);
});

Deno.test("contourFigure() draws further models among the published ones, and says which is which", async () => {
  const own = [{ series: "mine", difficulty: 50, limit: 12, low: 8, high: 15, isBeyond: false }];
  const figure = contourFigure(contours, { task: "single_needle", title: "By depth", own, origin: "simulated" });
  deepEqual(figure.origins.toSorted(), ["published", "simulated"]);
  match(await figure.svg(), /mine \(simulated\)/);
});
