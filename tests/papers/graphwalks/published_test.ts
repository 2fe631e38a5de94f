import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { graphCurves, openGraphScores } from "@/lib/papers/graphwalks/published.ts";
import { widestInterval } from "@/lib/papers/graphwalks/published.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

const scores = await openGraphScores();
const TABLE = "../field/tables/graphwalks_f1.csv";

testOnRealData("the published scores of GraphWalks are those of the table that they were read into", {
  reads: TABLE,
  fn(): void {
    const [header, ...rows] = readCsv(readRealText(TABLE).replace(/^#.*\n/, ""), TABLE).map(({ fields }) => fields);
    const bins = header!.slice(2, -1);
    const wanted = rows.flatMap(([model = "", operation = "", ...cells]) =>
      bins.flatMap((bin, at) => cells[at] === "" ? [] : [[model, operation, bin, Number(cells[at])].join()])
    );
    const read = scores.map(({ model, operation, length, score }) => [model, operation, length, score].join());
    const called = (line: string): string =>
      line.replace("Claude Mythos 5 (Fable 5)", "Claude Mythos 5").replace(" (Google-run)", "")
        .replace(/^Gemini \(Oct 2026 release[^,]*\)/, "Gemini of October 2026");
    deepEqual(read.toSorted(), wanted.map(called).sort());
  },
});

Deno.test("widestInterval() of a half has that of right and wrong answers", () => {
  const half = { ...scores[0]!, operation: "bfs", length: "1M", score: 50 } as const;
  // 1.96 × √(0.25 / 100) = 9.8 points.
  deepEqual(widestInterval(half), { score: 50, low: 40.2, high: 59.8 });
  const { low, high } = widestInterval({ ...half, score: 99.96 });
  ok(low > 99 && high === 100);
});

Deno.test("graphCurves() draws models with two lengths, and those of runs beside them", async () => {
  const svg = await graphCurves(scores, { operation: "bfs", title: "BFS" }).svg();
  match(svg, /GPT-5\.4/);
  ok(!svg.includes("GPT-6 Astra"));
  const own = [{ model: "made", tokens: 4096, score: 50, low: 40, high: 60, origin: "simulated" }] as const;
  match(await graphCurves(scores, { operation: "bfs", own, title: "BFS" }).svg(), /made \(simulated\)/);
  equal(new Set(scores.map(({ model, operation, length }) => `${model} ${operation} ${length}`)).size, scores.length);
});
