import { match, ok, throws } from "node:assert/strict";
import {
  errorPlaces,
  errorPlacesChart,
  openStarsPublished,
  pickStarPanels,
} from "@/lib/benchmarks/counting_stars/mod.ts";

const panels = pickStarPanels(await openStarsPublished(), ["stone_32_32", "stone_32_32_random"]);
const FROM = { origin: "published", n: "one reply a column" } as const;

Deno.test("errorPlacesChart() has a bar for each matrix and leaves one without errors out", async () => {
  const whole = errorPlaces({ model: "whole", columns: [{ length: 1, cells: [1, 1, 1] }] });
  const figure = errorPlacesChart([...panels.map(errorPlaces), whole], { title: "Thirds", ...FROM });
  const svg = await figure.svg();
  match(svg, /Kimi, Stone, shuffled/);
  ok(!svg.includes("whole"));
  throws(() => errorPlacesChart([whole], { title: "Thirds", ...FROM }), RangeError);
});
