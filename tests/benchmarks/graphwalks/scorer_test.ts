import { deepEqual, equal } from "node:assert/strict";
import { existsSync } from "node:fs";
import { runPython } from "../../_python.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import { GRAPH_SCORERS, type GraphScorerName } from "@/lib/benchmarks/graphwalks/scorer.ts";
import { integer, pick, stream } from "@/lib/random/mod.ts";

// tests/data/golden_replies.jsonl has known replies, with the scores that the sources of all five scorers gave.

const NAMES = Object.keys(GRAPH_SCORERS) as GraphScorerName[];

Deno.test("a task takes each scorer by its knob", () => {
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
const skipped = isThere ? "" : " (skipped: FATHOM_GRADERS names no folder of their files)";

Deno.test(`the five scorers equal their sources on 10,000 made replies${skipped}`, { ignore: !isThere }, () => {
  const replies = Array.from({ length: 10_000 }, (_, index) => madeReply(index));
  const args = [new URL("_grade.py", import.meta.url).pathname, GRADERS];
  const printed = runPython(Deno.env.get("FATHOM_PYTHON") ?? "python3", args, JSON.stringify(replies));
  const theirs: Record<GraphScorerName, number>[] = JSON.parse(printed);
  for (const [at, [reply, references]] of replies.entries()) {
    const ours = NAMES.map((name) => [name, GRAPH_SCORERS[name].grade(reply, { references }).score.value]);
    deepEqual(Object.fromEntries(ours), theirs[at], JSON.stringify([reply, references]));
  }
  // Each program differs from each other one somewhere.
  for (const one of NAMES) {
    for (const other of NAMES) equal(theirs.some((scores) => scores[one] !== scores[other]), one !== other);
  }
});
