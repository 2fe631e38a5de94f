import { equal } from "node:assert/strict";
import { publishedLimit } from "@/lib/papers/needle_threading/contours.ts";
import { openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";

const { contours } = await openThreadingPublished();

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
