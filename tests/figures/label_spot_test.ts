import { deepEqual } from "node:assert/strict";
import { labelSpot } from "@/lib/figures/layers.ts";

const SIZE = { at: 0.5, width: 500, height: 300 };

Deno.test("labelSpot() stands left under its line where nothing is in the way", () => {
  deepEqual(labelSpot("to reach", { ...SIZE, lines: [] }), { side: "left", over: false });
});

Deno.test("labelSpot() keeps clear of a line that falls through the threshold", () => {
  const falling = [{ x: 0, y: 0.52 }, { x: 0.2, y: 0.47 }, { x: 1, y: 0.1 }];
  deepEqual(labelSpot("to reach", { ...SIZE, lines: [falling] }), { side: "right", over: true });
});

Deno.test("labelSpot() stays inside the chart", () => {
  const low = [{ x: 0, y: 0.02 }, { x: 1, y: 0.02 }];
  deepEqual(labelSpot("to reach", { ...SIZE, at: 0.01, lines: [low] }).over, true);
  deepEqual(labelSpot("to reach", { ...SIZE, at: 0.99, lines: [] }).over, false);
});
