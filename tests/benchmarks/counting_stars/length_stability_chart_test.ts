import { match } from "node:assert/strict";
import {
  lengthStability,
  lengthStabilityChart,
  lengthStabilityTable,
  openStarsPublished,
  pickStarPanels,
} from "@/lib/benchmarks/counting_stars/mod.ts";

const panels = pickStarPanels(await openStarsPublished(), ["stone_32_32", "stone_32_32_random"]);

Deno.test("lengthStabilityChart() and lengthStabilityTable() say won pairs, chance and pairs", async () => {
  const rows = panels.map((panel) => lengthStability(panel, { seed: "t", rounds: 99 }));
  const options = { title: "Up again", origin: "published" } as const;
  match(await lengthStabilityChart(rows, options).svg(), /496 pairs of lengths/);
  const { text } = lengthStabilityTable(rows, options);
  // 83 of 496 pairs in Kimi's shuffled panel.
  match(text, /Kimi, Stone, shuffled +16\.7/);
});
