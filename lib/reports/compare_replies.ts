import { defined, lengthText, plural, sum } from "@/lib/base/mod.ts";
import type { RunsCompared, SharedSample } from "./compare_runs.ts";
import { closedBookAnswers, type ExplainedRecord, type RunFailures, runFailures } from "./failures.ts";
import { drawnFromAll } from "./native_lengths.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import type { ScoredReply, ScoredRun } from "@/lib/records/mod.ts";
import { FAILURE_CLASSES } from "@/lib/statistics/failures/mod.ts";
import { type OpenedOptions, openStudy, rememberSamples } from "@/lib/studies/mod.ts";

/** A run's replies compared with the baseline's. */
export interface RepliesCompared {
  readonly pairs: number;
  /** Changes of outcome, the most frequent first. */
  readonly changes: readonly OutcomeChange[];
  readonly changeTable: Table;
  /** Failures that could not be explained, with the reason. */
  readonly notes: readonly string[];
}

/** Replies whose outcome changed in the same way. */
export interface OutcomeChange {
  /** The baseline's failure class, or `right`. */
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** One of them: task, length and number. */
  readonly example: string;
}

/**
 * Pairs the replies of compared runs with the baseline's, and counts which failure classes changed. Rebuilds the samples of wrong
 * replies to explain them.
 *
 * @param runs The compared runs, the baseline first.
 * @param compared The result of `compareRuns`.
 * @returns One for each run after the baseline.
 */
export async function compareReplies(
  runs: readonly ScoredRun[],
  { names, others }: Pick<RunsCompared, "names" | "others">,
  options: OpenedOptions = {},
): Promise<readonly RepliesCompared[]> {
  const [baseline, ...rest] = runs;
  if (baseline === undefined) return [];
  const opened = options.opened ?? rememberSamples(await openStudy(baseline.manifest.study, baseline));
  return await Promise.all(others.map(async ({ name, shared }, at): Promise<RepliesCompared> => {
    const [run, pair] = [rest[at]!, [names[0]!, name] as const];
    const pairs = shared.samples.flatMap(pairReplies);
    // The baseline's samples are rebuilt, and those of the other run are the same.
    const explain = (own: ScoredRun, replies: readonly ScoredReply[]): Promise<RunFailures> =>
      runFailures({ ...baseline, replies }, { opened, closedBookAnswer: closedBookAnswers(own) });
    const left = await explain(baseline, pairs.map(({ first }) => first));
    const right = await explain(run, pairs.map(({ second }) => second));
    const changes = countChanges(pairs.map(({ place }, pair) => (
      { from: outcomeOf(left.replies[pair]!), to: outcomeOf(right.replies[pair]!), example: place }
    )));
    const named = (own: string, notes: readonly string[]): readonly string[] => notes.map((note) => `${own}: ${note}`);
    return {
      pairs: pairs.length,
      changes,
      changeTable: changeTable(changes, pairs.length, { names: pair, ...drawnFromAll([baseline, run], pair) }),
      notes: [...named(baseline.manifest.name, left.notes), ...named(name, right.notes)],
    };
  }));
}

/** Pairs the replies to a sample, with its task, length and number. An imported run has its text without a recipe, so the baseline's recipe is that of both. */
function pairReplies(
  { task, length, index, baseline, other }: SharedSample,
): readonly (Readonly<Record<"first" | "second", ScoredReply>> & { readonly place: string })[] {
  const { sample, suite, seed, nominal } = baseline[0].record;
  const recipe = { sample, suite, seed, ...defined({ nominal }) };
  return baseline.slice(0, other.length).map((first, repeat) => {
    const second = other[repeat]!;
    const place = `${task}, ${lengthText(length)}, ${index}`;
    return { place, first, second: { ...second, record: { ...second.record, ...recipe } } };
  });
}

/** Returns the primary failure class of a reply, `right`, `unexplained` or `nothing to score`. */
function outcomeOf({ modes, value }: ExplainedRecord): string {
  if (modes[0] !== undefined) return modes[0].class;
  if (value === null) return "nothing to score";
  return value === 1 ? "right" : "unexplained";
}

function countChanges(pairs: readonly Omit<OutcomeChange, "count">[]): readonly OutcomeChange[] {
  const changed = pairs.filter(({ from, to }) => from !== to);
  const groups = Map.groupBy(changed, ({ from, to }) => JSON.stringify([from, to]));
  return Array.from(groups.values(), (same) => ({ ...same[0]!, count: same.length })).toSorted((left, right) =>
    right.count - left.count || rankOf(left.from) - rankOf(right.from) || rankOf(left.to) - rankOf(right.to)
  );
}

/** Ranks outcomes; `right` comes before every failure class. */
function rankOf(outcome: string): number {
  return (FAILURE_CLASSES as readonly string[]).indexOf(outcome);
}

const MAX_CHANGES = 12;
const NO_CHANGE: OutcomeChange = { from: "none", to: "none", count: 0, example: "" };

function changeTable(
  changes: readonly OutcomeChange[],
  replies: number,
  { names, ...drawn }: Pick<Titled, "origin" | "warning"> & { readonly names: readonly [string, string] },
): Table {
  const changed = sum(changes, ({ count }) => count);
  const rare = changes.length - MAX_CHANGES;
  const more = rare <= 0 ? "" : ` ${rare} rarer ${plural(rare, "change")} left out.`;
  return table(changes.length === 0 ? [NO_CHANGE] : changes.slice(0, MAX_CHANGES), {
    title: `${names[1]} against ${names[0]}: the outcome of ${changed} of ${replies} ${
      plural(replies, "reply")
    } changed`,
    ...drawn,
    n: `${replies} pairs of replies`,
    caption: `The primary failure class in both runs; replies with the same outcome are left out.${more}`,
    columns: {
      from: names[0],
      to: names[1],
      count: { label: "Replies", digits: 0 },
      example: "Example (task, length, sample)",
    },
  });
}
