import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import { userPrompt } from "@/lib/generators/mod.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { graphAnswer } from "@/lib/papers/graphwalks/claims.ts";
import { blindScores, graphCurves } from "@/lib/papers/graphwalks/figures.ts";
import { GRAPHWALKS_PAPER } from "@/lib/papers/graphwalks/paper.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";
import { type CheckedClaim, type Evidence, mean, readCsv } from "@/lib/statistics/mod.ts";

const scores = await openEvidence("graphwalks");
const TABLE = "../field/tables/graphwalks_f1.csv";

testOnRealData("the published scores of GraphWalks are those of the table that they were read into", {
  reads: TABLE,
  fn(): void {
    const [header, ...rows] = readCsv(readRealText(TABLE).replace(/^#.*\n/, ""), TABLE).map(({ fields }) => fields);
    const wanted = rows.flatMap(([model = "", operation = "", ...cells]) =>
      cells.slice(0, -1).flatMap((cell, at) =>
        cell === "" ? [] : [[model, operation, header![at + 2], Number(cell)].join()]
      )
    );
    const sizes = new Map<number | null, string>([[262_144, "256K"], [1_048_576, "1M"]]);
    const read = scores.map(({ model, knobs, length, score }) =>
      [model, knobs["operation"], knobs["lengths"] ?? sizes.get(length), score].join()
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
});

Deno.test("graphAnswer() counts the published scores that fall with length", () => {
  equal(
    graphAnswer(scores),
    "Less and less well: every published score falls from the shortest graph to the longest. " +
      "Of 10 scores, each of a model and an operation, 9 fall by more than 10 points.",
  );
  const rising = scores.map((row) => ({ ...row, score: 100 - row.score }));
  equal(graphAnswer(rising).split(":")[0], "Published scores do not agree");
});

const OPTIONS = {
  parents: { operation: "parents" },
  bfs: { operation: "bfs", depth: 2 },
  deep: { operation: "bfs", depth: 4 },
};

/** Checks the run claims on 40 replies a task and length, with a score for each task, and a gain at the greater length. */
function check(
  scoreOf: Readonly<Partial<Record<keyof typeof OPTIONS, number>>>,
  gain: number,
): readonly CheckedClaim[] {
  const replies = Object.entries(scoreOf).flatMap(([task, score]) =>
    [4096, 65_536].flatMap((length, at) =>
      Array.from({ length: 40 }, (_, index) => {
        // A quarter of the parents do not exist, so that a model that lists nothing is right.
        const references = task === "parents" && index < 10 ? [] : ["a"];
        const value = references.length === 0 ? 1 : score + at * gain;
        return { task, length, value, failed: false, noAnswer: false, record: { index, seed: "1", references } };
      })
    )
  );
  const tasks = Object.fromEntries(Object.entries(OPTIONS).map(([task, options]) => [task, { options }]));
  return checkRunClaims(GRAPHWALKS_PAPER, [{ replies: replies as unknown as ScoredReply[], manifest: { tasks } }]);
}

Deno.test.each([
  ["hold for a model that loses length, steps and depth", { parents: 0.9, bfs: 0.6, deep: 0.3 }, -0.3, "holds"],
  ["fail for a model that gains with them", { parents: 0.1, bfs: 0.4, deep: 0.7 }, 0.3, "fails"],
  ["are open where only parents that do not exist are found", { parents: 0, bfs: 0, deep: 0 }, 0, "cannot tell"],
  ["are open where nothing differs", { parents: 0.5, bfs: 0.5, deep: 0.5 }, 0, "cannot tell"],
])("run claims %s", (_, scoreOf, gain, verdict) => {
  deepEqual(check(scoreOf, gain).map((claim) => claim.verdict), Array(3).fill(verdict));
});

Deno.test("a knob of one task alone is not varied", () => {
  equal(check({ parents: 0.9, bfs: 0.6 }, 0).at(-1)!.observed, "The knob depth was not varied.");
});

Deno.test("blindScores() of two right nodes of eight, and of parents on average as expected of random edges", async () => {
  const edges = [..."abcdefgh"].map((node) => `${node} -> a\n`).join("");
  const prompt = userPrompt(`The graph has the following edges:\n${edges}\n\nOperation:\n`);
  // All nodes: precision 2/8, recall 1. Two random nodes: each is right with probability 2/8.
  deepEqual(blindScores({ prompt, references: ["a", "b"] }), { allNodes: 0.4, randomNodes: 0.25, noNode: 0 });
  deepEqual(blindScores({ prompt, references: [] }), { allNodes: 0, randomNodes: 0, noNode: 1 });
  const materials = await openTestMaterials("cl100k_base");
  const task = GRAPH_WALKS.make({ degree: 2 });
  const found = Array.from(
    { length: 1500 },
    (_, index) => blindScores(task.sample({ length: 1500, seed: "chance", index, materials })),
  );
  // Of about 30 nodes with 2 edges each, every other one is a parent with this probability, independently.
  const isParent = 1 - (1 - 1 / 30) ** 2;
  ok(Math.abs(mean(found.map(({ randomNodes }) => randomNodes)) - 29 * isParent / 30) < 0.04);
  ok(Math.abs(mean(found.map(({ noNode }) => noNode)) - (1 - isParent) ** 29) < 0.04);
});
