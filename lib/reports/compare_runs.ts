import { differingSettings, modelName, nameRuns, type ScoredRun } from "@/lib/records/mod.ts";
import { placeReplies } from "./depths.ts";
import { drawnFrom, drawnFromAll } from "./native_lengths.ts";
import { type OpenedOptions, openStudy, rememberSamples, UNKNOWN_PROMPT } from "@/lib/studies/mod.ts";
import { comparisonTable, leaderboardTable, type Table, table } from "@/lib/figures/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import {
  comparePairs,
  type ComparePairsOptions,
  leaderboard,
  type LeaderboardRow,
  meanOfRepeats,
  type PairedRow,
  type PairedSample,
  scoreOf,
  thirdOf,
} from "@/lib/statistics/mod.ts";
import { plural, quoteText, someOf } from "@/lib/text/mod.ts";

/** Options for {@linkcode compareRuns}. */
export interface CompareRunsOptions extends ComparePairsOptions, OpenedOptions {}

/** Runs compared with the first of them, the baseline, on the samples that they share. */
export interface RunsCompared {
  /** What each run is called here: its model, its name, or both, whichever tells the runs apart. */
  readonly names: readonly string[];
  /** Each run on the samples that all of them share, the highest first; `null` where nothing can be compared. */
  readonly board: Table | null;
  /** The numbers behind it. */
  readonly boardRows: readonly LeaderboardRow[];
  /** The second run against the first; what is missing where nothing can be compared. */
  readonly table: Table;
  /** What differs in how the runs were asked; `null` where nothing does. */
  readonly settings: Table | null;
  /** Each run after the first against it; none where nothing can be compared. */
  readonly others: readonly ComparedRun[];
  /** Why nothing can be compared; `null` where something can. */
  readonly missing: string | null;
  /** What the user should know of the samples. */
  readonly notes: readonly string[];
}

/** A run compared with the baseline. */
export interface ComparedRun {
  readonly name: string;
  /** A row for all samples, each length, task and third of the context. */
  readonly table: Table;
  /** The numbers behind it. */
  readonly rows: readonly PairedRow[];
  /** The scores that were compared. */
  readonly pairs: readonly PairedSample[];
  /** The samples that both runs were asked. */
  readonly shared: SharedSamples;
  /** How many samples are the same text, how many are not, and how many only one run was asked. */
  readonly note: string;
}

/**
 * Compares runs with the first of them, sample by sample, on the samples whose text is the same in both: over all, by length, by
 * task and by third of the context, with p-values corrected for all of these. The shell and the notebooks show the same.
 *
 * @param runs The baseline and at least one other; one alone, or runs that share no sample, give a table that says what is missing.
 * @throws {RangeError} If there is no run, or an option is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 8 });
 * const run = (profile: string) => runStudy(study, { name: profile, model: simulatedModel(profile), folder });
 * const { others } = await compareRuns([await run("ideal"), await run("mute")]);
 * equal(others[0]?.rows[0]?.difference, -100);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function compareRuns(
  runs: readonly ScoredRun[],
  options: CompareRunsOptions = {},
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
    const none = { board: null, boardRows: [], others: [], notes: [] };
    return { names, settings, missing, table: missingTable(baseline, missing), ...none };
  }
  const placed = by.includes("third") ? await findDepths(baseline, found, opened) : NOWHERE;
  const shared = found.map((each) => withDepths(each, placed.depths));
  const pairs = shared.map(({ samples }) => pairScores(samples));
  const compared = comparePairs(pairs, { ...comparing, by });
  const boardRows = boardOf(names, shared);
  const others = rest.map((run, at): ComparedRun => ({
    name: names[at + 1]!,
    rows: compared.rows[at]!,
    pairs: pairs[at]!,
    shared: shared[at]!,
    note: sharedText(shared[at]!),
    table: comparisonTable(compared.rows[at]!, {
      models: [names[0]!, names[at + 1]!],
      corrected: compared.corrected,
      ...drawnFromAll([baseline, run], [names[0]!, names[at + 1]!]),
    }),
  }));
  const title = boardTitle(names[0]!, others, boardRows);
  const board = leaderboardTable(boardRows, { ...title, ...drawnFromAll(runs, names) });
  return { names, board, boardRows, table: others[0]!.table, settings, others, missing, notes: placed.notes };
}

/** A sample that two runs were asked, text for text. */
export interface SharedSample {
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** Its number in its task and length. */
  readonly index: number;
  /** Where its one target is, as a share of the context; `null` where it has no such place, or it was not looked for. */
  readonly depth: number | null;
  /** What the baseline replied, each time it was asked. */
  readonly baseline: readonly [ScoredReply, ...ScoredReply[]];
  /** What the other run replied. */
  readonly other: readonly [ScoredReply, ...ScoredReply[]];
}

/** The samples of two runs. */
export interface SharedSamples {
  /** Those that both were asked, text for text. */
  readonly samples: readonly SharedSample[];
  /** Samples of the same task, length and number with another text: the runs differ in seed, tokenizer, template or suite. */
  readonly changed: number;
  /** Samples that only one of the runs was asked. */
  readonly alone: number;
  /** Shared samples without a score in one of the runs, as a call failed or there was nothing to score. */
  readonly dropped: number;
}

/**
 * Finds the samples that two runs were asked alike. The same task, length and number is not enough: the hash of the text decides.
 */
export function sharedSamples(baseline: readonly ScoredReply[], other: readonly ScoredReply[]): SharedSamples {
  const [left, right] = [samplesOf(baseline), samplesOf(other)];
  const common = [...left].filter(([place]) => right.has(place));
  const samples = common.flatMap(([place, replies]): SharedSample[] => {
    const others = right.get(place)!;
    const { task, length, record: { index, sha256 } } = replies[0];
    if (others[0].record.sha256 !== sha256 || sha256 === UNKNOWN_PROMPT) return [];
    return [{ task, length, index, depth: null, baseline: replies, other: others }];
  });
  return {
    samples,
    changed: common.length - samples.length,
    alone: left.size + right.size - 2 * common.length,
    dropped: samples.length - pairScores(samples).length,
  };
}

function samplesOf(
  replies: readonly ScoredReply[],
): ReadonlyMap<string, readonly [ScoredReply, ...ScoredReply[]]> {
  const places = Map.groupBy(replies, ({ task, length, record }) => JSON.stringify([task, length, record.index]));
  return places as ReadonlyMap<string, ScoredReply[]> as ReadonlyMap<string, [ScoredReply, ...ScoredReply[]]>;
}

/** The scores of the shared samples that have one in both runs; one that was asked several times has their mean. */
function pairScores(samples: readonly SharedSample[]): readonly PairedSample[] {
  return samples.flatMap(({ task, length, depth, ...replies }): PairedSample[] => {
    const [baseline, other] = [replies.baseline, replies.other].map((each) => scoreOf(meanOfRepeats(each)[0]!));
    if (typeof baseline !== "number" || typeof other !== "number") return [];
    const { cluster } = replies.baseline[0];
    return [{ task, length, cluster, third: depth === null ? null : thirdOf(depth), baseline, other }];
  });
}

function sharedText({ samples, changed, alone, dropped }: SharedSamples): string {
  const same = `${samples.length} ${plural(samples.length, "sample")} ${
    samples.length === 1 ? "is" : "are"
  } the same text in both runs`;
  const lost = dropped === 0 ? "" : `; ${dropped} of the shared have no score in one of them`;
  return `${same}, ${changed} ${changed === 1 ? "is" : "are"} not, and ${alone} ${
    alone === 1 ? "was" : "were"
  } asked of one alone${lost}.`;
}

interface Depths {
  readonly depths: ReadonlyMap<string, number>;
  readonly notes: readonly string[];
}

const NOWHERE: Depths = { depths: new Map(), notes: [] };

/** Finds the depths of the targets by making the baseline's samples again. */
async function findDepths(
  baseline: ScoredRun,
  found: readonly SharedSamples[],
  opened: OpenedOptions["opened"],
): Promise<Depths> {
  const replies = new Set(found.flatMap(({ samples }) => samples.map((sample) => sample.baseline[0])));
  try {
    const place = opened ?? rememberSamples(await openStudy(baseline.manifest.study, baseline));
    const placed = await placeReplies({ ...baseline, replies: [...replies] }, { opened: place });
    return {
      depths: new Map(placed.replies.map(({ record, depth }) => [record.sha256, depth])),
      notes: placed.notes,
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { depths: new Map(), notes: [`There are no thirds of the context: ${error.message}`] };
  }
}

function withDepths(shared: SharedSamples, depths: ReadonlyMap<string, number>): SharedSamples {
  const samples = shared.samples.map((sample): SharedSample => ({
    ...sample,
    depth: depths.get(sample.baseline[0].record.sha256) ?? null,
  }));
  return { ...shared, samples };
}

/** The means of the runs on the samples that all of them have a score for, the highest first. */
function boardOf(names: readonly string[], shared: readonly SharedSamples[]): readonly LeaderboardRow[] {
  const scored = shared.map(({ samples }) => samples.filter((sample) => pairScores([sample]).length > 0));
  const common = scored.map((samples) => new Set(samples.map(placeOf)))
    .reduce((left, right) => left.intersection(right));
  const kept = scored.map((samples) => samples.filter((sample) => common.has(placeOf(sample))));
  const replies = [
    kept[0]!.map(({ baseline }) => baseline),
    ...kept.map((samples) => samples.map(({ other }) => other)),
  ];
  return leaderboard(names.map((name, at) => ({ name, records: replies[at]!.flat() })));
}

/** What the pairs decide of the means; nothing where all samples were not compared. */
function boardTitle(
  baseline: string,
  others: readonly ComparedRun[],
  board: readonly LeaderboardRow[],
): { readonly title?: string } {
  const shown = others.map(({ rows }) => rows.find(({ by }) => by === "all")?.higher);
  if (shown.includes(undefined)) return {};
  const count = (which: PairedRow["higher"]): number => shown.filter((higher) => higher === which).length;
  const [lower, higher, open] = [count("baseline"), count("other"), count(null)];
  const winner = lower === shown.length ? baseline : higher === 1 && shown.length === 1 ? others[0]!.name : undefined;
  if (winner !== undefined) {
    return { title: `${winner} has the highest mean, ${board.find(({ name }) => name === winner)!.score.toFixed(1)}` };
  }
  if (open === shown.length) {
    const other = others.length === 1 ? others[0]!.name : `the ${others.length} others`;
    return { title: `No difference between the mean of ${baseline} and ${other} is shown` };
  }
  return { title: `Against ${baseline}: ${lower} of ${shown.length} runs lower, ${higher} higher, ${open} undecided` };
}

function placeOf({ task, length, index }: SharedSample): string {
  return JSON.stringify([task, length, index]);
}

/** What differs in how runs were asked, a column for each. */
function settingsTable(runs: readonly ScoredRun[], names: readonly string[]): Table | null {
  const [baseline, ...rest] = runs.map(({ manifest }) => manifest);
  const lists = rest.map((manifest) => differingSettings(baseline!, manifest));
  const what = [...new Set(lists.flatMap((list) => list.map(({ name }) => name)))];
  if (what.length === 0) return null;
  const rows = what.map((name) => {
    const differing = lists.map((list) => list.find((each) => each.name === name));
    const before = differing.find((each) => each !== undefined)!.before;
    const cells = [before, ...differing.map((each) => each?.now ?? before)].map((text) => quoteText(text, MOST_SHOWN));
    return { what: name, ...Object.fromEntries(cells.map((cell, at) => [`run${at}`, cell])) };
  });
  return table<Readonly<Record<string, string>>>(rows, {
    title: "How the runs were asked differs",
    caption: "What the manifests have differently, besides tasks, lengths and the number of samples.",
    ...drawnFromAll(runs, names),
    n: `${runs.length} runs`,
    columns: [
      { field: "what", label: "What" },
      ...names.map((label, at) => ({ field: `run${at}`, label })),
    ],
  });
}

const MOST_SHOWN = 60;

/** Why runs cannot be compared; `null` where they can. */
function whyMissing(
  runs: readonly ScoredRun[],
  names: readonly string[],
  found: readonly SharedSamples[],
): string | null {
  if (found.length === 0) return "a second model or run, named after the first, comma-separated";
  const none = found.findIndex(({ samples, dropped }) => samples.length === dropped);
  if (none < 0) return null;
  const { samples, changed, alone } = found[none]!;
  const differing = differingSettings(runs[0]!.manifest, runs[none + 1]!.manifest)
    .filter(({ name }) => /^(seed|material|template|task)/.test(name)).map(({ name }) => name);
  const isRoom = differing.includes("template extraTokens");
  const why = samples.length > 0
    ? `the ${samples.length} shared have no score in one of them`
    : changed > 0
    ? `${changed} have another text${differing.length === 0 ? "" : `, as these differ: ${someOf(differing)}`}${
      isRoom ? "; asked anew with the same --template-tokens, they have the same" : ""
    }`
    : `${alone} were asked of one alone`;
  return `samples that ${names[0]} and ${names[none + 1]} were both asked, text for text (${why})`;
}

function missingTable(run: ScoredRun, missing: string): Table {
  const { manifest, replies } = run;
  const model = modelName(manifest);
  return table([{ model, missing }], {
    title: `There is nothing to compare ${model} with`,
    caption: "A comparison takes two runs that were asked the same samples.",
    ...drawnFrom(run),
    n: `${replies.length} replies`,
    columns: [{ field: "model", label: "Asked" }, { field: "missing", label: "What is missing" }],
  });
}
