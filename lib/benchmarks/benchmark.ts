import type { Family, Prompt, Sample, Task, TaskReader } from "@/lib/generators/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import type { Grading, Scorer } from "@/lib/scorers/mod.ts";
import type { Claim, RunEvidence, ScoreThreshold, TaskGroup } from "@/lib/statistics/mod.ts";

/** A published suite, with everything particular to it. */
export interface Benchmark {
  /** Its name, such as `ruler`; in a study it means its `tasks`. */
  readonly name: string;
  /** Its name as its authors write it. */
  readonly title: string;
  /** The paper and the code it follows. */
  readonly source: string;
  /** Its families of tasks. */
  readonly families: readonly Family[];
  /** Its default tasks. */
  readonly tasks: readonly string[];
  /** Groups of tasks whose mean is reported too. */
  readonly groups?: readonly TaskGroup[];
  /** The mean score that makes a length effective, where the suite's paper sets one. */
  readonly threshold?: ScoreThreshold;
  /** Claims that are checked on each run of it; only for a benchmark of your own. Those of a published suite belong to its paper. */
  readonly runClaims?: readonly Claim<RunEvidence>[];
  /** How a second model looks at replies, where the paper uses one. */
  readonly regraders?: readonly Regrader[];
  /** Its authors' test files, where they have a form of their own. */
  readonly testFiles?: TestFiles;
  /** The path of its file, if it is the user's own. */
  readonly file?: string;
}

/** The test files of a suite's authors: samples that nobody was asked yet. */
export interface TestFiles {
  /** The task that a file is called after, by its name without its ending; `undefined` if that is none of theirs. */
  taskOf(name: string): string | undefined;
  /** Writes a sample as they do. */
  write(sample: Sample, task: Pick<Task, "options">): Readonly<Record<string, unknown>>;
  /** Reads one of their samples; `null` if it is none. */
  read(line: Readonly<Record<string, unknown>>): TestLine | null;
}

/** What is read of a sample of {@linkcode TestFiles}. */
export interface TestLine extends Pick<Sample, "references" | "distractors" | "depth"> {
  /** The whole prompt. */
  readonly input: string;
  /** The length that it was made for, in tokens. */
  readonly length: number;
}

/** How a second model looks at replies: what it is asked about each, and how its answer becomes the score. */
export interface Regrader {
  /** Its name for `--by`: a `judge` grades replies, from 1 to 5 or to 10, an `extractor` rewrites them as plain answers. */
  readonly name: "judge" | "judge-10" | "extractor";
  /** The scorers whose replies it looks at. */
  readonly scorers: readonly Scorer[];
  /** How to read the two scores in a table. */
  readonly caption: string;
  /** Writes the prompt about a reply; `null` if there is nothing to ask. */
  prompt(reply: string, record: ScoredReply["record"]): Prompt | null;
  /** The most tokens the model may write about a reply. */
  answerRoom(record: ScoredReply["record"]): number;
  /** Scores a reply by what the model said about it; `null` if that cannot be read. */
  grade(said: string, scored: ScoredReply): Grading | null;
  /** What the model's answer must contain, for the reason given when it does not. */
  readonly wanted: string;
  /** What happens to a reply without a readable answer about it: no score, or the score by the rules. */
  readonly otherwise: "unscored" | "by the rules";
  /** Whether two scores of a reply agree. */
  isAlike(byRules: number, byModel: number): boolean;
  /** How many grades there are, where agreement is measured by Cohen's kappa. */
  readonly grades?: number;
  /** How the simulated reader does it. */
  readonly reader: TaskReader;
}

/** Makes one of a benchmark's tasks by name, with some knobs changed if you like. */
export function benchmarkTask(
  { title, families }: Pick<Benchmark, "title" | "families">,
  name: string,
  given: Readonly<Record<string, string | number>> = {},
): Task {
  const family = families.find(({ tasks }) => tasks.includes(name));
  if (family !== undefined) return family.task(name, given);
  throw new RangeError(
    `Cannot make the task as its name must be one of ${title}'s (${
      families.flatMap(({ tasks }) => tasks).join(", ")
    }): current value is "${name}"`,
  );
}
