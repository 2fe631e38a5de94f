import { deepEqual, equal, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { runPython } from "../../_python.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import {
  type BlindScores,
  blindScores,
  GRAPH_SCORERS,
  type GraphScorerName,
} from "@/lib/benchmarks/graphwalks/scorer.ts";
import { userPrompt } from "@/lib/generators/mod.ts";
import { integer, pick, stream } from "@/lib/random/mod.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

const NAMES = Object.keys(GRAPH_SCORERS) as GraphScorerName[];

function scoresOf(reply: string, references: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(
    NAMES.map((name) => [name, GRAPH_SCORERS[name].grade(reply, { references }).score.value]),
  );
}

const GOLDEN = "../field/tables/graphwalks_scorer_golden.csv";

testOnRealData("the five scorers of GraphWalks equal their sources on replies that were scored by them", {
  reads: GOLDEN,
  fn(): void {
    const [header, ...rows] = readCsv(readRealText(GOLDEN), GOLDEN).map(({ fields }) => fields);
    deepEqual(header, ["reply", "truth", "card", "lm_eval_f1", "lm_eval_flexible_f1", "openbench", "nemo_gym"]);
    for (const [reply = "", truth = "", ...scores] of rows) {
      const [card, harness, flexible, openbench, nemo] = scores.map(Number);
      const references = truth.split("|").filter((node) => node !== "");
      deepEqual(
        scoresOf(reply.replaceAll("\\n", "\n"), references),
        { nemo, "lm-eval": harness, "lm-eval-flexible": flexible, openbench, card },
        reply,
      );
    }
    equal(rows.length, 13);
  },
});

// Known values, so that the rules are checked where the tables are absent.
Deno.test.each([
  ["Final Answer: [a, b]", ["a", "b"], [1, 1, 1, 1, 0.5], 1],
  ["Final Answer: [a, c]", ["a", "b"], [0.5, 0.5, 0.5, 0.5, 1], 0],
  ["Final Answer: []", [], [1, 0, 0, 1, 1], 1],
  ["no answer", [], [0, 0, 0, 1, 1], 0],
  ["", ["a"], [0, 0, 0, 0, 1], 0],
  ["Final Answer: [a]\nDone.", ["a"], [0, 0, 1, 0, 1], 0],
  ["final answer: ['a']", ["a"], [0, 0, 0, 0, 1], 0],
  ["Final Answer: [a, a]\n\n", ["a"], [1, 1, 1, 0, 1], 1],
] as [string, string[], number[], number][])("the five scorers score %j", (reply, references, scores, exact) => {
  deepEqual(Object.values(scoresOf(reply, references)), scores);
  equal(GRAPH_SCORERS.nemo.grade(reply, { references }).penalised.value, exact);
});

Deno.test("each scorer has a name in records, and a task takes it by its knob", () => {
  deepEqual(GRAPH_WALKS.scorers.map(({ name }) => name), [
    "graphwalks nemo",
    "graphwalks lm-eval",
    "graphwalks lm-eval flexible",
    "graphwalks openbench",
    "graphwalks card",
  ]);
  for (const scorer of NAMES) equal(GRAPH_WALKS.make({ scorer }).scorer.name, GRAPH_SCORERS[scorer].name);
});

/** Pieces of replies: parts of an answer, and what the patterns of five programs treat in different ways. */
const PIECES = [
  ...["Final Answer:", "final answer:", "FINAL ANSWER:", "Final  Answer:", "Fınal anſwer:", "FİNAL ANSWER:"],
  ...["Final Answer", " [", " ", "\t", "\u00a0", "\u001c", "\ufeff", "\u2028", "\r", "\r\n", "\n", "\n\n", ", "],
  ..."[ ] , ,, . ` a b c 'a' \"b\" ' A Done. [a] node1 [] [[a]]".split(" "),
  ...["a b", "x, y", "  b  "],
];
const WHOLE = ["Final Answer: [a, b]", "Final Answer: []", "Final Answer: [b]", "final answer: [a,b]"];

function madeReply(index: number): [reply: string, truth: string[]] {
  const draw = stream("graphwalks replies", index);
  const pieces = Array.from({ length: integer(draw, { low: 0, high: 8 }) }, () => pick(draw, PIECES));
  if (draw() < 0.5) pieces.splice(integer(draw, { low: 0, high: pieces.length }), 0, pick(draw, WHOLE));
  const truth = ["a", "b", "c"].filter(() => draw() < 0.5);
  return [pieces.join(""), truth];
}

const GRADERS = Deno.env.get("FATHOM_GRADERS") ?? "";
const isThere = GRADERS !== "" && existsSync(`${GRADERS}/lm_eval/tasks/graphwalks/utils.py`);

Deno.test({
  name: `the five scorers of GraphWalks equal their sources on 10,000 made replies${
    isThere ? "" : " (skipped: FATHOM_GRADERS names no folder of their files)"
  }`,
  ignore: !isThere,
  fn(): void {
    const replies = Array.from({ length: 10_000 }, (_, index) => madeReply(index));
    const python = Deno.env.get("FATHOM_PYTHON") ?? "python3";
    const script = new URL("_grade.py", import.meta.url).pathname;
    const theirs: Record<GraphScorerName, number>[] = JSON.parse(
      runPython(python, [script, GRADERS], JSON.stringify(replies)),
    );
    for (const [at, [reply, truth]] of replies.entries()) {
      deepEqual(scoresOf(reply, truth), theirs[at], JSON.stringify([reply, truth]));
    }
    // Each program differs from each other one somewhere.
    for (const one of NAMES) {
      for (const other of NAMES) equal(theirs.some((scores) => scores[one] !== scores[other]), one !== other);
    }
  },
});

Deno.test("blindScores() of two right nodes of eight", () => {
  const nodes = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const prompt = userPrompt(
    `The graph has the following edges:\n${nodes.map((node) => `${node} -> a\n`).join("")}\n\nOperation:\n`,
  );
  // All nodes: precision 2/8, recall 1. Two random nodes: each is right with probability 2/8.
  deepEqual(blindScores({ prompt, references: ["a", "b"] }), { allNodes: 0.4, randomNodes: 0.25, noNode: 0 });
  deepEqual(blindScores({ prompt, references: [] }), { allNodes: 0, randomNodes: 0, noNode: 1 });
});

/**
 * Returns the expected shares of right nodes for the parents of one of n nodes: each other node is a parent with probability
 * p = 1 - (1 - 1/n)^d, independently.
 */
function expectedOfParents(nodes: number, degree: number): Pick<BlindScores, "randomNodes" | "noNode"> {
  const isParent = 1 - (1 - 1 / nodes) ** degree;
  return { randomNodes: (nodes - 1) * isParent / nodes, noNode: (1 - isParent) ** (nodes - 1) };
}

Deno.test("blindScores() of parents are on average as expected of random edges", async () => {
  const materials = await openTestMaterials("cl100k_base");
  const task = GRAPH_WALKS.make({ degree: 2 });
  const samples = Array.from(
    { length: 1500 },
    (_, index) => task.sample({ length: 1500, seed: "chance", index, materials }),
  );
  const means = (scores: readonly BlindScores[], name: keyof BlindScores): number =>
    scores.reduce((sum, each) => sum + each[name], 0) / scores.length;
  const found = samples.map(blindScores);
  const expected = expectedOfParents(30, 2);
  for (const name of ["randomNodes", "noNode"] as const) {
    const nodes = samples.map(({ facts }) => new Set(facts.map(({ text }) => text.slice(0, 10))).size);
    ok(nodes.every((each) => each >= 24 && each <= 36), `${Math.min(...nodes)} to ${Math.max(...nodes)}`);
    ok(Math.abs(means(found, name) - expected[name]) < 0.04, `${name}: ${means(found, name)} and ${expected[name]}`);
  }
});
