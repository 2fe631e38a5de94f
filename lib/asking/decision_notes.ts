import { grouped, lengthText, plural } from "@/lib/base/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { expectedInterval, minimumDetectableDifference, unitsText } from "@/lib/statistics/mod.ts";
import type { Cell, Plan } from "@/lib/studies/mod.ts";

/** The score at which intervals are widest. */
const WIDEST = 50;

/**
 * Describes the precision of the scores of a plan for a real model: intervals at a score of 50, where
 * they are widest, and differences that 80% of runs would detect. A simulated reader costs nothing and has no notes.
 */
export function decisionNotes(plan: Plan, { origin }: Pick<Model, "origin">): readonly string[] {
  if (origin === "simulated") return [];
  const { cells, samples, samplesAt = {} } = plan;
  const lengths = [...Map.groupBy(cells, ({ length }) => length).values()];
  const tasks = Math.max(...lengths.map((ofLength) => ofLength.length));
  const many = (count: number, what: string): string => `${grouped(count)} ${plural(count, what)}`;
  const units = Math.min(...cells.map((cell) => countUnits([cell], plan)));
  const all = Math.min(...lengths.map((ofLength) => countUnits(ofLength, plan)));
  const shared = units < samples ? `, which are on ${many(units, "question or text")},` : "";
  const fewer = Object.entries(samplesAt).map(([length, count]) =>
    `${lengthText(Number(length))}: ${count}, ±${intervalReach(count)} points`
  );
  const [mean, apart] = tasks === 1 ? ["", ""] : [
    `, the mean of ${tasks} tasks ${unitsText([{ units: all }], `known to ±${intervalReach(all)}`)}`,
    `, ${foundDifference(all).replace(" points", "")} in the mean`,
  ];
  return [
    `with ${many(samples, "sample")}${shared} a score is ${
      unitsText([{ units }], `known to about ±${intervalReach(units)} points`)
    }${mean}; the smallest detectable difference between two models on the same samples is ${
      foundDifference(units)
    } on a task${apart}`,
    ...(fewer.length === 0 ? [] : [`fewer samples at some lengths are less precise (${fewer.join("; ")})`]),
  ];
}

/** Counts the independent units among the samples of some cells of a plan: a question or text that several share counts once. */
function countUnits(cells: readonly Cell[], { seed, first, samples }: Plan): number {
  const clusters = cells.flatMap(({ task, length }) =>
    Array.from(
      { length: samples },
      (_, at) => task.clusterOf?.({ length, seed, index: first + at }) ?? `${task.name}/${at}`,
    )
  );
  return new Set(clusters).size;
}

/** Half the width of the interval of a mean at a score of 50, where it is widest, in whole points. */
function intervalReach(samples: number): string {
  const { low, high } = expectedInterval(samples, { score: WIDEST });
  return Math.round((high - low) / 2).toFixed(0);
}

/** The smallest difference that is found; one of 50 may not be. */
function foundDifference(samples: number): string {
  const least = minimumDetectableDifference(samples, { score: WIDEST });
  return least === null ? `more than ${WIDEST} points` : `${Math.ceil(least)} points`;
}
