import { defined, lengthText, plural, quoteText, sum } from "@/lib/base/mod.ts";
import type { ComparedRun, RunsCompared, SharedSample } from "./compare_runs.ts";
import { closedBookAnswers, type ExplainedRecord, runFailures, textOf } from "./failures.ts";
import { drawnFromAll } from "./native_lengths.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import type { RunRecord, ScoredRun } from "@/lib/records/mod.ts";
import { FAILURE_CLASSES } from "@/lib/statistics/failures/mod.ts";
import { type OpenedOptions, openStudy, rememberSamples } from "@/lib/studies/mod.ts";

/**
 * The replies of a baseline and of another run to the same sample, as a flat row. Outcomes are primary failure classes, `right`,
 * `unexplained` or `nothing to score`; `depth` is a share of the context, `wanted` the references, separated by |.
 */
export type ReplyPair =
  & Readonly<Record<"baseline" | "baselineOrigin" | "run" | "runOrigin" | "sample" | "sha256" | "task", string>>
  & Readonly<Record<"length" | "index" | "repeat", number>>
  & Readonly<Record<"depth" | "baselineScore" | "runScore", number | null>>
  & Readonly<Record<"baselineOutcome" | "runOutcome" | "wanted" | "baselineReply" | "runReply", string>>;

/** A run's replies compared with the baseline's. */
export interface RepliesCompared {
  /** Every pair of replies to a shared sample. */
  readonly rows: readonly ReplyPair[];
  /** Changes of outcome, the most frequent first. */
  readonly changes: readonly OutcomeChange[];
  /** The changes as a table. */
  readonly changeTable: Table;
  /** The pairs in which only one run was right. */
  readonly apart: readonly ReplyPair[];
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
 * Pairs the replies of compared runs with the baseline's: which failure classes changed, and where only one run was right. Rebuilds
 * the samples of wrong replies to explain them.
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
    const rows = other.shared.samples.flatMap((sample) => pairReplies(sample, { left, right, names: pair }));
    const changes = countChanges(rows);
    return {
      rows,
      changes,
      changeTable: changeTable(changes, rows.length, { names: pair, ...drawnFromAll([baseline, run], pair) }),
      apart: rows.filter(({ baselineScore, runScore }) =>
        baselineScore !== null && runScore !== null && (baselineScore === 1) !== (runScore === 1)
      ),
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

function pairReplies(
  { task, length, index, depth, baseline, other }: SharedSample,
  { left, right, names }: {
    readonly left: Explained;
    readonly right: Explained;
    readonly names: readonly [string, string];
  },
): readonly ReplyPair[] {
  const { sample, sha256, references } = baseline[0].record;
  return baseline.slice(0, other.length).map((first, at): ReplyPair => {
    const second = other[at]!;
    return {
      baseline: names[0],
      baselineOrigin: first.record.origin,
      run: names[1],
      runOrigin: second.record.origin,
      sample,
      sha256,
      task,
      length,
      index,
      repeat: first.record.repeat ?? 0,
      depth,
      baselineScore: first.value,
      runScore: second.value,
      baselineOutcome: outcomeOf(left.byReply.get(first.record)!),
      runOutcome: outcomeOf(right.byReply.get(second.record)!),
      wanted: references.join(" | "),
      baselineReply: textOf(first),
      runReply: textOf(second),
    };
  });
}

function outcomeOf({ modes, value }: ExplainedRecord): string {
  if (modes[0] !== undefined) return modes[0].class;
  if (value === null) return "nothing to score";
  return value === 1 ? "right" : "unexplained";
}

function countChanges(rows: readonly ReplyPair[]): readonly OutcomeChange[] {
  const changed = rows.filter(({ baselineOutcome, runOutcome }) => baselineOutcome !== runOutcome);
  const groups = Map.groupBy(changed, (row) => JSON.stringify([row.baselineOutcome, row.runOutcome]));
  return [...groups.values()].map((same): OutcomeChange => ({
    from: same[0]!.baselineOutcome,
    to: same[0]!.runOutcome,
    count: same.length,
    example: placeText(same[0]!),
  })).toSorted((left, right) =>
    right.count - left.count || rankOf(left.from) - rankOf(right.from) || rankOf(left.to) - rankOf(right.to)
  );
}

/** Ranks outcomes; `right` comes before every failure class. */
function rankOf(outcome: string): number {
  return (FAILURE_CLASSES as readonly string[]).indexOf(outcome);
}

/** Names the sample of a pair, such as `vt, 4K, 3`. */
function placeText({ task, length, index }: ReplyPair): string {
  return `${task}, ${lengthText(length)}, ${index}`;
}

const MAX_CHANGES = 12;
const NO_CHANGE: OutcomeChange = { from: "none", to: "none", count: 0, example: "" };

function changeTable(
  changes: readonly OutcomeChange[],
  replies: number,
  { names, ...drawn }: Omit<ApartTableOptions, "most">,
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

/** Options for {@linkcode apartTable}. */
export interface ApartTableOptions extends Pick<Titled, "origin" | "warning"> {
  /** The runs' names, the baseline's first. */
  readonly names: readonly [string, string];
  /** Pairs to show at most. Default: 10. */
  readonly most?: number;
}

const MAX_REPLY_CHARS = 120;

/**
 * Returns a table of the samples that only one run got right, with both replies; the middle of long replies is removed.
 *
 * @param apart From {@linkcode compareReplies}.
 */
export function apartTable(apart: readonly ReplyPair[], { names, most = 10, ...drawn }: ApartTableOptions): Table {
  const [lost, won] = [apart.filter((row) => row.baselineScore === 1), apart.filter((row) => row.runScore === 1)];
  // Both kinds are shown, half of each if there are enough.
  const wonCount = Math.min(won.length, Math.max(Math.floor(most / 2), most - lost.length));
  const shown = [...lost.slice(0, most - wonCount), ...won.slice(0, wonCount)];
  const rows = shown.length === 0
    ? [{ place: "none", right: "", wanted: "", baseline: "", run: "" }]
    : shown.map((row) => ({
      place: placeText(row),
      right: row.baselineScore === 1 ? names[0] : names[1],
      wanted: quoteText(row.wanted, MAX_REPLY_CHARS),
      baseline: quoteText(row.baselineReply, MAX_REPLY_CHARS),
      run: quoteText(row.runReply, MAX_REPLY_CHARS),
    }));
  return table(rows, {
    title: `${lost.length} right in ${names[0]} alone, ${won.length} in ${names[1]} alone`,
    ...drawn,
    n: `${apart.length} ${plural(apart.length, "pair")} of replies`,
    caption: `${shown.length} of ${apart.length} shown. Long texts lose their middle; line breaks are written as \\n.`,
    columns: [
      { field: "place", label: "Task, length, sample" },
      { field: "right", label: "Right" },
      { field: "wanted", label: "Wanted" },
      { field: "baseline", label: names[0] },
      { field: "run", label: names[1] },
    ],
  });
}
