import type {
  PublishedContextLimit,
  PublishedThreadingTask,
  ThreadingPublished,
  ThreadingTableScore,
} from "./published_threading.ts";

/** What claims of Needle Threading look at. */
export interface ThreadingEvidence {
  /** What the paper printed. */
  readonly published: ThreadingPublished;
  /** Tokens of a UUID pair of the haystack for GPT-4o (o200k_base), as counted here. */
  readonly gpt4oPairTokens: number;
}

/** Characters of a pair in a haystack, `, ` included. */
export const PAIR_CHARACTERS = 80;

/** The models that a table or task has scores of, in its order. */
export function modelsOf(rows: readonly { readonly model: string }[]): readonly string[] {
  return [...new Set(rows.map(({ model }) => model))];
}

/** The scores of a task, or of Table 1, model by model, sizes rising. */
export function curvesOf(
  { scores }: ThreadingPublished,
  task: ThreadingTableScore["task"],
): ReadonlyMap<string, readonly ThreadingTableScore[]> {
  const rows = scores.filter((row) => row.task === task).toSorted((left, right) => left.length - right.length);
  return Map.groupBy(rows, ({ model }) => model);
}

/** Table 2 for one task. */
export function limitsOf(
  { limits }: ThreadingPublished,
  task: PublishedThreadingTask,
): readonly PublishedContextLimit[] {
  return limits.filter((row) => row.task === task);
}

/** What a model takes, in thousand characters, as Table 2 prints it. */
export function supportedBy({ limits }: ThreadingPublished, model: string): number {
  return limits.find((row) => row.model === model)!.supported;
}

/** Characters that a token stands for, where a limit in tokens is known: Table 2 restates it in characters. */
export function charactersPerToken(published: ThreadingPublished, model: string, tokens: number): number {
  return 1000 * supportedBy(published, model) / tokens;
}
