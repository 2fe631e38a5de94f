import { type Audit, lastPlace, only, type Solution, unsolvable } from "./_solution.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";

/** An edge of more tokens than most: letters and digits in turn. */
const WORST = "a1b2c3d4e5 -> f6a7b8c9d0\n";

const HEAD = "The graph has the following edges:\n";

/** Solves a prompt of GraphWalks from its edges: who points at a node, or who is first reached at a depth. */
export function solveGraphwalks(prompt: string): Solution {
  const end = lastPlace(prompt, "\n\nOperation:\n");
  const start = prompt.lastIndexOf(HEAD, end) + HEAD.length;
  const lines = prompt.slice(start, end).split("\n").filter((line) => line !== "");
  const targets = new Map<string, string[]>();
  let last = "";
  for (const line of lines) {
    const [, from, to] = /^([0-9a-f]{10}) -> ([0-9a-f]{10})$/.exec(line) ?? [];
    if (from === undefined || to === undefined) throw unsolvable(`an edge must be two nodes: "${line}"`);
    if (from !== last && targets.has(from)) throw unsolvable(`the edges of ${from} must stand together`);
    if (!targets.has(from)) targets.set(from, []);
    targets.get(from)!.push(to);
    last = from;
  }
  checkDegrees([...targets.values()].map(({ length }) => length));
  const shared = { context: [start, end + 1] as const, planted: lines.length, unit: WORST, anyOrder: true };
  const asked = prompt.slice(end);
  const parent = /\nFind the parents of node ([0-9a-f]+)\.\n/.exec(asked)?.[1];
  if (parent !== undefined) {
    const parents = [...targets].filter(([from, to]) => from !== parent && to.includes(parent)).map(([from]) => from);
    return { ...shared, answers: parents.sort() };
  }
  const [, root, depth] = /\nPerform a BFS from node ([0-9a-f]+) with depth (\d+)\.\n/.exec(asked) ?? [];
  if (root === undefined) throw unsolvable("it must ask for parents or for a BFS");
  // Relaxed until nothing changes, unlike any queue.
  const distances = new Map([[root, 0]]);
  for (let step = 1; step <= Number(depth); step++) {
    const reached = [...distances].filter(([, distance]) => distance === step - 1)
      .flatMap(([node]) => targets.get(node) ?? []);
    for (const node of reached) if (!distances.has(node)) distances.set(node, step);
  }
  const answers = [...distances].filter(([, distance]) => distance === Number(depth)).map(([node]) => node);
  return { ...shared, answers: answers.sort() };
}

/** All nodes have as many edges, and the last one as many or fewer. */
function checkDegrees(degrees: readonly number[]): void {
  const degree = only([...new Set(degrees.slice(0, -1))], "degree of nodes");
  if (degrees.at(-1)! > degree) throw unsolvable("the last node must have no more edges than the others");
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: solveGraphwalks,
  further: [
    GRAPH_WALKS.task("graphwalks_parents", { wording: "2025", degree: 50 }),
    GRAPH_WALKS.task("graphwalks_parents", { degree: 1, emptyAnswers: "redrawn" }),
    GRAPH_WALKS.task("graphwalks_bfs", { degree: 1, depth: 12 }),
    GRAPH_WALKS.task("graphwalks_bfs", { degree: 2, depth: 6, emptyAnswers: "redrawn" }),
    GRAPH_WALKS.task("graphwalks_bfs", { wording: "2025", depth: 1 }),
    GRAPH_WALKS.task("graphwalks_bfs", { degree: 5, depth: 3 }),
  ],
};
