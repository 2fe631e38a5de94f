import { nameTests, TESTS } from "./recalls.ts";
import { depthMap, type Figure, RED_TO_GREEN, type Titled } from "@/lib/figures/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { drawnFromAll, type DrawnRun } from "@/lib/reports/mod.ts";
import {
  depthCells,
  type ModelTaskScore,
  modelTaskScores,
  type RunEvidence,
  type RunReply,
} from "@/lib/statistics/mod.ts";

/** The part of a run that comparisons of models read. */
export type RecallReplies = Pick<DrawnRun, "manifest"> & Pick<ScoredRun, "replies">;

/**
 * Returns the recall of each model on the paper's three tests, in percent with its interval. Tests without a grade are left out,
 * and a repeated prompt counts once. The lowest grade is 1 of 5, so a model that finds nothing has 20.
 */
export function modelRecalls(runs: readonly RecallReplies[]): readonly ModelTaskScore[] {
  return modelTaskScores(runs.map((run) => ({ name: run.manifest.model, records: nameTests(run.replies) })));
}

/**
 * Draws mean recall by length and depth, a panel for each model and test: the paper's Figures 1 to 3 and Appendix D.
 *
 * @throws {RangeError} If no model has a grade on any of the three tests.
 */
export function recallMaps(runs: readonly RecallReplies[], options: Pick<Titled, "title">): Figure {
  const cells = runs.flatMap(({ manifest: { model, name: run }, replies }) =>
    depthCells(nameTests(replies).map((reply) => ({ ...reply, task: `${model}: ${reply.task}` })))
      .map((cell) => ({ ...cell, run }))
  );
  return depthMap(cells, {
    caption:
      "A column is a length, a row the depth of the needle, a cell the mean recall, from 20 (red) to 100 (green); hover for n and interval.",
    domain: [20, 100],
    valueTitle: "Recall (%)",
    colours: RED_TO_GREEN,
    width: 1000,
    height: 190,
    columns: TESTS.size,
    ...drawnFromAll(runs),
    ...options,
  });
}

/**
 * Lists replies once for each part of their prompts that varies, with the part and its value as their task, such as
 * `wording: distant`. Averaged by task they show how much recall depends on needle, wording, system message, template and position,
 * if every combination was asked. In the paper the three tests differ in needle and question at once.
 *
 * @param tasks The tasks of the run with their knobs.
 */
export function promptParts(asked: readonly RunReply[], tasks: RunEvidence["tasks"]): readonly RunReply[] {
  const replies = asked.toSorted((one, other) => (one.record.depth ?? 0) - (other.record.depth ?? 0));
  const parts = replies.map(({ task, record: { depth = 0 } }) => {
    const { test, needle = test, wording, question, system, template } = tasks[task]?.options ?? {};
    const position = `${Math.round(1000 * depth) / 10}%`;
    return { needle, "wording": wording ?? question, "system message": system, template, position };
  });
  const names = ["needle", "wording", "system message", "template", "position"] as const;
  const varied = names.filter((name) => new Set(parts.map((part) => part[name])).size > 1);
  return varied.flatMap((name) => replies.map((reply, at) => ({ ...reply, task: `${name}: ${parts[at]![name]}` })));
}
