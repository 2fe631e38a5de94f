import { deepEqual, throws } from "node:assert/strict";
import type { Solution } from "./_solution.ts";
import { solveBabilong } from "./_solve_babilong.ts";
import { solveCountingStars } from "./_solve_counting_stars.ts";
import { solveGraphwalks } from "./_solve_graphwalks.ts";
import { solveNeedleThreading } from "./_solve_needle_threading.ts";
import { solvePromptRecall } from "./_solve_prompt_dependence.ts";
import { solveRuler } from "./_solve_ruler.ts";

type Solve = (prompt: string) => Solution;

const VARIABLES = "Memorize and track the chain(s) of variable assignment hidden in the following text.";
const CODED = "Read the following coded text and track the frequency of each coded word. " +
  "Find the three most frequently appeared coded words.";

const story = (context: string, question: string): string =>
  `John went to the kitchen.\n\n<context>\n${context}\n</context>\n\nQuestion: ${question}`;
const GRAPH = "The graph has the following edges:\n" +
  "aaaaaaaaaa -> aaaaaaaaaa\naaaaaaaaaa -> bbbbbbbbbb\naaaaaaaaaa -> cccccccccc\n" +
  "bbbbbbbbbb -> aaaaaaaaaa\nbbbbbbbbbb -> cccccccccc\nbbbbbbbbbb -> dddddddddd\ncccccccccc -> dddddddddd\n";

// Small prompts, solved by hand.
Deno.test.each([
  [
    "variables of one chain of two, the example solved",
    solveRuler,
    `${VARIABLES}\n\nVAR ABC = 11111\nQuestion: Find all variables that are assigned the value 11111 in the text above. ` +
    "Answer: According to the chain(s) of variable assignment in the text above, 1 variables are assigned the value 11111, they are:  ABC\n\n" +
    `${VARIABLES}\n\nVAR QWERT = 22222\nVAR ZXCVB = VAR QWERT \nVAR MNBVC = 33333\n` +
    "Question: Find all variables that are assigned the value 22222 in the text above. Answer: According to the chain(s) of variable " +
    "assignment in the text above, 2 variables are assigned the value 22222, they are: ",
    ["QWERT", "ZXCVB"],
  ],
  [
    "frequent words but the dots",
    solveRuler,
    `${CODED} ... aaaa ... bbbb aaaa cccc ... aaaa bbbb ...\nQuestion: Do not provide any explanation. Please ignore the dots '....'.`,
    ["aaaa", "bbbb", "cccc"],
  ],
  [
    "stars corrected at once, further on, and by how much",
    solveCountingStars,
    "Rain.\nThe little penguin counted 9 ★\nWind.\nThe little penguin found that the last time it had counted 2 ★ too many\n" +
    "The little penguin counted 12 ★, but found that a mistake had been made, so the counting was done again, and this time 11 ★ was " +
    'counted correctly.\n\n\n\n\nOn this night the little penguin … {"little_penguin": [x, x, x,...], "total": x}.',
    ["7", "11", "18"],
  ],
  [
    "the longest of two branches",
    solveNeedleThreading,
    '{"a": "b", "b": "x", "b": "c", "c": "d", "e": "f"}\nThe value is itself a key of the object, … Follow the longest thread to its ' +
    'end … Key: "a"\n Last value: ',
    ["d"],
  ],
  [
    "the sentence about a place",
    solvePromptRecall,
    "[INST]\nYou are a helpful AI bot.\nRain. The best thing to do in San Francisco is sleep. Wind.\nWhat is best in San Francisco?\n[/INST]",
    ["The best thing to do in San Francisco is sleep.", "What is best in San Francisco?"],
  ],
  [
    "the room where something was before it was carried on",
    solveBabilong,
    story(
      "Rain fell. Mary took the milk there. John went to the office. Mary moved to the garden. Mary went back to the hallway.",
      "Where was the milk before the hallway?",
    ),
    ["garden", "Where was the milk before the hallway?"],
  ],
  [
    "parents, without the node itself",
    solveGraphwalks,
    `${GRAPH}\n\nOperation:\nFind the parents of node aaaaaaaaaa.\n`,
    ["bbbbbbbbbb"],
  ],
  [
    "nodes at a depth, each at its first",
    solveGraphwalks,
    `${GRAPH}\n\nOperation:\nPerform a BFS from node aaaaaaaaaa with depth 2.\n`,
    ["dddddddddd"],
  ],
] as [string, Solve, string, string[]][])("the solvers find %s", (_name, solve, prompt, answers) => {
  deepEqual(solve(prompt).answers, answers);
});

Deno.test("the solvers refuse what has no one answer", () => {
  const object =
    '{"a": "b", "a": "c"}\nExtract the value corresponding to the specified key in the JSON object. Key: "a"\n ';
  throws(() => solveNeedleThreading(object), /every key must be another one: "a" stands twice/);
  const ties = `${CODED} aaaa bbbb cccc dddd\nQuestion: Do not provide any explanation.`;
  throws(() => solveRuler(ties), /frequencies must differ/);
  throws(() => solveRuler("Hello"), /it begins like no task of RULER/);
  throws(() => solveCountingStars("★ alone\n\n\n\n\nlittle_penguin"), /a line must say a count/);
  throws(
    () => solveGraphwalks(GRAPH.replace("bb -> aa", "bb => aa") + "\n\nOperation:\n"),
    /an edge must be two nodes/,
  );
  throws(() => solvePromptRecall("Rain.\nWhat is best in San Francisco?"), /there must be one sentence/);
});
