import type { RunManifest } from "./manifest.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { isPromptCut, type ScoredReply } from "@/lib/models/mod.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

/** One thing that decides the samples or the answers of a run. */
export interface OverviewLine {
  /** What it is. */
  readonly what: string;
  /** Its value in words. */
  readonly said: string;
}

/**
 * Says what was asked in a run: whatever decides its samples and answers, and nothing that was found.
 *
 * @param manifest The run's manifest.
 * @returns A line a thing, the model first. The time of the run is left out, as it decides nothing.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1, seed: "7" });
 * const { manifest } = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * const lines = runOverview(manifest);
 * ok(lines.some(({ what, said }) => what === "Model" && said === "sim:ideal (simulated)"));
 * ok(lines.some(({ what, said }) => what === "Seed" && said === "7"));
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function runOverview(manifest: RunManifest): OverviewLine[] {
  const { name, fathom, study, tasks, materials, model, origin, settings, template, samples } = manifest;
  const suites = [...new Set(Object.values(tasks).map(({ suite }) => suite))];
  const last = study.first + study.samples - 1;
  return [
    { what: "Run", said: name },
    { what: "Model", said: `${model} (${origin})` },
    { what: "Settings", said: pairsText(settings) },
    { what: "Chat template", said: template.name },
    { what: "Suite", said: suites.join(", ") },
    { what: "Variant", said: study.variant },
    { what: "Tasks", said: Object.keys(tasks).join(", ") },
    { what: "Lengths", said: `${study.lengths.join(", ")} tokens, answer room included` },
    {
      what: "Samples",
      said:
        `${study.samples} of each task at each length, numbers ${study.first} to ${last}; ${samples.count} answered`,
    },
    { what: "Hash of the answered samples", said: samples.sha256 },
    { what: "Seed", said: study.seed },
    { what: "Tokenizer", said: materials.tokenizer },
    { what: "Materials", said: `${materials.essays}, ${materials.oneHop}, ${materials.twoHop}` },
    { what: "Version", said: `Fathom ${fathom}` },
  ];
}

function pairsText(settings: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  return pairs.length === 0 ? "none told" : pairs.join(", ");
}

/** How many replies came in one way. */
export interface ReplyOutcome {
  /** What happened to them. */
  readonly outcome: string;
  /** What that does to the scores. */
  readonly means: string;
  /** Replies of which it is true; one reply can be in several lines. */
  readonly count: number;
  /** Those replies among all that were asked, in percent. */
  readonly share: number;
  /** Where they are: tasks and lengths with most of them first; empty where there are none. */
  readonly where: string;
}

/** Options for {@linkcode replyOutcomes}. */
export interface ReplyOutcomesOptions {
  /**
   * The share of the prompt's tokens that the server may count fewer before the prompt counts as cut. Range: [0, 1).
   *
   * @default {0.3}
   */
  readonly cutTolerance?: number;
}

interface Kind {
  readonly outcome: string;
  readonly means: string;
  readonly isOne: (reply: ScoredReply) => boolean;
}

/**
 * Counts what came back before asking whether it was right: failed calls, prompts that the server cut, replies that were cut off
 * or empty or could not be read.
 *
 * @param replies The replies of a run.
 * @param options When a prompt counts as cut; see `isPromptCut`.
 * @returns A line for answers, one for each thing that can go wrong (those that never did included), in that order.
 * @throws {RangeError} If the tolerance is outside [0, 1).
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { RunRecord } from "@/lib/models/mod.ts";
 * import { scoreRecords } from "@/lib/runs/mod.ts";
 *
 * const reply = { kind: "answer", text: "", finishReason: "length", latencyMs: 9, attempts: 1 };
 * const record = { task: "vt", length: 4096, references: ["A"], scoring: "all", promptTokens: 4000, reply };
 * const outcomes = replyOutcomes(scoreRecords([record as unknown as RunRecord]));
 * equal(outcomes.find(({ outcome }) => outcome === "cut off at the answer room")?.count, 1);
 * ```
 */
export function replyOutcomes(
  replies: readonly ScoredReply[],
  options: ReplyOutcomesOptions = {},
): readonly ReplyOutcome[] {
  const { cutTolerance: tolerance = 0.3 } = options;
  const kinds: readonly Kind[] = [
    { outcome: "answered", means: "in the scores", isOne: ({ failed }) => !failed },
    { outcome: "failed call", means: "in no score", isOne: ({ failed }) => failed },
    {
      outcome: "prompt cut by the server",
      means: "scored as if it had been read whole",
      isOne: ({ record }) =>
        record.reply.kind === "answer" && isPromptCut(record, record.reply, { tolerance, ...reservedOf(record) }),
    },
    {
      outcome: "cut off at the answer room",
      means: "scored as far as it goes",
      isOne: ({ record }) => record.reply.kind === "answer" && record.reply.finishReason === "length",
    },
    { outcome: "empty reply", means: "scores 0", isOne: ({ failed, noAnswer }) => !failed && noAnswer },
    { outcome: "could not be read", means: "scores 0", isOne: ({ unparsable }) => unparsable === true },
    {
      outcome: "nothing to score",
      means: "in no score",
      isOne: ({ failed, noAnswer, value }) => !failed && !noAnswer && value === null,
    },
  ];
  return kinds.map(({ outcome, means, isOne }): ReplyOutcome => {
    const found = replies.filter(isOne);
    const share = replies.length === 0 ? 0 : 100 * found.length / replies.length;
    const where = outcome === "answered" ? "" : placesText(found);
    return { outcome, means, count: found.length, share, where };
  });
}

/** A thinking allowance kept inside the length is counted with the prompt and never sent. */
function reservedOf({ settings }: ScoredReply["record"]): { readonly reservedTokens?: number } {
  const { thinkingInside, thinkingTokens } = settings ?? {};
  return thinkingInside === true && typeof thinkingTokens === "number" ? { reservedTokens: thinkingTokens } : {};
}

const SHOWN = 3;

function placesText(replies: readonly ScoredReply[]): string {
  const places = [...Map.groupBy(replies, ({ task, length }) => `${task} at ${length}`)]
    .map(([place, { length: count }]) => ({ place, count }))
    .toSorted((left, right) => right.count - left.count);
  const shown = places.slice(0, SHOWN).map(({ place, count }) => `${place} (${count})`);
  return [...shown, ...(places.length > SHOWN ? [`and ${places.length - SHOWN} more`] : [])].join(", ");
}

/** Options for the tables of a run. */
export interface RunTableOptions {
  /** What the table shows. */
  readonly title: string;
  /** Where the replies come from. */
  readonly origin: Origin;
  /** Samples asked. */
  readonly n: number | string;
}

/**
 * Makes a table of what was asked in a run.
 *
 * @param lines From `runOverview`.
 * @param options Title, origin and n.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * match(overviewTable([{ what: "Seed", said: "42" }], { title: "Asked", origin: "measured", n: 1 }).text, /Seed +42/);
 * ```
 */
export function overviewTable(lines: readonly OverviewLine[], options: RunTableOptions): Table {
  return table(lines, {
    ...options,
    caption: "All that decides the samples and the answers, as the run's manifest has it.",
    columns: [{ field: "what", label: "What" }, { field: "said", label: "In this run" }],
  });
}

/**
 * Makes a table of what came back in a run: answers, failed calls, prompts and replies that were cut, and empty replies.
 *
 * @param outcomes From `replyOutcomes`.
 * @param options Title, origin and n.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const outcome = { outcome: "failed call", means: "in no score", count: 1, share: 50, where: "vt at 4096 (1)" };
 * match(outcomeTable([outcome], { title: "One call failed", origin: "measured", n: 2 }).text, /failed call +1 +50\.0 +in no score/);
 * ```
 */
export function outcomeTable(outcomes: readonly ReplyOutcome[], options: RunTableOptions): Table {
  return table(outcomes, {
    ...options,
    caption: "What happened to the calls, before any scoring. A reply can be in several rows.",
    columns: [
      { field: "outcome", label: "Outcome" },
      { field: "count", label: "Replies", digits: 0 },
      { field: "share", label: "Share (%)", digits: 1 },
      { field: "means", label: "Effect on scores" },
      { field: "where", label: "Where most" },
    ],
  });
}
