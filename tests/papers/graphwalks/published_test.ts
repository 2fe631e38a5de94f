import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { graphCurves } from "@/lib/papers/graphwalks/figures.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { type Evidence, readCsv } from "@/lib/statistics/mod.ts";

const scores = await openEvidence("graphwalks");
const SIZES = new Map<number | null, string>([[262_144, "256K"], [1_048_576, "1M"]]);
const TABLE = "../field/tables/graphwalks_f1.csv";

testOnRealData("the published scores of GraphWalks are those of the table that they were read into", {
  reads: TABLE,
  fn(): void {
    const [header, ...rows] = readCsv(readRealText(TABLE).replace(/^#.*\n/, ""), TABLE).map(({ fields }) => fields);
    const bins = header!.slice(2, -1);
    const wanted = rows.flatMap(([model = "", operation = "", ...cells]) =>
      bins.flatMap((bin, at) => cells[at] === "" ? [] : [[model, operation, bin, Number(cells[at])].join()])
    );
    const read = scores.map(({ model, knobs, length, score }) =>
      [model, knobs["operation"], knobs["lengths"] ?? SIZES.get(length), score].join()
    );
    const called = (line: string): string =>
      line.replace("Claude Mythos 5 (Fable 5)", "Claude Mythos 5").replace(" (Google-run)", "")
        .replace(/^Gemini \(Oct 2026 release[^,]*\)/, "Gemini of October 2026");
    deepEqual(read.toSorted(), wanted.map(called).sort());
  },
});

Deno.test("graphCurves() draws models with two lengths, and those of runs beside them", async () => {
  const svg = await graphCurves(scores, { task: "graphwalks_bfs", title: "BFS" }).svg();
  match(svg, /GPT-5\.4/);
  ok(!svg.includes("GPT-6 Astra"));
  const own: Evidence = { ...scores[0]!, model: "made", length: 4096, score: 50, origin: "simulated" };
  match(await graphCurves([...scores, own], { task: "graphwalks_bfs", title: "BFS" }).svg(), /made \(simulated\)/);
  equal(new Set(scores.map(({ model, task, length }) => `${model} ${task} ${length}`)).size, scores.length);
});
