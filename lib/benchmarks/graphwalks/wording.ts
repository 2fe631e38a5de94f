import PROMPTS from "./prompts.json" with { type: "json" };
import type { TestFiles, TestLine } from "@/lib/benchmarks/benchmark.ts";
import { userText } from "@/lib/generators/mod.ts";

/** The edition of the prompt: that of April 2025, or of February 2026, whose BFS sentence is clearer. */
export type GraphWording = keyof typeof PROMPTS.atDepth;

/** The line before the edges. */
export const EDGES = "The graph has the following edges:";

/** Returns the words before the edges, as in the data set `openai/graphwalks`; the worked example is the same for both operations. */
export function graphOpening(wording: GraphWording): string {
  return PROMPTS.opening.join("\n").replace("AT_DEPTH", PROMPTS.atDepth[wording]);
}

/** A question about a graph. */
export interface GraphQuestion {
  readonly operation: keyof typeof PROMPTS.operations;
  /** The node that it is about. */
  readonly root: string;
  /** The depth of a BFS, from 1. */
  readonly depth: number;
}

/** Returns the words after the edges. */
export function graphClosing({ operation, root, depth }: GraphQuestion): string {
  const asked = PROMPTS.operations[operation].replace("ROOT", root).replace("DEPTH", String(depth));
  return PROMPTS.closing.join("\n").replace("OPERATION", asked);
}

/** The question after the edges, its node named after the operation. Anthropic and NVIDIA state the depth of a BFS in other words. */
const QUESTION =
  /^\nOperation:\n(?:Find the parents of node (?<parents>\S+)\.(?:\n|$)|Perform a BFS from node (?<bfs>\S+)(?: with| and return only the nodes at exactly) depth \d+\b)/;

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
    const root = QUESTION.exec(prompt.slice(prompt.lastIndexOf("\nOperation:\n")))?.groups?.[operation];
    if (root === undefined || !prompt.includes(EDGES)) {
      throw refuse(`prompt must be whole, with edges and then the operation of ${operation}`, prompt.slice(-60));
    }
    const references = operation === "parents" ? nodes.filter((node) => node !== root) : nodes;
    return { task: `graphwalks_${operation}`, input: prompt, references };
  },
};
