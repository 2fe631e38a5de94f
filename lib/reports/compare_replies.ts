import type { ComparedRun, RunsCompared, SharedSample } from "./compare_runs.ts";
import { closedBookAnswers, type ExplainedRecord, explainRun } from "./failures.ts";
import { drawnFromAll } from "./native_lengths.ts";
import { type OpenedOptions, openStudy, rememberSamples } from "@/lib/studies/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import type { RunRecord, ScoredReply } from "@/lib/models/mod.ts";
import { FAILURE_CLASSES } from "@/lib/statistics/mod.ts";
import { lengthText, plural, quoteText } from "@/lib/text/mod.ts";

/** The replies of a baseline and of another run to the same sample, side by side, as a flat row. */
export interface ReplyPair extends Readonly<Record<string, string | number | null>> {
  /** The baseline's name. */
  readonly baseline: string;
  /** Where the baseline's reply comes from: `measured`, `simulated` or `unknown`. */
  readonly baselineOrigin: string;
  /** The other run's name. */
  readonly run: string;
  readonly runOrigin: string;
  /** The sample's id, as the baseline was asked. */
  readonly sample: string;
  /** SHA-256 of the prompt. */
  readonly sha256: string;
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The number of the sample. */
  readonly index: number;
  /** Which time it was asked, from 0. */
  readonly repeat: number;
  /** The share of the context before the target, in [0, 1]; `null` without a single target. */
  readonly depth: number | null;
  /** The baseline's score, in [0, 1]; `null` where there is none. */
  readonly baselineScore: number | null;
  /** The other run's. */
  readonly runScore: number | null;
  /** The baseline's primary failure class, `right`, or `unexplained`. */
  readonly baselineOutcome: string;
  readonly runOutcome: string;
  /** The references, separated by |. */
  readonly wanted: string;
  readonly baselineReply: string;
  readonly runReply: string;
}

/** How one run's replies changed against the baseline's. */
export interface RepliesCompared {
  /** Every pair of replies to a shared sample. */
  readonly rows: readonly ReplyPair[];
  /** How many replies went from one outcome to another, most first. */
  readonly changes: readonly OutcomeChange[];
  /** The same; one line where no outcome changed. */
  readonly changeTable: Table;
  /** The pairs in which one run was right and the other was not. */
  readonly apart: readonly ReplyPair[];
  /** Which failures could not be explained, and why. */
  readonly notes: readonly string[];
}

/** Replies that went from one outcome to another. */
export interface OutcomeChange {
  /** The baseline's failure class, or `right`. */
  readonly from: string;
  /** The other run's. */
  readonly to: string;
  /** How many. */
  readonly count: number;
  /** One of them: task, length and number. */
  readonly example: string;
}

/**
 * Lays the replies of two compared runs side by side: which failure modes changed, and where one was right and the other not. The
 * samples of wrong replies are made again to explain them.
 *
 * @param runs The runs that were compared, the baseline first.
 * @param compared What `compareRuns` gave for them.
 * @returns One for each run after the baseline.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { compareRuns } from "@/lib/reports/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const run = (profile: string) => runStudy(study, { name: profile, model: simulatedModel(profile), folder });
 * const runs = [await run("ideal"), await run("mute")];
 * const [mute] = await compareReplies(runs, await compareRuns(runs));
 * deepEqual(mute?.changes.map(({ from, to, count }) => [from, to, count]), [["right", "empty", 2]]);
 * await Deno.remove(folder, { recursive: true });
 * ```
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
    const run = rest[at]!;
    const left = await explainShared(baseline, other, { side: "baseline", baseline, opened });
    const right = await explainShared(run, other, { side: "other", baseline, opened });
    const rows = other.shared.samples.flatMap((sample) =>
      pairReplies(sample, { left, right, names: [names[0]!, other.name] })
    );
    const changes = countChanges(rows);
    return {
      rows,
      changes,
      changeTable: changeTable(changes, rows.length, {
        names: [names[0]!, other.name],
        ...drawnFromAll([baseline, run], [names[0]!, other.name]),
      }),
      apart: rows.filter(({ baselineScore, runScore }) =>
        baselineScore !== null && runScore !== null && (baselineScore === 1) !== (runScore === 1)
      ),
      notes: [...left.notes, ...right.notes],
    };
  }));
}

interface Explained {
  readonly byReply: ReadonlyMap<ScoredReply["record"], ExplainedRecord>;
  readonly notes: readonly string[];
}

/** A record with the recipe of the baseline's: an imported run has the same text without it. */
function askedAs(record: RunRecord, { sample, suite, seed, nominal }: RunRecord): RunRecord {
  return { ...record, sample, suite, seed, ...(nominal === undefined ? {} : { nominal }) };
}

/** Explains the shared replies of a run. The text is the baseline's, so its study and template make the samples again. */
async function explainShared(
  run: ScoredRun,
  { name, shared }: ComparedRun,
  { side, baseline, opened }: Required<OpenedOptions> & {
    readonly side: "baseline" | "other";
    readonly baseline: ScoredRun;
  },
): Promise<Explained> {
  const replies = shared.samples.flatMap((sample) => sample[side]);
  const asked = shared.samples.flatMap((sample) =>
    sample[side].map(({ record, ...reply }) => ({ ...reply, record: askedAs(record, sample.baseline[0].record) }))
  );
  const explained = await explainRun({ ...baseline, replies: asked }, {
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
      ...{
        baseline: names[0],
        baselineOrigin: first.record.origin,
        run: names[1],
        runOrigin: second.record.origin,
        sample,
        sha256,
        task,
        length,
        index,
      },
      ...{ repeat: first.record.repeat ?? 0, depth, baselineScore: first.value, runScore: second.value },
      baselineOutcome: outcomeOf(left.byReply.get(first.record)!),
      runOutcome: outcomeOf(right.byReply.get(second.record)!),
      wanted: references.join(" | "),
      baselineReply: textOf(first),
      runReply: textOf(second),
    };
  });
}

/** The primary failure class, or that there is none. */
function outcomeOf({ modes, value }: ExplainedRecord): string {
  return modes[0]?.class ?? (value === 1 ? "right" : value === null ? "nothing to score" : "unexplained");
}

function textOf({ record: { reply } }: ScoredReply): string {
  return reply.kind === "failure" ? reply.message : reply.text;
}

function countChanges(rows: readonly ReplyPair[]): readonly OutcomeChange[] {
  const changed = rows.filter(({ baselineOutcome, runOutcome }) => baselineOutcome !== runOutcome);
  const groups = Map.groupBy(changed, (row) => JSON.stringify([row.baselineOutcome, row.runOutcome]));
  return [...groups.values()].map((ofChange): OutcomeChange => ({
    from: ofChange[0]!.baselineOutcome,
    to: ofChange[0]!.runOutcome,
    count: ofChange.length,
    example: placeText(ofChange[0]!),
  })).toSorted((left, right) =>
    right.count - left.count || rankOf(left.from) - rankOf(right.from) || rankOf(left.to) - rankOf(right.to)
  );
}

/** `right` comes before every failure class. */
function rankOf(outcome: string): number {
  return (FAILURE_CLASSES as readonly string[]).indexOf(outcome);
}

/** Names the sample of a pair, such as `vt, 4K, 3`. */
function placeText({ task, length, index }: ReplyPair): string {
  return `${task}, ${lengthText(length)}, ${index}`;
}

function changeTable(
  changes: readonly OutcomeChange[],
  replies: number,
  { names, ...drawn }: Omit<ApartTableOptions, "most">,
): Table {
  const changed = changes.reduce((sum, { count }) => sum + count, 0);
  const title = `${names[1]} against ${names[0]}: ${changed} of ${replies} ${
    replies === 1 ? "reply" : "replies"
  } ended differently`;
  const n = `${replies} pairs of replies`;
  if (changes.length === 0) {
    return table([{ what: "every reply ended as the baseline's did" }], {
      ...{ title, ...drawn, n },
      caption: "Right, or in the same way wrong.",
      columns: [{ field: "what", label: "Failure modes" }],
    });
  }
  const shown = changes.slice(0, MOST_CHANGES);
  const rest = changes.length - shown.length;
  const more = rest === 0
    ? ""
    : ` ${rest} rarer ${plural(rest, "change")} of ways ${rest === 1 ? "is" : "are"} left out as well.`;
  return table(shown, {
    ...{ title, ...drawn, n },
    caption: `The primary way in which a reply failed, in both runs; replies that ended alike are left out.${more}`,
    columns: [
      { field: "from", label: names[0] },
      { field: "to", label: names[1] },
      { field: "count", label: "Replies", digits: 0 },
      { field: "example", label: "Such as (task, length, sample)" },
    ],
  });
}

/** The most rows of a table of changes. */
const MOST_CHANGES = 12;

/** Options for {@linkcode apartTable}. */
export interface ApartTableOptions extends Pick<Titled, "origin" | "warning"> {
  /** What the two runs are called, the baseline first. */
  readonly names: readonly [string, string];
  /**
   * The most pairs to show.
   *
   * @default {10}
   */
  readonly most?: number;
}

const MOST_CHARACTERS = 120;

/**
 * Makes a table of samples that one run got right and the other did not, with both replies; long replies lose their middle.
 *
 * @param apart From {@linkcode compareReplies}.
 */
export function apartTable(apart: readonly ReplyPair[], { names, most = 10, ...drawn }: ApartTableOptions): Table {
  const [lost, won] = [apart.filter((row) => row.baselineScore === 1), apart.filter((row) => row.runScore === 1)];
  const title = `${lost.length} right in ${names[0]} alone, ${won.length} in ${names[1]} alone`;
  const n = `${apart.length} ${plural(apart.length, "pair")} of replies`;
  const shown = pickBoth(lost, won, most);
  const rows = shown.length === 0
    ? [{ place: "none", right: "", wanted: "", baseline: "", run: "" }]
    : shown.map((row) => ({
      place: placeText(row),
      right: row.baselineScore === 1 ? names[0] : names[1],
      wanted: quoteText(row.wanted, MOST_CHARACTERS),
      baseline: quoteText(row.baselineReply, MOST_CHARACTERS),
      run: quoteText(row.runReply, MOST_CHARACTERS),
    }));
  return table(rows, {
    ...{ title, ...drawn, n },
    caption:
      `${shown.length} of ${apart.length} shown. Long texts have lost their middle; line breaks are written out.`,
    columns: [
      { field: "place", label: "Task, length, sample" },
      { field: "right", label: "Right" },
      { field: "wanted", label: "Wanted" },
      { field: "baseline", label: names[0] },
      { field: "run", label: names[1] },
    ],
  });
}

/** As many of both kinds as there are, within the most. */
function pickBoth(lost: readonly ReplyPair[], won: readonly ReplyPair[], most: number): readonly ReplyPair[] {
  const wonCount = Math.min(won.length, Math.max(Math.floor(most / 2), most - lost.length));
  return [...lost.slice(0, most - wonCount), ...won.slice(0, wonCount)];
}
