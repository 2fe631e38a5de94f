import { EDGES, readGraphQuestion } from "./wording.ts";
import type { Finding, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { type Draw, integer } from "@/lib/random/mod.ts";

/** How the simulated reader solves the tasks: it reads all edges and walks from node to node. */
export const GRAPH_READER: TaskReader = { name: "graphwalks", recognise: readGraph };

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly at: number;
}

function readGraph(prompt: string): Reading | null {
  const question = readGraphQuestion(prompt);
  const start = question === null ? -1 : prompt.lastIndexOf(EDGES, question.at);
  if (question === null || start < 0) return null;
  const { operation, root, depth, at: end } = question;
  const text = prompt.slice(start, end);
  const edges = Array.from(
    text.matchAll(/^(\S+) -> (\S+)$/gm),
    ({ 1: source = "", 2: target = "", index }): Edge => ({ source, target, at: start + index }),
  );
  const asked = operation === "bfs" ? `depth ${depth} from ${root}` : `parent of ${root}`;
  const find = (value: string, at: number, more: Partial<Finding> = {}): Finding => (
    { key: asked, value, depth: at / prompt.length, ...more }
  );
  const found = operation === "bfs"
    ? walk(edges, { root, depth }).map((level, hop) => level.map(({ target, at }) => find(target, at, { links: hop })))
    : [
      [],
      edges.filter(({ source, target }) => target === root && source !== root).map(({ source, at }) =>
        find(source, at)
      ),
    ];
  const wanted = differentValues(found[depth] ?? []);
  const known = new Set([root, ...wanted.map(({ value }) => value)]);
  const others = edges.filter(({ target }) => !known.has(target)).map(({ target, at }) => find(target, at));
  return {
    category: "multi-hop tracing",
    wanted,
    rivals: differentValues([...found.slice(1, depth).flat(), ...others]),
    example: ["uvwx", "efgh"],
    invent: inventNode,
    write: (nodes) => `Final Answer: [${nodes.join(", ")}]`,
  };
}

/** Returns the edges that lead to each node first, by the depth of the node; none leads to the start. */
function walk(
  edges: readonly Edge[],
  { root, depth }: { readonly root: string; readonly depth: number },
): readonly (readonly Edge[])[] {
  const bySource = Map.groupBy(edges, ({ source }) => source);
  const seen = new Set([root]);
  const levels: Edge[][] = [[{ source: "", target: root, at: 0 }]];
  while (levels.length <= depth) {
    const next = levels.at(-1)!.flatMap(({ target }) => bySource.get(target) ?? []);
    levels.push(next.filter(({ target }) => !seen.has(target) && seen.add(target)));
  }
  return levels;
}

function differentValues(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.value, finding])).values()].reverse();
}

function inventNode(draw: Draw): string {
  return integer(draw, { low: 0, high: 16 ** 10 - 1 }).toString(16).padStart(10, "0");
}
