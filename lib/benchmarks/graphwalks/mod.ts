/**
 * GraphWalks (OpenAI 2025): parents and breadth-first searches in a list of edges.
 *
 * @module
 */
import { GRAPH_WALKS } from "./graphwalks.ts";
import { GRAPH_TEST_FILES } from "./wording.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";

export { type BlindScores, blindScores, expectedParents, GRAPH_SCORERS, type GraphScorerName } from "./scorer.ts";
export { GRAPH_WALKS };

/** GraphWalks, both operations. */
export const GRAPHWALKS: Benchmark = {
  name: "graphwalks",
  title: "GraphWalks",
  source: "OpenAI 2025, data set openai/graphwalks",
  families: [GRAPH_WALKS],
  tasks: GRAPH_WALKS.tasks,
  testFiles: GRAPH_TEST_FILES,
};
