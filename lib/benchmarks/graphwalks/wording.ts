import type { TestFiles, TestLine } from "@/lib/benchmarks/benchmark.ts";
import { userText } from "@/lib/generators/mod.ts";

/** What a question asks for. */
export type Operation = "parents" | "bfs";

/** The edition of the prompt: that of April 2025, or of February 2026, whose BFS sentence is clearer. */
export type GraphWording = "2026" | "2025";

/** What the nodes at a depth are, in each edition. */
const AT_DEPTH: Readonly<Record<GraphWording, string>> = {
  "2026":
    "both reachable and exactly at that depth (not nodes at intermediate depths), and do not return the starting node",
  "2025": "reachable at that depth, do not return the starting node",
};

/**
 * Returns the words before the edges, as in the prompts of the data set `openai/graphwalks`. The worked example is the same for both
 * operations.
 */
export function graphOpening(wording: GraphWording): string {
  return "You will be given a graph as a list of directed edges. All nodes are at least degree 1. You will also get a " +
    "description of an operation to perform on the graph.\nYour job is to execute the operation on the graph and return " +
    "the set of nodes that the operation results in. If asked for a breadth-first search (BFS), only return the nodes " +
    `that are ${
      AT_DEPTH[wording]
    }. If asked for the parents of a node, only return the nodes that have an edge leading ` +
    `to the given node, do not return the given node itself.\n\nHere is an example:\n<begin example>\n\n${EDGES}\n` +
    "uvwx -> alke\nabcd -> uvwx\nabcd -> efgh\nefgh -> uvwx\n\n" +
    "Example 1:\nOperation:\nPerform a BFS from node abcd with depth 1.\nFinal Answer: [uvwx, efgh]\n\n" +
    "Example 2:\nOperation:\nPerform a BFS from node alke with depth 1.\nFinal Answer: []\n\n" +
    "Example 3:\nOperation:\nFind the parents of node uvwx.\nFinal Answer: [abcd, efgh]\n\n" +
    "Example 4:\nOperation:\nFind the parents of node abcd.\nFinal Answer: []\n\n" +
    `<end example>\nHere is the graph to operate on:\n${EDGES}\n`;
}

/** The line before the edges. */
export const EDGES = "The graph has the following edges:";

/** A question about a graph. */
export interface GraphQuestion {
  readonly operation: Operation;
  /** The node that it is about. */
  readonly root: string;
  /** The depth of a BFS, from 1. */
  readonly depth: number;
}

/** Returns the words after the edges. */
export function graphClosing({ operation, root, depth }: GraphQuestion): string {
  const asked = operation === "bfs"
    ? `Perform a BFS from node ${root} with depth ${depth}.`
    : `Find the parents of node ${root}.`;
  return `\n\nOperation:\n${asked}\n\nYou should immediately return the set of nodes that the operation results in, with no ` +
    "additional text. Return your final answer as a list of nodes in the very last line of your response. For example, if " +
    "the operation returns the set of nodes [node1, node2, node3], your response should be:\n" +
    "Final Answer: [node1, node2, node3]\nIf the operation returns the empty set, your response should be:\nFinal Answer: []\n";
}

/** Reads the question after the edges; `null` if there is none. Anthropic and NVIDIA state the depth of a BFS in other words. */
function readGraphQuestion(prompt: string): (GraphQuestion & { readonly at: number }) | null {
  const at = prompt.lastIndexOf("\nOperation:\n");
  const asked = at < 0 ? "" : prompt.slice(at, at + 200);
  const [, root] = /^\nOperation:\nFind the parents of node (\S+)\.(?:\n|$)/.exec(asked) ?? [];
  if (root !== undefined) return { operation: "parents", root, depth: 1, at };
  const [, start, depth] =
    /^\nOperation:\nPerform a BFS from node (\S+)(?: with| and return only the nodes at exactly) depth (\d+)\b/.exec(
      asked,
    ) ??
      [];
  return start === undefined ? null : { operation: "bfs", root: start, depth: Number(depth), at };
}

/**
 * The rows of OpenAI's data set, such as `graphwalks_128k_and_shorter.parquet`: `prompt`, `answer_nodes`, `problem_type`,
 * `prompt_chars` and, since February 2026, `date_added`. They state no length in tokens. A node that is listed as its own parent, as
 * in 24 rows of 2025, is left out, as the prompt asks and the rows of 2026 do.
 */
export const GRAPH_TEST_FILES: TestFiles = {
  // The rows name their tasks.
  taskOf: () => undefined,
  write({ prompt, references }, { options }): Readonly<Record<string, unknown>> {
    const text = userText(prompt);
    const { operation } = options;
    return { prompt: text, answer_nodes: references, prompt_chars: text.length, problem_type: operation };
  },
  read(row, refuse): TestLine | null {
    const { prompt, "answer_nodes": nodes, "problem_type": operation } = row;
    if (typeof prompt !== "string" || nodes === undefined || operation === undefined) return null;
    if (operation !== "bfs" && operation !== "parents") throw refuse("problem_type must be bfs or parents", operation);
    if (!Array.isArray(nodes) || !nodes.every((node) => typeof node === "string")) {
      throw refuse("answer_nodes must be a list of nodes", nodes);
    }
    const question = prompt.includes(EDGES) ? readGraphQuestion(prompt) : null;
    if (question?.operation !== operation) {
      throw refuse(`prompt must be whole, with edges and then the operation of ${operation}`, prompt.slice(-60));
    }
    return {
      task: `graphwalks_${operation}`,
      input: prompt,
      references: operation === "parents" ? nodes.filter((node) => node !== question.root) : nodes,
    };
  },
};
