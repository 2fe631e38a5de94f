import { GRAPH_TEST_FILES, graphClosing, graphOpening, type GraphQuestion } from "./wording.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { EdgeLines } from "./edge_lines.ts";
import { GRAPH_SCORERS, type GraphScorerName } from "./scorer.ts";
import {
  cannotMake,
  family,
  finalAnswer,
  type Layout,
  measureOnce,
  type Named,
  oneOf,
  type PartFact,
  type Recipe,
  type RecipeRequest,
  whole,
} from "@/lib/generators/mod.ts";
import { integer, spread, stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample id and published score. */
const GRAPHWALKS_SUITE = "graphwalks-1";

/** The greatest degree of the data's graphs, and of those whose degree is not given. */
const MOST_DEGREE = 5;

const KNOBS = {
  operation: oneOf(["parents", "bfs"], "what is asked for: the parents of a node, or the nodes at a depth of a BFS"),
  wording: oneOf(["2026", "2025"], "the edition of the prompt; the two differ in the sentence about BFS"),
  degree: whole({ from: 1, to: 50 }, "edges from each node, the same for all of a graph; 1 to 5 in turn unless given"),
  depth: whole({ from: 1, to: 12 }, "depth of the BFS; 2 unless given"),
  emptyAnswers: oneOf(
    ["kept", "redrawn"],
    "whether questions without any right node are kept, or ask for another node",
    { omitDefault: true },
  ),
  scorer: oneOf(
    Object.keys(GRAPH_SCORERS) as GraphScorerName[],
    "whose code scores replies: NeMo Gym's, lm-evaluation-harness's, openbench's, or that of the data card",
    { omitDefault: true },
  ),
};

type GraphSettings = Named<typeof KNOBS>;

/**
 * GraphWalks: a graph as a list of edges, and a question about its nodes.
 *
 * OpenAI, data set `openai/graphwalks`, April 2025, with the wording of February 2026 by default. No generator was published; ids,
 * order, duplicates and self-loops of edges are those of the data. Its smallest graphs have 44 to 46 edges, as many whole nodes as fit
 * in 46 edges, for degrees from 1 to 5; the distribution of degrees and depths is not known. Unlike the data, the last node has fewer
 * edges where that fills the length.
 */
export const GRAPH_WALKS = family({
  suite: GRAPHWALKS_SUITE,
  name: "graphwalks",
  nameOf: ({ operation = "parents" }) => `graphwalks_${operation}`,
  about: "asks for the parents of a node, or for the nodes at a depth of a breadth-first search, in a list of edges",
  asks: /^Operation:\n(.+)/m,
  category: "multi-hop tracing",
  knobs: KNOBS,
  tasks: { graphwalks_parents: {}, graphwalks_bfs: { operation: "bfs" } },
  scorers: [GRAPH_SCORERS.nemo, ...Object.values(GRAPH_SCORERS).slice(1)],
  scorerOf: ({ scorer }) => GRAPH_SCORERS[scorer],
  answerRoom,
  write: finalAnswer,
  settle,
  harder: ({ operation, degree }) => ({
    ...(operation === "bfs" ? { depth: "up" } : {}),
    ...(degree === undefined ? {} : { degree: "up" }),
  }),
  recipe: graphRecipe,
});

function settle({ depth, ...values }: GraphSettings): GraphSettings {
  if (values.operation === "bfs") return { ...values, depth: depth ?? 2 };
  if (depth === undefined) return values;
  throw cannotMake(values.name, "depth must be given only if operation is bfs", depth);
}

/** Tokens of a node in an answer, with its comma, in tokenizers that split digits; of the words around; the most nodes with room. */
const [NODE_TOKENS, ANSWER_TOKENS, MOST_NODES] = [12, 64, 4096];

/** Room for all nodes at the depth if no two edges lead to the same, or for five times the mean number of parents. */
function answerRoom({ operation, degree = MOST_DEGREE, depth = 1 }: GraphSettings): number {
  const nodes = operation === "bfs" ? degree ** depth : 5 * degree;
  return ANSWER_TOKENS + NODE_TOKENS * Math.min(MOST_NODES, Math.max(MOST_DEGREE, nodes));
}

/** How many nodes are tried until one has an answer, if empty answers are redrawn. */
const MOST_ROOTS = 64;

function graphRecipe(settings: GraphSettings, request: RecipeRequest): Recipe {
  const { materials, template, length, seed, index, options, attempt = 0 } = request;
  const { name, operation, wording, emptyAnswers, depth = 1 } = settings;
  const { tokenizer } = materials;
  // The scorer changes no text.
  const { scorer: _, ...drawn } = options;
  const path = [seed, GRAPHWALKS_SUITE, name, JSON.stringify(drawn), length];
  const [turn] = spread([...path, "degree"], { index, dimensions: 1 }) as [number];
  const degree = settings.degree ?? 1 + Math.floor(MOST_DEGREE * turn);
  const opening = measureOnce(graphOpening(wording), materials);
  const words = graphClosing({ operation, root: "0000000000", depth }) + (template.system ?? "") + template.before +
    template.after;
  const taken = answerRoom(settings) + template.extraTokens + tokenizer.count(opening.text) + tokenizer.count(words);
  const draw = stream(...path, index, "edges", attempt);
  const lines = new EdgeLines({ materials, degree, tokens: length - taken, draw });
  const drawRoot = stream(...path, index, "root", attempt);
  const least = lines.nodes * degree;
  const drawWalk = (): Walk => {
    const root = integer(drawRoot, { low: 0, high: lines.nodes - 1 });
    const key = operation === "bfs" ? `depth ${depth} from ${lines.idOf(root)}` : `parent of ${lines.idOf(root)}`;
    return { lines, operation, depth, root, key };
  };
  let walk = drawWalk();
  for (let tried = 1; emptyAnswers === "redrawn" && tried < MOST_ROOTS; tried++) {
    if (answersOf(findDepths(walk, least), walk).length > 0) break;
    walk = drawWalk();
  }
  const found = new Map<number, Depths>();
  const depthsIn = (edges: number): Depths => found.getOrInsertComputed(edges, () => findDepths(walk, edges));
  const before = [{ measured: opening }];
  const after = [{ measured: measure(graphClosing({ ...walk, root: lines.idOf(walk.root) }), tokenizer) }];
  return {
    least,
    most: Infinity,
    answerPrefix: "",
    canBeDrawnAgain: true,
    guess(tokens): number {
      let edges = least;
      while (lines.tokens(edges + 1) <= lines.tokens(least) + tokens) edges++;
      return edges;
    },
    layOut: (size): Layout => (
      { before, context: [lines.part(size, (edge) => edgeFact(edge, walk, depthsIn(size)))], after }
    ),
    references: (size) => answersOf(depthsIn(size), walk).map((node) => lines.idOf(node)),
  };
}

/** A question about the graph of some lines, its node by number. */
interface Walk extends Omit<GraphQuestion, "root"> {
  readonly lines: EdgeLines;
  readonly root: number;
  /** The key of its facts. */
  readonly key: string;
}

/** The depths of the nodes that a question can reach. */
type Depths = ReadonlyMap<number, number>;

/** Finds the depths of nodes in the graph of the first edges, up to the depth that is asked for; parents are at depth 1. */
function findDepths({ lines, operation, root, depth }: Walk, edges: number): Depths {
  lines.tokens(edges);
  const { targets, degree } = lines;
  const nextTo = (node: number): readonly number[] =>
    operation === "bfs"
      ? targets.slice(node * degree, Math.min(edges, (node + 1) * degree))
      : targets.slice(0, edges).flatMap((target, edge) => target === node ? [lines.sourceOf(edge)] : []);
  const depths = new Map([[root, 0]]);
  // The map grows while it is read, so that it is the queue of the search.
  for (const [node, at] of depths) {
    if (at === depth) break;
    for (const other of nextTo(node)) depths.getOrInsert(other, at + 1);
  }
  return depths;
}

function answersOf(depths: Depths, { depth }: Walk): readonly number[] {
  return [...depths].flatMap(([node, at]) => at === depth ? [node] : []);
}

function edgeFact(edge: number, { lines, operation, root, depth, key }: Walk, depths: Depths): PartFact {
  const isSearch = operation === "bfs";
  const [source, target] = [lines.sourceOf(edge), lines.targets[edge]!];
  const [from, to] = isSearch ? [source, target] : [target, source];
  const [at, next] = [depths.get(from), depths.get(to)];
  const isAnswer = next === depth && at === depth - 1;
  // Nodes on the way, and children for parents, are easily mistaken for the answer.
  const isNear = isSearch ? next !== undefined && next !== depth : source === root && at !== depth;
  const missed = isNear ? "distractor" : "noise";
  const role = isAnswer ? "target" : missed;
  return { role, key, value: lines.idOf(isNear ? target : to), text: lines.line(edge) };
}

export const GRAPHWALKS: Benchmark = {
  name: "graphwalks",
  title: "GraphWalks",
  source: "OpenAI 2025, data set openai/graphwalks",
  families: [GRAPH_WALKS],
  tasks: GRAPH_WALKS.tasks,
  testFiles: GRAPH_TEST_FILES,
  paper: async () => (await import("@/lib/papers/graphwalks/paper.ts")).GRAPHWALKS_PAPER,
};
