import { type Audit, lastPlace, only, type Solution, unsolvable } from "./_solution.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";

/** An edge of more tokens than most: letters and digits in turn. */
const WORST = "a1b2c3d4e5 -> f6a7b8c9d0\n";

const HEAD = "The graph has the following edges:\n";

/** Solves a prompt of GraphWalks from its edges: who points at a node, or who is first reached at a depth. */
function solve(prompt: string): Solution {
  const end = lastPlace(prompt, "\n\nOperation:\n");
  const start = prompt.lastIndexOf(HEAD, end) + HEAD.length;
  const edges = prompt.slice(start, end).split("\n").filter((line) => line !== "").map((line) => {
    const [, from, to] = /^([0-9a-f]{10}) -> ([0-9a-f]{10})$/.exec(line) ?? [];
    if (from === undefined || to === undefined) throw unsolvable(`an edge must be two nodes: "${line}"`);
    return { from, to };
  });
  const nodes = Map.groupBy(edges, ({ from }) => from);
  const turns = edges.filter(({ from }, at) => from !== edges[at - 1]?.from).length;
  if (turns > nodes.size) throw unsolvable("the edges of a node must stand together");
  const degrees = Array.from(nodes.values(), ({ length }) => length);
  const degree = only([...new Set(degrees.slice(0, -1))], "degree of nodes");
  if (degrees.at(-1)! > degree) throw unsolvable("the last node must have no more edges than the others");
  const answers = answersTo(prompt.slice(end), edges);
  return { answers, context: [start, end + 1], planted: edges.length, unit: WORST, anyOrder: true };
}

function answersTo(asked: string, edges: readonly { readonly from: string; readonly to: string }[]): string[] {
  const parent = /\nFind the parents of node ([0-9a-f]+)\.\n/.exec(asked)?.[1];
  if (parent !== undefined) {
    return [...new Set(edges.filter(({ from, to }) => to === parent && from !== parent).map(({ from }) => from))]
      .sort();
  }
  const [, root, depth] = /\nPerform a BFS from node ([0-9a-f]+) with depth (\d+)\.\n/.exec(asked) ?? [];
  if (root === undefined) throw unsolvable("it must ask for parents or for a BFS");
  // Whole layers of edges, unlike any queue.
  const [seen, layers] = [new Set([root]), [new Set([root])]];
  for (let step = 0; step < Number(depth); step++) {
    const next = edges.filter(({ from, to }) => layers[step]!.has(from) && !seen.has(to)).map(({ to }) => to);
    layers.push(new Set(next));
    for (const node of next) seen.add(node);
  }
  return [...layers.at(-1)!].sort();
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve,
  further: [
    GRAPH_WALKS.task("graphwalks_parents", { wording: "2025", degree: 50 }),
    GRAPH_WALKS.task("graphwalks_parents", { degree: 1, emptyAnswers: "redrawn" }),
    GRAPH_WALKS.task("graphwalks_bfs", { degree: 1, depth: 12 }),
    GRAPH_WALKS.task("graphwalks_bfs", { degree: 2, depth: 6, emptyAnswers: "redrawn" }),
    GRAPH_WALKS.task("graphwalks_bfs", { wording: "2025", depth: 1 }),
    GRAPH_WALKS.task("graphwalks_bfs", { degree: 5, depth: 3 }),
  ],
  traits: ({ depth }) => ({ isSpread: depth === undefined }),
};
