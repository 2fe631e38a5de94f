import { equal, match, ok, throws } from "node:assert/strict";
import { coverageBands, coverageFigure, coverageTable, simulateCoverage } from "@/lib/benchmarks/ruler/mod.ts";

const figure = coverageFigure({ title: "They differ", trials: 25 });
const points = [...JSON.stringify(figure.spec).matchAll(/"series":"([^"]+)","x":([\d.]+),"y":([\d.]+)/g)]
  .map(([, series, x, y]) => ({ series: series!, x: Number(x), y: Number(y) }));

Deno.test("coverageFigure() draws four intervals over true scores of 50 to 99.5%, and says what stands behind them", () => {
  equal(new Set(points.map(({ series, x }) => `${series} ${x}`)).size, 400);
  ok(points.every(({ y }) => y >= 0 && y <= 100));
  match(figure.note, /^Measured · 25 samples an interval/);
});

Deno.test("coverageFigure() shows that of 25 samples at 98% the textbook interval holds the truth in 1 - 0.98^25 = 40% of cases", () => {
  // All right gives the point 100, which misses; all other numbers that occur hold it.
  const at98 = (name: string): number => points.find(({ series, x }) => x === 98 && series.startsWith(name))!.y;
  ok(Math.abs(at98("textbook") - 100 * (1 - 0.98 ** 25)) < 0.1);
  ok(at98("mid-p") >= 93 && at98("exact") >= 95);
});

Deno.test("coverageTable() has a row for each kind of score and band", () => {
  const bands = coverageBands(simulateCoverage({ profile: "yi-34b", lengths: [4096], samples: 8, runs: 30 }));
  const { text, note } = coverageTable(bands, { title: "Held", n: "30 runs" });
  match(text, /mean of 13 tasks/);
  match(note, /^Simulated/);
  ok(!text.includes("NaN"));
  throws(() => coverageTable([], { title: "None", n: 0 }), { name: "RangeError" });
});
