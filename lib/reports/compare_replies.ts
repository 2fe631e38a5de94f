import { defined, lengthText, plural, sum } from "@/lib/base/mod.ts";
import type { ComparedRun, RunsCompared, SharedSample } from "./compare_runs.ts";
import { closedBookAnswers, type ExplainedRecord, runFailures } from "./failures.ts";
import { drawnFromAll } from "./native_lengths.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import type { RunRecord, ScoredRun } from "@/lib/records/mod.ts";
import { FAILURE_CLASSES } from "@/lib/statistics/failures/mod.ts";
import { type OpenedOptions, openStudy, rememberSamples } from "@/lib/studies/mod.ts";

/** A run's replies compared with the baseline's. */
export interface RepliesCompared {
  /** Number of pairs of replies to shared samples. */
  readonly pairs: number;
  /** Changes of outcome, the most frequent first. */
  readonly changes: readonly OutcomeChange[];
  /** The changes as a table. */
  readonly changeTable: Table;
  /** Failures that could not be explained, with the reason. */
  readonly notes: readonly string[];
}

/** Replies whose outcome changed in the same way. */
export interface OutcomeChange {
  /** The baseline's failure class, or `right`. */
  readonly from: string;
  /** The other run's. */
  readonly to: string;
  /** Number of replies. */
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
  return await Promise.all(others.map(async (other, at): Promise<RepliesCompared> => {
    const [run, pair] = [rest[at]!, [names[0]!, other.name] as const];
    const left = await explainShared(baseline, other, { side: "baseline", baseline, opened });
    const right = await explainShared(run, other, { side: "other", baseline, opened });
    const pairs = other.shared.samples.flatMap((sample) => pairOutcomes(sample, { left, right }));
    const changes = countChanges(pairs);
    return {
      pairs: pairs.length,
      changes,
      changeTable: changeTable(changes, pairs.length, { names: pair, ...drawnFromAll([baseline, run], pair) }),
      notes: [...left.notes, ...right.notes],
    };
  }));
}

interface Explained {
  readonly byReply: ReadonlyMap<RunRecord, ExplainedRecord>;
  readonly notes: readonly string[];
}

/**
 * Explains the shared replies of a run. The samples are rebuilt from the baseline's recipes, as an imported run has the same text
 * without a recipe.
 */
async function explainShared(
  run: ScoredRun,
  { name, shared }: ComparedRun,
  { side, baseline, opened }: Required<OpenedOptions> & {
    readonly side: "baseline" | "other";
    readonly baseline: ScoredRun;
  },
): Promise<Explained> {
  const replies = shared.samples.flatMap((sample) => sample[side]);
  const asked = shared.samples.flatMap((each) => {
    const { sample, suite, seed, nominal } = each.baseline[0].record;
    const recipe = { sample, suite, seed, ...defined({ nominal }) };
    return each[side].map((reply) => ({ ...reply, record: { ...reply.record, ...recipe } }));
  });
  const explained = await runFailures({ ...baseline, replies: asked }, {
    opened,
    closedBookAnswer: closedBookAnswers(run),
  });
  return {
    byReply: new Map(explained.replies.map((reply, at) => [replies[at]!.record, reply])),
    notes: explained.notes.map((note) => `${side === "other" ? name : baseline.manifest.name}: ${note}`),
  };
}

/** The outcomes of both replies to a sample: primary failure classes, `right`, `unexplained` or `nothing to score`. */
interface OutcomePair {
  readonly from: string;
  readonly to: string;
  /** The task, length and number of the sample. */
  readonly place: string;
}

function pairOutcomes(
  { task, length, index, baseline, other }: SharedSample,
  { left, right }: Readonly<Record<"left" | "right", Explained>>,
): readonly OutcomePair[] {
  return baseline.slice(0, other.length).map((first, at) => ({
    from: outcomeOf(left.byReply.get(first.record)!),
    to: outcomeOf(right.byReply.get(other[at]!.record)!),
    place: `${task}, ${lengthText(length)}, ${index}`,
  }));
}

function outcomeOf({ modes, value }: ExplainedRecord): string {
  if (modes[0] !== undefined) return modes[0].class;
  if (value === null) return "nothing to score";
  return value === 1 ? "right" : "unexplained";
}

function countChanges(pairs: readonly OutcomePair[]): readonly OutcomeChange[] {
  const changed = pairs.filter(({ from, to }) => from !== to);
  const groups = Map.groupBy(changed, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].map((same): OutcomeChange => {
    const { from, to, place } = same[0]!;
    return { from, to, count: same.length, example: place };
  }).toSorted((left, right) =>
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
    columns: [
      { field: "from", label: names[0] },
      { field: "to", label: names[1] },
      { field: "count", label: "Replies", digits: 0 },
      { field: "example", label: "Example (task, length, sample)" },
    ],
  });
}
