import {
  hasOwnSamples,
  type ImportedFrom,
  type MeasuredWith,
  repairTexts,
  type RunManifest,
  variantsOf,
} from "@/lib/studies/mod.ts";
import type { OverviewLine } from "@/lib/asking/mod.ts";
import { isAtBudget, isFiltered, isUnfinished, wentOn } from "@/lib/records/mod.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import type { ScoredReply, ServerReport } from "@/lib/models/mod.ts";
import { type Origin, originText } from "@/lib/statistics/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/**
 * Lists what determines the samples and answers of a run; results and times are omitted.
 *
 * @param samples The ids of the samples.
 */
export function runOverview(manifest: RunManifest, samples: readonly string[]): OverviewLine[] {
  const { name, fathom, study, tasks, materials, model, origin, settings, template, measured, imported } = manifest;
  const suites = [...new Set(Object.values(tasks).map(({ suite }) => suite))];
  const variants = variantsOf(manifest);
  const last = study.first + study.samples - 1;
  // A sample's id names its material.
  const used = [materials.essays, materials.oneHop, materials.twoHop]
    .filter((name) => samples.some((id) => id.includes(`/${name}/`)));
  return [
    { what: "Run", said: name },
    { what: "Model", said: `${model} (${originText(origin)})` },
    { what: "Settings", said: pairsText(settings) },
    { what: "Chat template", said: template.name },
    ...(manifest.server === undefined ? [] : [{ what: "Server", said: serverText(manifest.server) }]),
    { what: "Suite", said: suites.join(", ") },
    ...(variants.length === 0 ? [] : [{ what: "Variant", said: variants.join(" and ") }]),
    { what: "Tasks", said: Object.keys(tasks).join(", ") },
    { what: "Lengths", said: `${study.lengths.join(", ")} tokens, answer room included` },
    {
      what: "Samples",
      said: `${measured ? "up to " : ""}${study.samples} of each task at each length${
        fewerText(study)
      }, numbers ${study.first} to ${last}; ${manifest.samples.count} answered${
        study.repeats === undefined ? "" : `; each asked ${study.repeats} times`
      }`,
    },
    { what: "Hash of the answered samples", said: manifest.samples.sha256 },
    { what: "Seed", said: study.seed },
    {
      what: "Tokenizer",
      said: hasOwnSamples(manifest)
        ? `${materials.tokenizer} counts prompts here; lengths are as ${imported!.from} has them`
        : materials.tokenizer,
    },
    ...(used.length === 0 ? [] : [{ what: "Materials", said: used.join(", ") }]),
    { what: "Scored", said: manifest.scored === undefined ? "whole replies" : "first answers" },
    { what: "Version", said: `Fathom ${fathom}` },
    ...repairTexts(manifest).map((said) => ({ what: "Changed since", said })),
    ...(measured === undefined ? [] : measuredLines(measured)),
    ...(imported === undefined ? [] : importedLines(imported)),
  ];
}

/** Lists the lengths with fewer samples. */
function fewerText({ samplesAt = {} }: RunManifest["study"]): string {
  const fewer = Object.entries(samplesAt).map(([length, count]) => `${count} at ${length}`);
  return fewer.length === 0 ? "" : ` (${fewer.join(", ")})`;
}

function importedLines({ from, files, unknown }: ImportedFrom): OverviewLine[] {
  return [
    { what: "Imported from", said: `${from}, ${files.length} ${plural(files.length, "file")}` },
    ...(unknown.length === 0 ? [] : [{ what: "Not known", said: unknown.join("; ") }]),
  ];
}

function measuredLines({ weights, server, machine, from, to }: MeasuredWith): OverviewLine[] {
  const days = [...new Set([from, to].map((time) => time.slice(0, 10)))];
  return [
    { what: "Weights", said: `${weights.file}, ${weights.quantisation}, SHA-256 ${weights.sha256}` },
    { what: "Server", said: `${server.name} ${server.version}, ${server.flags}` },
    { what: "Machine", said: `${machine.processor}, ${machine.cores} cores, ${machine.system}` },
    { what: "Measured", said: days.join(" to ") },
  ];
}

/** Describes the model's server at the start of the run. */
function serverText({ address, software = "unknown software", window }: ServerReport): string {
  return `${software} at ${address}${window === undefined ? "" : `, window ${window} tokens`}`;
}

function pairsText(settings: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  return pairs.length === 0 ? "not recorded" : pairs.join(", ");
}

/** Number of replies with one outcome of the call. */
export interface ReplyOutcome {
  readonly outcome: string;
  /** Its effect on the scores. */
  readonly means: string;
  /** Number of replies; one reply can have several outcomes. */
  readonly count: number;
  /** In percent of all replies. */
  readonly share: number;
  /** The tasks and lengths with the most of them. */
  readonly where: string;
}

interface Kind {
  readonly outcome: string;
  readonly means: string;
  readonly isOne: (reply: ScoredReply) => boolean;
}

/**
 * Counts the outcomes of calls, before any scoring: failed calls, prompts cut by the server, replies cut off, filtered, empty or
 * unparsable.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { RunRecord } from "@/lib/models/mod.ts";
 * import { scoreRecords } from "@/lib/records/mod.ts";
 *
 * const reply = { kind: "answer", text: "", finishReason: "length", latencyMs: 9, attempts: 1 };
 * const record = { task: "vt", length: 4096, references: ["A"], scoring: "all", promptTokens: 4000, reply };
 * const outcomes = replyOutcomes(scoreRecords([record as unknown as RunRecord]));
 * equal(outcomes.find(({ outcome }) => outcome === "cut off at the answer room")?.count, 1);
 * ```
 */
export function replyOutcomes(replies: readonly ScoredReply[]): readonly ReplyOutcome[] {
  const kinds: readonly Kind[] = [
    { outcome: "answered", means: "in the scores", isOne: ({ failed }) => !failed },
    { outcome: "failed call", means: "in no score", isOne: ({ failed }) => failed },
    {
      outcome: "prompt cut by the server",
      means: "scored as if it were read whole",
      isOne: ({ promptCut }) => promptCut !== undefined,
    },
    {
      outcome: "cut off at the answer room",
      means: "the partial reply is scored",
      isOne: isAtBudget,
    },
    {
      outcome: "cut off before an answer was complete",
      means: "the partial reply is scored; --max-tokens gives more room",
      isOne: isUnfinished,
    },
    { outcome: "stopped by a content filter", means: "in no score", isOne: isFiltered },
    {
      outcome: "empty reply",
      means: "lowest score",
      isOne: (reply) => !reply.failed && reply.noAnswer && !wentOn(reply),
    },
    {
      outcome: "no answer before something else",
      means: "lowest score",
      isOne: (reply) => !reply.failed && reply.noAnswer && wentOn(reply),
    },
    { outcome: "could not be read", means: "scores 0", isOne: ({ unparsable }) => unparsable === true },
    {
      outcome: "nothing to score",
      means: "in no score",
      isOne: (reply) => !reply.failed && !reply.noAnswer && reply.value === null && !isFiltered(reply),
    },
  ];
  return kinds.map(({ outcome, means, isOne }): ReplyOutcome => {
    const found = replies.filter(isOne);
    const share = replies.length === 0 ? 0 : 100 * found.length / replies.length;
    const where = outcome === "answered" ? "" : placesText(found);
    return { outcome, means, count: found.length, share, where };
  });
}

/** Tasks and lengths that are listed. */
const MAX_PLACES = 3;

function placesText(replies: readonly ScoredReply[]): string {
  const places = [...Map.groupBy(replies, ({ task, length }) => `${task} at ${length}`)]
    .map(([place, { length: count }]) => ({ place, count }))
    .toSorted((left, right) => right.count - left.count);
  const shown = places.slice(0, MAX_PLACES).map(({ place, count }) => `${place} (${count})`);
  return [...shown, ...(places.length > MAX_PLACES ? [`and ${places.length - MAX_PLACES} more`] : [])].join(", ");
}

interface RunTableOptions {
  readonly title: string;
  readonly origin: Origin;
  readonly n: number | string;
}

/** Returns a table of {@linkcode runOverview}. */
export function overviewTable(lines: readonly OverviewLine[], options: RunTableOptions): Table {
  return table(lines, {
    ...options,
    caption: "Everything that determines the samples and the answers, from the run's manifest.",
    columns: [{ field: "what", label: "What" }, { field: "said", label: "In this run" }],
  });
}

/** Returns a table of {@linkcode replyOutcomes}. */
export function outcomeTable(outcomes: readonly ReplyOutcome[], options: RunTableOptions): Table {
  return table(outcomes, {
    ...options,
    caption: "Outcomes of the calls, before any scoring. A reply can be in several rows.",
    columns: [
      { field: "outcome", label: "Outcome" },
      { field: "count", label: "Replies", digits: 0 },
      { field: "share", label: "Share (%)", digits: 1 },
      { field: "means", label: "Effect on scores" },
      { field: "where", label: "Most often in" },
    ],
  });
}
