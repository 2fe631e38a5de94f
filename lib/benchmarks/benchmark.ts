import type { Fields } from "@/lib/base/mod.ts";
import type { Family, FamilyOptions, Knobs, Message, Named, Prompt, Sample, Task } from "@/lib/generators/mod.ts";
import { family, oneOf } from "@/lib/generators/mod.ts";
import type { Grading, Score, Scorer } from "@/lib/scorers/mod.ts";
import type { Claim, ClaimSet, RunEvidence, ScoreThreshold, TaskGroup } from "@/lib/statistics/mod.ts";

/** The published study that introduces a suite: its claims, with the verdicts that its own numbers give. */
export interface Paper {
  /** Claims about published numbers, one set for each study of the paper. */
  readonly claims: readonly ClaimSet[];
  /** Claims that can be checked on runs of one model. */
  readonly runClaims: readonly Claim<RunEvidence>[];
}

/** A suite of tasks: its families and scorers. */
export interface Benchmark {
  /** The name, such as `ruler`; in a study it means the default tasks. */
  readonly name: string;
  /** The name as its authors write it. */
  readonly title: string;
  /** The paper and the code it follows. */
  readonly source: string;
  readonly families: readonly Family[];
  /** The default tasks. */
  readonly tasks: readonly string[];
  /** Groups of tasks with their own mean in reports. */
  readonly groups?: readonly TaskGroup[];
  /** The mean score that makes a length effective, if the suite's paper sets one. */
  readonly threshold?: ScoreThreshold;
  /** Loads the paper that introduces it, whose claims are checked on runs. */
  readonly paper?: () => Promise<Paper>;
  /** Claims that each run is checked for; only for a benchmark of your own. Claims of a published suite belong to its paper. */
  readonly runClaims?: readonly Claim<RunEvidence>[];
  /** Second readings of replies by a model, if the paper uses one. */
  readonly regraders?: readonly Regrader[];
  /** The authors' test files, if they have their own format. */
  readonly testFiles?: TestFiles;
  /** The path of its file, for a user's own benchmark. */
  readonly file?: string;
}

/** The test files of a suite's authors: samples without replies. */
export interface TestFiles {
  /** Returns the task that a file name without its extension names; `undefined` if it names none. */
  taskOf(name: string): string | undefined;
  /** Converts a sample to a line of their files. */
  write(sample: Sample, task: Pick<Task, "options">): Readonly<Record<string, unknown>>;
  /**
   * Parses a line of their files, or a row of their tables; `null` if it has another format.
   *
   * @param refuse Makes the error for a line of their format with a value of another kind: `refuse("n_needles must be 2, 4 or 8", 3)`.
   * @param options The knobs of its task, if it has any; their defaults if left out.
   */
  read(
    line: Fields,
    refuse: (wanted: string, value: unknown) => Error,
    options?: Task["options"],
  ): TestLine | null;
}

/** A parsed line of {@linkcode TestFiles}. */
export interface TestLine extends Pick<Sample, "references" | "distractors" | "depth" | "cluster"> {
  /** The question; by default it is looked for in the prompt. */
  readonly question?: string;
  /** The start of the answer, for prompts without a chat template. */
  readonly answerPrefix?: string;
  /** The part of `input` that is cut if the prompt is longer than the length of the run, in its middle or at its end. */
  readonly cut?: { readonly part: string; readonly at: "middle" | "end" };
  /** The task, if a file has lines of several; that of the file by default. */
  readonly task?: string;
  /** The whole prompt, if it is one message of the user. */
  readonly input?: string;
  /** The messages of other prompts. */
  readonly messages?: readonly Message[];
  /** The length that it was generated for, in tokens; by default the power of two at or above its tokens. */
  readonly length?: number;
}

/** The parts of a scored reply that a regrader reads. */
export interface ReplyToRegrade {
  readonly record: Pick<Sample, "references"> & Partial<Pick<Sample, "question">> & {
    /** The scorer's name. */
    readonly scoring: string;
  };
  readonly score: Score | null;
}

/** A second reading of replies by a model: the prompt about a reply, and the score from the answer. */
export interface Regrader {
  /** The name for `--by`: a `judge` grades replies, from 1 to 5 or to 10; an `extractor` rewrites them as plain answers. */
  readonly name: "judge" | "judge-10" | "extractor";
  /** The scorers whose replies can be regraded. */
  readonly scorers: readonly Scorer[];
  /** The caption of the table with both scores. */
  readonly caption: string;
  /** Returns the prompt about a reply; `null` if there is nothing to ask. */
  prompt(reply: string, record: ReplyToRegrade["record"]): Prompt | null;
  /** The output limit for an answer about a reply, in tokens. */
  answerRoom(record: ReplyToRegrade["record"]): number;
  /** Scores a reply by the model's answer about it; `null` if the answer cannot be parsed. */
  grade(answer: string, scored: ReplyToRegrade): Grading | null;
  /** The required part of the model's answer, for the message if it is missing. */
  readonly wanted: string;
  /** The score of a reply without a valid answer about it: none, or the score by the rules. */
  readonly otherwise: "unscored" | "by the rules";
  /** Whether two scores of a reply agree. */
  isAlike(byRules: number, byModel: number): boolean;
  /** The number of grades, if agreement is measured by Cohen's kappa. */
  readonly grades?: number;
  /** The answer of a model that agrees with the score by the rules, which the simulated reader gives. */
  agree(reply: string, scored: ReplyToRegrade): string;
}

/** Returns a task of a benchmark by name, with some knobs changed if given. */
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

/** What is done with a prompt that is longer than the length of the run. */
export const OVERLONG = oneOf(
  ["cut", "skip"],
  "whether a prompt that is longer than the length is cut as its authors cut it, or left out",
);

/** The declaration of a suite whose samples are the rows of its authors' files. */
export interface FileSuiteOptions<K extends Knobs>
  extends
    Omit<FamilyOptions<K, never, Named<K>>, "suite" | "tasks" | "recipe">,
    Pick<Benchmark, "title" | "source" | "groups" | "regraders">,
    Pick<TestFiles, "taskOf" | "read"> {}

/** Declares a suite that makes no samples: `--samples-file` asks its authors' files. Names of its tasks begin with its own. */
export function fileSuite<const K extends Knobs>(
  { title, source, groups = [], regraders = [], taskOf, read, ...options }: FileSuiteOptions<K>,
): Benchmark {
  const { name } = options;
  const testFiles = { taskOf, read, write: () => refuseSample(name) };
  return { name, title, source, families: [fileFamily(options)], tasks: [], groups, regraders, testFiles };
}

/** Declares the family of the rows of a file, which makes no samples. */
export function fileFamily<const K extends Knobs>(
  options: Omit<FamilyOptions<K, never, Named<K>>, "suite" | "tasks" | "recipe">,
): Family {
  const { name } = options;
  const suite = `${name.replaceAll("_", "-")}-1`;
  return family({ ...options, suite, tasks: {}, recipe: () => refuseSample(name) });
}

function refuseSample(name: string): never {
  throw new RangeError(
    `Cannot make a sample of ${name} as its texts must be the authors' own: ask their files with --samples-file`,
  );
}

/** Makes the error for a field of a row. */
export type RefuseField = Parameters<TestFiles["read"]>[1];

/** Returns a row whose named fields must be texts. */
export function readTexts<const Name extends string>(
  row: Fields,
  names: readonly Name[],
  refuse: RefuseField,
): Readonly<Record<Name, string>> {
  const strange = names.find((name) => typeof row[name] !== "string");
  if (strange !== undefined) throw refuse(`${strange} must be a text`, row[strange]);
  return row as Readonly<Record<Name, string>>;
}

/** Joins neighbouring messages of one role, which chat templates refuse. */
export function joinNeighbours(
  messages: readonly Message[],
  joinTexts: (text: string, next: string) => string,
): Message[] {
  const joined: Message[] = [];
  for (const { role, text } of messages) {
    const last = joined.at(-1);
    if (last?.role === role) joined[joined.length - 1] = { role, text: joinTexts(last.text, text) };
    else joined.push({ role, text });
  }
  return joined;
}
