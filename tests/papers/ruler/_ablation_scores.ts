import type { LengthEvidence } from "@/lib/statistics/mod.ts";
import { makeTasks, readStudyFile } from "@/lib/studies/mod.ts";

const STUDIES = await Promise.all(
  ["03-ablations", "03-closed-book"].map((name) => readStudyFile(`data/studies/${name}.yaml`)),
);
const TASKS = STUDIES.flatMap((study) => makeTasks(study));

/** Scores of a task of notebook 03 at 4K, 8K and so on, the last at 256K, with an interval of one point on both sides. */
export function scoresOf(task: string, ...scores: readonly number[]): readonly LengthEvidence[] {
  const { options: knobs } = TASKS.find(({ name }) => name === task)!;
  const of = { suite: "RULER", depth: null, model: "made", n: 100, origin: "measured", source: "a test" } as const;
  return scores.map((score, at) => {
    const length = at === scores.length - 1 ? 262_144 : 4096 * 2 ** at;
    return { ...of, task, knobs, length, score, low: score - 1, high: score + 1 };
  });
}
