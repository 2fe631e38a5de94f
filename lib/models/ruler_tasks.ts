import type { Category } from "@/lib/generators/mod.ts";

/** The thirteen tasks of RULER, by category. */
export const RULER_TASKS: Readonly<Record<Category, readonly string[]>> = {
  "retrieval": [
    "niah_single_1",
    "niah_single_2",
    "niah_single_3",
    "niah_multikey_1",
    "niah_multikey_2",
    "niah_multikey_3",
    "niah_multivalue",
    "niah_multiquery",
  ],
  "multi-hop tracing": ["vt"],
  "aggregation": ["cwe", "fwe"],
  "question answering": ["qa_1", "qa_2"],
};

/** The four categories, in the order of the paper. */
export const CATEGORIES: readonly Category[] = [
  "retrieval",
  "multi-hop tracing",
  "aggregation",
  "question answering",
];
