// Walks along edges, as a stranger writes a benchmark: with the names of lib/mod.ts alone, as docs/own-benchmark.md describes.
import {
  type Benchmark,
  type Fact,
  family,
  integer,
  type Layout,
  measure,
  oneOf,
  type Reading,
  type Recipe,
  type Scorer,
} from "@/lib/mod.ts";
import { stream, type TaskReader } from "@/lib/mod.ts";
import { createHash } from "node:crypto";

const OPENING = `You will be given a graph as a list of directed edges. All nodes are at least degree 1. ` +
  `You will also get a description of an operation to perform on the graph.
Your job is to execute the operation on the graph and return the set of nodes that the operation results in.
Here is the graph to operate on:
The graph has the following edges:
`;
const CLOSING = `
You should immediately return the set of nodes that the operation results in, with no additional text. ` +
  `Return your final answer as a list of nodes in the very last line of your response: Final Answer: [node, node]`;

const NODE = /(?<![0-9a-z])[0-9a-f]{10}(?![0-9a-z])/;

/** NeMo Gym's score: F1 of the nodes in the last line, 1 where both sets are empty. */
const nodeF1: Scorer = {
  name: "node F1",
  about: "F1 of the nodes in the list after the last `Final Answer:`",
  shape: { name: "node", pattern: NODE },
  extract: (reply) => reply.match(/Final Answer: ?\[[^\]\n]*\]/g)?.at(-1) ?? null,
  normalise: (answer) => answer.replaceAll(/['"]/g, ""),
  allowsEmpty: true,
  grade(reply, { references }): ReturnType<Scorer["grade"]> {
    const [, list] = /Final Answer: ?\[([^\]\n]*)\]\.?\s*$/.exec(reply) ?? [];
    const given = new Set(list?.match(new RegExp(NODE, "g")) ?? []);
    const found = references.filter((node) => given.has(node)).length;
    const both = references.length + given.size;
    const value = list === undefined ? 0 : both === 0 ? 1 : 2 * found / both;
    const answer = list === undefined ? reply.trim() : `[${list}]`;
    const score = { value, answer, why: `found ${found} of ${references.length}, gave ${given.size}` };
    return { score, penalised: score, unparsable: list === undefined && answer !== "" };
  },
};

const graphWalks = family({
  suite: "edge-walks-1",
  name: "edge_walks",
  about: "a graph as a list of edges; the prompt asks for a node's parents or for a breadth-first search",
  category: "multi-hop tracing",
  knobs: { operation: oneOf(["parents", "bfs"], "the operation") },
  tasks: { edge_walks_parents: {}, edge_walks_bfs: { operation: "bfs" } },
  scorers: [nodeF1],
  answerRoom: 256,
  readers: [readGraph()],
  recipe({ operation }, { seed, index, materials: { tokenizer } }): Recipe {
    const graphs = new Map<number, Graph>();
    const graphOf = (size: number): Graph => {
      if (!graphs.has(size)) graphs.set(size, drawGraph(size, { seed, index, operation }));
      return graphs.get(size)!;
    };
    const part = (text: string) => [{ measured: measure(text, tokenizer) }];
    return {
      least: 3,
      most: 20_000,
      answerPrefix: "",
      layOut(size): Layout {
        const { edges, question } = graphOf(size);
        const lines = edges.map(([from, to]) => `${from} -> ${to}\n`).join("");
        return { before: part(OPENING), context: part(lines), after: part(`\nOperation:\n${question}\n${CLOSING}`) };
      },
      references: (size) => graphOf(size).answers,
      spreadFacts: (size) => graphOf(size).facts,
    };
  },
});

interface Graph {
  readonly edges: readonly (readonly [from: string, to: string])[];
  readonly question: string;
  readonly answers: readonly string[];
  readonly facts: readonly Fact[];
}

/** Draws two edges from each of `size` nodes, with replacement. */
function drawGraph(
  size: number,
  { seed, index, operation }: { readonly seed: string; readonly index: number; readonly operation: string },
): Graph {
  const draw = stream(seed, "edge_walks", operation, index, size);
  const names = Array.from({ length: size }, (_, at) => createHash("md5").update(`${at}`).digest("hex").slice(0, 10));
  const pickNode = (): string => names[integer(draw, { low: 0, high: size - 1 })]!;
  const edges = names.flatMap((from) => [[from, pickNode()] as const, [from, pickNode()] as const]);
  const start = pickNode();
  const question = operation === "parents"
    ? `Find the parents of node ${start}.`
    : `Perform a BFS from node ${start} with depth 1.`;
  const answers = solve(edges, question);
  const facts = names.map((node): Fact => ({
    role: answers.includes(node) ? "target" : "noise",
    key: operation === "parents" ? `edge to ${start}` : `edge from ${start}`,
    value: node,
    text: node,
    depth: null,
    tokenOffset: null,
  }));
  return { edges, question, answers, facts };
}

function solve(edges: Graph["edges"], question: string): string[] {
  const [, parents] = /Find the parents of node (\w+)\./.exec(question) ?? [];
  const [, start = ""] = /Perform a BFS from node (\w+)/.exec(question) ?? [];
  const nodes = parents === undefined
    ? edges.filter(([from, to]) => from === start && to !== start).map(([, to]) => to)
    : edges.filter(([from, to]) => to === parents && from !== parents).map(([from]) => from);
  return [...new Set(nodes)];
}

/** How the simulated reader solves the task. */
function readGraph(): TaskReader {
  return {
    name: "edge_walks",
    recognise(prompt): Reading | null {
      const [question] = /(?:Find the parents of|Perform a BFS from) node \w+[^\n]*/.exec(prompt) ?? [];
      if (question === undefined) return null;
      const edges = Array.from(
        prompt.matchAll(/^([0-9a-f]{10}) -> ([0-9a-f]{10})$/gm),
        ([, from = "", to = ""]) => [from, to] as const,
      );
      const wanted = solve(edges, question).map((value) => ({ key: question, value, depth: null }));
      return {
        ...{ category: "multi-hop tracing", wanted, rivals: [], example: [] },
        invent: () => "0000000000",
        write: (nodes) => `Final Answer: [${nodes.join(", ")}]`,
      };
    },
  };
}

export default {
  name: "edge_walks",
  title: "GraphWalks",
  source: "openai/graphwalks",
  families: [graphWalks],
  tasks: graphWalks.tasks,
} satisfies Benchmark;
