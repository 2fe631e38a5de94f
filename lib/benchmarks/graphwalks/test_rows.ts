import { EDGES, readGraphQuestion } from "./wording.ts";
import type { TestFiles, TestLine } from "@/lib/benchmarks/benchmark.ts";
import { userText } from "@/lib/generators/mod.ts";

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
