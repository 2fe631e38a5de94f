import { publishedWrongs } from "./test_lines.ts";

/**
 * Gives a line of Counting-Stars' own result files (gen_test_data.ipynb, viz.ipynb) the names that prediction files have: `answer`,
 * a text or JSON that was parsed already, becomes `pred`, `reference_counting_results` becomes `outputs`. Other lines stay.
 *
 * The files do not say the wrong counts of the reasoning task; where the right ones begin the published list, the wrong ones are
 * those of that list, as in the authors' scorer.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const line = { "context_size": 2800, answer: '{"小企鹅": [15, 117]}', "reference_counting_results": [15, 117, 42] };
 * const { pred, outputs } = starResultFields(line);
 * deepEqual([pred, outputs], ['{"小企鹅": [15, 117]}', ["15", "117", "42"]]);
 * ```
 */
export function starResultFields(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { answer, "reference_counting_results": counts } = line;
  if (answer === undefined || !Array.isArray(counts)) return line;
  const distractors = publishedWrongs(counts);
  return {
    ...line,
    pred: typeof answer === "string" ? answer : JSON.stringify(answer),
    outputs: counts.map(String),
    ...(distractors === undefined ? {} : { distractors }),
  };
}
