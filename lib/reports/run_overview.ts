import { grouped, lengthText, plural, shownText, someOf, timeText } from "@/lib/base/mod.ts";
import {
  addEfforts,
  type Effort,
  hasOwnSamples,
  machineText,
  type RunEstimate,
  type RunManifest,
  variantsOf,
} from "@/lib/studies/mod.ts";
import type { OverviewLine } from "@/lib/asking/mod.ts";
import {
  isAnswerCut,
  isAtBudget,
  isFiltered,
  isUnfinished,
  repairTexts,
  type ScoredReply,
  wentOn,
} from "@/lib/records/mod.ts";
import { type FigureOptions, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import type { ServerReport } from "@/lib/models/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";

/**
 * Lists what determines the samples and answers of a run; results and times are omitted.
 *
 * @param samples The ids of the samples.
 */
export function runOverview(manifest: RunManifest, samples: readonly string[]): OverviewLine[] {
  const { name, fathom, study, tasks, materials, model, origin, settings, template, measured, imported } = manifest;
  const suites = [...new Set(Object.values(tasks).map(({ suite }) => suite))];
  const last = study.first + study.samples - 1;
  // A sample's id names its material.
  const used = [materials.essays, materials.oneHop, materials.twoHop, materials.exam]
    .filter((name) => name !== undefined && samples.some((id) => id.includes(`/${name}/`)));
  const asked = study.repeats === undefined ? "" : `; each asked ${study.repeats} times`;
  const fewer = Object.entries(study.samplesAt ?? {}).map(([length, count]) => `${count} at ${length}`).join(", ");
  const each = `${measured ? "up to " : ""}${study.samples} of each task at each length`;
  const planned = fewer === "" ? each : `${each} (${fewer})`;
  const days = measured && [...new Set([measured.from, measured.to].map((time) => time.slice(0, 10)))];
  const lines: readonly (readonly [what: string, text: string | undefined])[] = [
    ["Run", name],
    ["Model", `${model} (${originText(origin)})`],
    ["Settings", Object.entries(settings).map(([key, value]) => `${key} = ${value}`).join(", ") || "not recorded"],
    ["Chat template", template.name],
    ["Server", manifest.server && serverText(manifest.server)],
    ["Suite", suites.join(", ")],
    ["Variant", variantsOf(manifest).join(" and ") || undefined],
    ["Tasks", Object.keys(tasks).join(", ")],
    ["Lengths", `${study.lengths.join(", ")} tokens, answer room included`],
    ["Samples", `${planned}, numbers ${study.first} to ${last}; ${manifest.samples.count} answered${asked}`],
    ["Hash of the answered samples", manifest.samples.sha256],
    ["Seed", study.seed],
    [
      "Tokenizer",
      hasOwnSamples(manifest)
        ? `${materials.tokenizer} counts prompts here; lengths are as ${imported!.from} has them`
        : materials.tokenizer,
    ],
    ["Materials", used.join(", ") || undefined],
    ["Scored", manifest.scored === undefined ? "whole replies" : "first answers"],
    ["Version", `Fathom ${fathom}`],
    ...repairTexts(manifest).map((text) => ["Changed since", text] as const),
    [
      "Weights",
      measured && `${measured.weights.file}, ${measured.weights.quantisation}, SHA-256 ${measured.weights.sha256}`,
    ],
    ["Server", measured && `${measured.server.name} ${measured.server.version}, ${measured.server.flags}`],
    ["Machine", measured && machineText(measured.machine)],
    ["Measured", days?.join(" to ")],
    [
      "Imported from",
      imported && `${imported.from}, ${imported.files.length} ${plural(imported.files.length, "file")}`,
    ],
    ["Not known", imported?.unknown.join("; ") || undefined],
  ];
  return lines.flatMap(([what, text]) => text === undefined ? [] : [{ what, text }]);
}

function serverText({ address, software = "unknown software", window }: ServerReport): string {
  return `${shownText(software)} at ${address}${window === undefined ? "" : `, window ${window} tokens`}`;
}

/** Number of replies with one outcome of the call. */
export interface ReplyOutcome {
  readonly outcome: string;
  readonly means: string;
  /** Number of replies; one reply can have several outcomes. */
  readonly count: number;
  /** In percent of all replies. */
  readonly share: number;
  /** The tasks and lengths with the most of them. */
  readonly where: string;
}

/**
 * Counts the outcomes of calls: failed calls, prompts cut by the server, replies cut off, filtered, empty or unparsable, and those whose
 * answer may be after the part that is scored.
 */
export function replyOutcomes(replies: readonly ScoredReply[]): readonly ReplyOutcome[] {
  const isUnscored = (reply: ScoredReply): boolean =>
    !reply.failed && !reply.noAnswer && reply.value === null && !isFiltered(reply) && !reply.otherModel;
  const whyNot = shownText(replies.find(isUnscored)?.score?.why ?? "", 100);
  const kinds: readonly (readonly [outcome: string, means: string, isOne: (reply: ScoredReply) => boolean])[] = [
    ["answered", "in the scores", ({ failed }) => !failed],
    ["failed call", "in no score; the same command asks again", ({ failed }) => failed],
    [
      "prompt cut by the server",
      "scored as if read whole; a larger window or shorter lengths avoid it",
      ({ promptCut }) => promptCut !== undefined,
    ],
    ["cut off at the answer room", "the partial reply is scored", isAtBudget],
    [
      "cut off before an answer was complete",
      "the partial reply is scored; --max-tokens gives more room",
      isUnfinished,
    ],
    ["scores far more as a whole", "the answer may not be scored; --scored whole scores all of it", isAnswerCut],
    ["stopped by a content filter", "in no score", isFiltered],
    ["answered by another model", "in no score", ({ otherModel }) => otherModel !== undefined],
    ["empty reply", "lowest score", (reply) => !reply.failed && reply.noAnswer && !wentOn(reply)],
    ["no answer before something else", "lowest score", (reply) => !reply.failed && reply.noAnswer && wentOn(reply)],
    ["could not be read", "scores 0", ({ unparsable }) => unparsable === true],
    ["nothing to score", `in no score; of the first: ${whyNot}`, isUnscored],
  ];
  return kinds.map(([outcome, means, isOne]): ReplyOutcome => {
    const found = replies.filter(isOne);
    const share = replies.length === 0 ? 0 : 100 * found.length / replies.length;
    const where = outcome === "answered" ? "" : placesText(found);
    return { outcome, means, count: found.length, share, where };
  });
}

/** Names the tasks and lengths with the most of some replies. */
function placesText(replies: readonly ScoredReply[]): string {
  const places = [...Map.groupBy(replies, ({ task, length }) => `${task} at ${length}`)]
    .toSorted(([, left], [, right]) => right.length - left.length);
  return someOf(places.map(([place, { length: count }]) => `${place} (${count})`), 3);
}

export function overviewTable(lines: readonly OverviewLine[], options: Titled & Pick<FigureOptions, "n">): Table {
  return table(lines, {
    ...options,
    caption: "Everything that determines the samples and the answers, from the run's manifest.",
    columns: { what: "What", text: "In this run" },
  });
}

export function outcomeTable(
  [answered, ...others]: readonly ReplyOutcome[],
  options: Titled & Pick<FigureOptions, "n">,
): Table {
  return table([answered!, ...others.filter(({ count }) => count > 0)], {
    ...options,
    caption: "Outcomes of the calls, before any scoring. A reply can be in several rows.",
    columns: {
      outcome: "Outcome",
      count: { label: "Replies", digits: 0 },
      share: { label: "Share (%)", digits: 1 },
      means: "Effect on scores",
      where: "Most often in",
    },
  });
}

/**
 * Returns a table of what a plan takes: prompt tokens by task and length, then questions, answer tokens, price and time, as far as
 * they are known.
 *
 * @param options The model's name, and the basis of the time, such as `at the pace of run "first"`.
 */
export function planTable(
  { rows, ...estimate }: RunEstimate,
  { model, pace }: { readonly model: string; readonly pace?: string | undefined },
): Table {
  const columns = [...Map.groupBy(rows, ({ length }) => lengthText(length)), ["all", rows] as const];
  const line = (what: string, textOf: (total: Effort) => string, task?: string): object => {
    const own = columns.map(([, column]) => column.filter((row) => task === undefined || row.task === task));
    const texts = own.map((part, at) => [columns[at]![0], part.length === 0 ? "–" : textOf(addEfforts(part))]);
    return { what, ...Object.fromEntries(texts) };
  };
  const promptsOf = ({ promptTokens }: Effort): string => grouped(promptTokens);
  const priceOf = ({ price }: Effort): string => price! < 0.01 ? price!.toPrecision(2) : price!.toFixed(2);
  const lines = [
    ...[...new Set(rows.map(({ task }) => task))].map((task) => line(task, promptsOf, task)),
    line("all tasks", promptsOf),
    line("questions", ({ questions }) => grouped(questions)),
    line("longest prompt", ({ longestPrompt }) => grouped(longestPrompt)),
    line("answers, at most", ({ answerTokens }) => grouped(answerTokens)),
    ...(estimate.price === null ? [] : [line("price, at most", priceOf)]),
    ...(estimate.seconds === null ? [] : [line("time", ({ seconds }) => timeText(1000 * seconds!))]),
  ];
  const known = estimate.isExact ? "counted" : "upper bounds, a few percent high";
  const price = estimate.price === null ? " No price is known; the model's entry can have one." : "";
  const time = pace === undefined ? " No time is known before a first run." : ` Time: ${pace}.`;
  return table(lines, {
    title: `Plan for ${model}`,
    caption: `Tokens of the prompts by task and length, ${known}; repeated calls are not included.${price}${time}`,
    origin: "computed",
    n: `${grouped(estimate.questions)} ${plural(estimate.questions, "question")}`,
    columns: [
      { field: "what", label: "Prompt tokens" },
      ...columns.map(([label]) => ({ field: label, label, align: "right" }) as const),
    ],
  });
}
