import { lengthText, plural, quoteText, someOf } from "@/lib/base/mod.ts";
import { placeReplies } from "./depth_report.ts";
import { drawnFrom, drawnFromAll } from "./native_lengths.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { changeSentence, comparisonTable, type Table, table } from "@/lib/figures/mod.ts";
import { differingSettings, modelName, nameRuns, type ScoredReply, type ScoredRun } from "@/lib/records/mod.ts";
import {
  comparePairs,
  type ComparePairsOptions,
  differenceInterval,
  type LengthEvidence,
  meanOfRepeats,
  type PairedRow,
  type PairedSample,
  scoreOf,
  statedInterval,
  summarise,
  thirdOf,
} from "@/lib/statistics/mod.ts";
import { type OpenedOptions, openStudy, rememberSamples, UNKNOWN_PROMPT } from "@/lib/studies/mod.ts";

/** Runs compared with the first of them, the baseline, on their shared samples. */
export interface RunsCompared {
  /** Name of each run: its model, its run name, or both if neither is unique. */
  readonly names: readonly string[];
  /** What each run loses or gains over all samples; `null` if these were not compared. */
  readonly finding: string | null;
  /** The second run compared with the first, or the missing parts. */
  readonly table: Table;
  /** Settings that differ; `null` if none do. */
  readonly settings: Table | null;
  /** Each run after the first against it; empty if nothing can be compared. */
  readonly others: readonly ComparedRun[];
  /** The missing parts of a comparison; `null` if there are none. */
  readonly missing: string | null;
  /** Each run after the first against it, without pairs, if nothing is shared as the texts differ. */
  readonly apart: readonly Table[];
  readonly notes: readonly string[];
}

/** A run compared with the baseline. */
export interface ComparedRun {
  readonly name: string;
  /** A row for all samples, each length, task and third of the context. */
  readonly table: Table;
  readonly rows: readonly PairedRow[];
  readonly shared: SharedSamples;
  /** Counts of samples with the same text, with another text, and in one run alone. */
  readonly note: string;
}

/**
 * Compares runs with the first of them on the samples whose text is the same in both: over all, by length, task and third of the
 * context, with p-values corrected for all of these.
 *
 * @param runs The baseline and at least one other. A single run, or runs without a shared sample, give a table of the missing parts.
 * @throws {RangeError} If there is no run, or an option is outside its range.
 */
export async function compareRuns(
  runs: readonly ScoredRun[],
  options: ComparePairsOptions & OpenedOptions = {},
): Promise<RunsCompared> {
  const [baseline, ...rest] = runs;
  if (baseline === undefined) {
    throw new RangeError("Cannot compare the runs as there must be at least one: current value is 0");
  }
  const { opened, by = ["all", "length", "task", "third"], ...comparing } = options;
  const names = nameRuns(runs);
  const found = rest.map((run) => sharedSamples(baseline.replies, run.replies));
  const settings = runs.length === 1 ? null : settingsTable(runs, names);
  const missing = whyMissing(runs, names, found);
  if (missing !== null) {
    const others = found.some(({ samples }) => samples.length > 0) ? [] : rest;
    const apart = others.flatMap((run, at) => compareApart([baseline, run], [names[0]!, names[at + 1]!]) ?? []);
    const table = missingTable(baseline, missing);
    return { names, finding: null, settings, missing, table, others: [], notes: [], apart };
  }
  const { depths, notes } = by.includes("third") ? await findDepths(baseline, found, opened) : { notes: [] };
  const compared = comparePairs(found.map(({ samples }) => pairScores(samples, depths)), { ...comparing, by });
  const others = rest.map((run, at): ComparedRun => {
    const models = [names[0]!, names[at + 1]!] as const;
    const rows = compared.rows[at]!;
    return {
      name: models[1],
      rows,
      shared: found[at]!,
      note: sharedText(found[at]!),
      table: comparisonTable(rows, { models, corrected: compared.corrected, ...drawnFromAll([baseline, run], models) }),
    };
  });
  const finding = findingOf(names[0]!, others);
  return { names, finding, table: others[0]!.table, settings, others, missing, notes, apart: [] };
}

/** Returns what the paired differences over all samples decide; `null` if these were not compared. */
function findingOf(baseline: string, others: readonly ComparedRun[]): string | null {
  const overall = others.flatMap(({ name, rows }) =>
    rows.filter(({ by }) => by === "all").map((row) => ({ ...row, name }))
  );
  return overall.length < others.length ? null : `Against ${baseline}: ${changeSentence(overall)}`;
}

/** A sample with the same text in two runs. */
export interface SharedSample {
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** Number of the sample in its task and length. */
  readonly index: number;
  readonly baseline: readonly [ScoredReply, ...ScoredReply[]];
  readonly other: readonly [ScoredReply, ...ScoredReply[]];
}

/** The samples of two runs. */
export interface SharedSamples {
  readonly samples: readonly SharedSample[];
  /** Samples of the same task, length and number with another text: seed, tokenizer, template or suite differ. */
  readonly changed: number;
  readonly alone: number;
  /** Shared samples without a score in one of the runs: a call failed, or there was nothing to score. */
  readonly dropped: number;
}

/** Finds the samples that have the same task, length, number and hash in two runs. */
export function sharedSamples(baseline: readonly ScoredReply[], other: readonly ScoredReply[]): SharedSamples {
  const [left, right] = [samplesOf(baseline), samplesOf(other)];
  const common = [...left].filter(([place]) => right.has(place));
  const samples = common.flatMap(([place, replies]): SharedSample[] => {
    const others = right.get(place)!;
    const { task, length, record: { index, sha256 } } = replies[0];
    if (others[0].record.sha256 !== sha256 || sha256 === UNKNOWN_PROMPT) return [];
    return [{ task, length, index, baseline: replies, other: others }];
  });
  return {
    samples,
    changed: common.length - samples.length,
    alone: left.size + right.size - 2 * common.length,
    dropped: samples.length - pairScores(samples).length,
  };
}

function samplesOf(replies: readonly ScoredReply[]): ReadonlyMap<string, SharedSample["baseline"]> {
  const places = Map.groupBy(replies, ({ task, length, record }) => JSON.stringify([task, length, record.index]));
  return places as ReadonlyMap<string, readonly ScoredReply[]> as ReadonlyMap<string, SharedSample["baseline"]>;
}

/** Returns the scores of the shared samples that have one in both runs; repeats are averaged. `depths` are those of targets, by hash. */
function pairScores(
  samples: readonly SharedSample[],
  depths: ReadonlyMap<string, number> = new Map(),
): readonly PairedSample[] {
  return samples.flatMap(({ task, length, ...replies }): PairedSample[] => {
    const [baseline, other] = [replies.baseline, replies.other].map((each) => scoreOf(meanOfRepeats(each)[0]!));
    if (typeof baseline !== "number" || typeof other !== "number") return [];
    const { cluster, least, record } = replies.baseline[0];
    const depth = depths.get(record.sha256);
    return [{ task, length, cluster, least, third: depth === undefined ? null : thirdOf(depth), baseline, other }];
  });
}

function sharedText({ samples, changed, alone, dropped }: SharedSamples): string {
  const lost = dropped === 0 ? "" : `; ${dropped} of the shared have no score in one of them`;
  const same = `${samples.length} ${plural(samples.length, "sample")} with the same text in both runs`;
  return `${same}, ${changed} with another text, ${alone} in one run alone${lost}.`;
}

/** Finds the depths of the targets, by hash, by rebuilding the baseline's samples. */
async function findDepths(
  baseline: ScoredRun,
  found: readonly SharedSamples[],
  opened: OpenedOptions["opened"],
): Promise<{ readonly depths?: ReadonlyMap<string, number>; readonly notes: readonly string[] }> {
  const replies = new Set(found.flatMap(({ samples }) => samples.map((sample) => sample.baseline[0])));
  try {
    const study = opened ?? rememberSamples(await openStudy(baseline.manifest.study, baseline));
    const placed = await placeReplies({ ...baseline, replies: [...replies] }, { opened: study });
    const depths = new Map(placed.replies.map(({ record, depth }) => [record.sha256, depth]));
    return { depths, notes: placed.notes };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { notes: [`Thirds of the context are not compared: ${error.message}`] };
  }
}

const MAX_SETTING_CHARS = 60;

/** Returns a table of the settings that differ, a column per run. */
function settingsTable(runs: readonly ScoredRun[], names: readonly string[]): Table | null {
  const [baseline, ...rest] = runs.map(({ manifest }) => manifest);
  const lists = rest.map((manifest) => differingSettings(baseline!, manifest));
  const before = new Map(lists.flat().map((differing) => [differing.name, differing.before]));
  if (before.size === 0) return null;
  const rows = Array.from(before, ([what, first]) => {
    const values = [first, ...lists.map((list) => list.find(({ name }) => name === what)?.now ?? first)];
    const texts = values.map((value, at) => [`run${at}`, quoteText(value, MAX_SETTING_CHARS)]);
    return { what, ...Object.fromEntries(texts) };
  });
  return table<Readonly<Record<string, string>>>(rows, {
    title: "Settings that differ between the runs",
    caption: "From the manifests, besides tasks, lengths and the number of samples.",
    ...drawnFromAll(runs, names),
    n: `${runs.length} runs`,
    columns: [{ field: "what", label: "Setting" }, ...names.map((label, at) => ({ field: `run${at}`, label }))],
  });
}

function whyMissing(
  runs: readonly ScoredRun[],
  names: readonly string[],
  found: readonly SharedSamples[],
): string | null {
  if (found.length === 0) return "a second model or run, named after the first, comma-separated";
  const none = found.findIndex(({ samples, dropped }) => samples.length === dropped);
  if (none < 0) return null;
  const { samples, changed, alone } = found[none]!;
  const named = differingSettings(runs[0]!.manifest, runs[none + 1]!.manifest)
    .filter(({ name }) => /^(seed|material|template|task)/.test(name))
    .map(({ name, before, now }) => name.endsWith(" suite") ? `the suite (${before} and ${now})` : name);
  const differing = [...new Set(named)];
  const settings = differing.length === 0 ? "" : `, as these differ: ${someOf(differing)}`;
  const remedy = differing.includes("template extraTokens") ? "; the same --template-tokens gives the same text" : "";
  const apart = changed > 0 ? `${changed} have another text${settings}${remedy}` : `${alone} are in one run alone`;
  const why = samples.length > 0 ? `the ${samples.length} shared have no score in one of them` : apart;
  return `samples with the same text in ${names[0]} and ${names[none + 1]} (${why})`;
}

function missingTable(run: ScoredRun, missing: string): Table {
  const model = modelName(run.manifest);
  return table([{ model, missing }], {
    title: `There is nothing to compare ${model} with`,
    caption: "A comparison needs two runs of the same samples.",
    ...drawnFrom(run),
    n: `${run.replies.length} replies`,
    columns: { model: "Asked", missing: "Missing" },
  });
}

/**
 * Compares the means of two runs of other texts, for each task and length that both have: the texts differ, so no sample is paired, and
 * the interval is that of two independent means (MOVER, Zou and Donner 2008). `null` if they share no task and length.
 */
export function compareApart(
  runs: readonly [ScoredRun, ScoredRun],
  names: readonly [string, string],
): Table | null {
  const [baseline, other] = runs.map((run) => runScores([run]));
  const rows = baseline!.flatMap(({ task, length, ...before }) => {
    const after = other!.find((row) => row.task === task && row.length === length);
    if (after === undefined) return [];
    const difference = differenceInterval(after, before);
    const counts = [before.n!, after.n!];
    return [{
      task,
      length: lengthText(length),
      before: before.score,
      after: after.score,
      difference: difference.score,
      ...statedInterval({ ...difference, n: Math.min(...counts) }),
      n: [...new Set(counts)].join(" and "),
    }];
  });
  return rows.length === 0 ? null : table(rows, {
    title: `${names[1]} against ${names[0]} on other texts: means of independent samples`,
    caption:
      "No sample has the same text in both, so each difference includes that of the texts: a paired comparison of the same " +
      "number of samples decides more. Intervals at 95%, without correction for their number; none for fewer than five samples.",
    ...drawnFromAll(runs, names),
    n: "the samples of each row",
    columns: {
      task: "Task",
      length: "Length",
      before: { label: names[0], digits: 1 },
      after: { label: names[1], digits: 1 },
      difference: { label: "Difference", digits: 1, low: "low", high: "high" },
      n: "Samples",
    },
  });
}

/** Averages the replies of runs for each task and length, in the form of the published scores. */
export function runScores(runs: readonly ScoredRun[]): readonly LengthEvidence[] {
  return runs.flatMap(({ manifest: { name: run, model, origin, tasks }, replies, benchmarks = BENCHMARKS }) =>
    Array.from(Map.groupBy(replies, ({ record }) => record.suite)).flatMap(([name, ofSuite]) => {
      const benchmark = benchmarks.find(({ families }) => families.some(({ suites }) => suites.includes(name)));
      const suite = benchmark?.title ?? name;
      return summarise(ofSuite).flatMap(({ task, length, score, low, high, n, units }) => {
        if (score === null) return [];
        const knobs = tasks[task]?.options ?? {};
        const interval = { score, low: low!, high: high! };
        return [{ suite, task, knobs, length, depth: null, model, n, units, ...interval, origin, source: run, run }];
      });
    })
  );
}
