import { listSamples, type Plan } from "@/lib/studies/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { expectedInterval, minimumDetectableDifference } from "@/lib/statistics/mod.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/** The score at which intervals are widest, in percent. */
const WIDEST = 50;

/**
 * Describes the questions of a plan for a real model and the precision of their scores, a line each. A simulated reader costs nothing
 * and has no notes. `fathom plan` prints more.
 *
 * Intervals and differences are those at a score of 50, where they are widest, for yes/no scores. A difference counts as found
 * where 80% of runs would find it.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
 * import { checkStudy, openStudy, planStudy } from "@/lib/studies/mod.ts";
 *
 * const opened = await openStudy(checkStudy({ tasks: ["vt", "cwe"], lengths: [4096], samples: 25 }));
 * const plan = planStudy(opened, { template: PLAIN_TEMPLATE });
 * deepEqual(decisionNotes(plan, { origin: "measured" }), [
 *   "50 questions of at most 201,050 prompt tokens: 25 samples of each of 2 tasks at 1 length",
 *   "25 samples tell a score to about ±19 points, the mean of 2 tasks to ±14; two models asked the same samples can be told apart " +
 *   "if they differ by 40 points on a task, by 29 in the mean",
 * ]);
 * ```
 */
export function decisionNotes(plan: Plan, { origin }: Pick<Model, "origin">): readonly string[] {
  if (origin === "simulated") return [];
  const { cells, samples, repeats = 1, questions } = plan;
  const lengths = Map.groupBy(cells, ({ length }) => length);
  const tasks = Math.max(...[...lengths.values()].map((ofLength) => ofLength.length));
  const tokens = listSamples(plan).reduce((sum, { task, length }) => sum + length - task.answerRoom, 0);
  const many = (count: number, what: string): string => `${count.toLocaleString("en")} ${plural(count, what)}`;
  const again = repeats === 1 ? "" : `, each asked ${repeats} times`;
  const isOne = tasks === 1;
  const [units, all] = [
    Math.min(...cells.map((cell) => countUnits([cell], plan))),
    Math.min(...[...lengths.values()].map((ofLength) => countUnits(ofLength, plan))),
  ];
  const shared = units < samples ? `, which are on ${many(units, "question or text")},` : "";
  const fewer = Object.entries(plan.samplesAt ?? {}).map(([length, count]) =>
    `${lengthText(Number(length))}: ${count}, ±${intervalReach(count, 1)} points`
  );
  return [
    `${many(questions, "question")} of at most ${many(tokens, "prompt token")}: ${fewer.length > 0 ? "at most " : ""}${
      many(samples, "sample")
    } of each of ${many(tasks, "task")} at ${many(lengths.size, "length")}${again}`,
    `${many(samples, "sample")}${shared} ${samples === 1 ? "tells" : "tell"} a score to about ±${
      intervalReach(units, 1)
    } points${
      isOne ? "" : `, the mean of ${tasks} tasks to ±${intervalReach(all, 1)}`
    }; two models asked the same samples can be told apart if they differ by ${found(units, 1)} on a task${
      isOne ? "" : `, by ${found(all, 1).replace(" points", "")} in the mean`
    }`,
    ...(fewer.length === 0 ? [] : [`fewer samples at some lengths are less precise (${fewer.join("; ")})`]),
  ];
}

/** Counts the independent units among the samples of some cells of a plan: a question or text that several share counts once. */
function countUnits(cells: Plan["cells"], { seed, first, samples }: Plan): number {
  const clusters = cells.flatMap(({ task }) =>
    Array.from(
      { length: samples },
      (_, at) => task.clusterOf?.({ seed, index: first + at }) ?? `${task.name}/${at}`,
    )
  );
  return new Set(clusters).size;
}

/** Half the width of the interval of a mean at a score of 50, where it is widest, in whole points. */
export function intervalReach(samples: number, tasks: number): string {
  const { low, high } = expectedInterval(samples, { score: WIDEST, tasks });
  return Math.round((high - low) / 2).toFixed(0);
}

/** The smallest difference that is found; one of 50 may not be. */
function found(samples: number, tasks: number): string {
  const least = minimumDetectableDifference(samples, { score: WIDEST, tasks });
  return least === null ? `more than ${WIDEST} points` : `${Math.ceil(least)} points`;
}
