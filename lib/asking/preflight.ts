import { defined, lengthText, plural, shownText, someOf } from "@/lib/base/mod.ts";
import { type Cell, listSamples, type Plan, type RunHeader } from "@/lib/studies/mod.ts";
import { makeSample } from "./run_plan.ts";
import { ModelNotAskable, watchEndpoint } from "./ask_loop.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { answerRoomAt, type Sample } from "@/lib/generators/mod.ts";
import {
  type Failure,
  hasChatTemplate,
  type Model,
  type ProbeOptions,
  refusedAdvice,
  type ServerReport,
} from "@/lib/models/mod.ts";
import { expectedInterval, minimumDetectableDifference, unitsText } from "@/lib/statistics/mod.ts";

/** One fact of a run or a server, as a table shows it. */
export interface OverviewLine {
  readonly what: string;
  readonly text: string;
}

/** The findings about a model's server before the first question. */
export interface Preflight {
  /** The report that the run's manifest keeps. */
  readonly report: ServerReport;
  /** Each finding in words. */
  readonly lines: readonly OverviewLine[];
  readonly warnings: readonly string[];
  /** Why the model cannot be asked; left out if it can. */
  readonly error?: Error;
  /** Why no short question was answered; left out if one was, or none was asked. */
  readonly failure?: Failure;
  /** The model with the measured tokens of its server's chat template taken off each length, unless the user gave a number. */
  readonly model: Model;
  /** Estimates the tokens that a prompt of a cell and its answer need, in the model's own tokens. */
  needed(cell: Pick<Cell, "task" | "length">): number;
}

/**
 * Probes a model's server before the first question; `undefined` for a model without one, such as a simulated reader.
 *
 * Asks at most four short questions. Facts that the server does not give are left out.
 *
 * @param options.plan The plan whose samples the server counts.
 */
export async function preflight(
  model: Model,
  options: Pick<ProbeOptions, "asks" | "signal" | "onWait"> & { readonly plan?: Plan } = {},
): Promise<Preflight | undefined> {
  const { plan, ...probing } = options;
  if (model.probe === undefined) return undefined;
  const measured = new Map<string, Sample>();
  const { report, failure } = await model.probe(plan === undefined ? [] : sampleTasks(plan, measured), {
    ...probing,
    count: (text) => plan?.materials.tokenizer.count(text) ?? 0,
  });
  const { templateTokens, messageTokens } = report;
  const settled = measuresTemplate(model) ? withTemplateTokens(model, templateTokens, messageTokens) : model;
  const watch = watchEndpoint(model.name);
  const error = failure === undefined ? undefined : watch.note(failure) ?? watch.atEnd();
  const unknown = failure === undefined || error !== undefined
    ? []
    : [`A short question had no answer, so little is known of the server: ${shownText(failure.message, 500)}`];
  return {
    report,
    lines: describeServer(shownFacts(report), settled, plan),
    warnings: [...unknown, ...listWarnings(shownFacts(report), settled)],
    ...defined({
      failure,
      error: error && report.isServed === false
        ? new ModelNotAskable(`${error.message}; it serves ${someOf(shownFacts(report).served)}`)
        : error,
    }),
    model: settled,
    // Samples that are fitted to the server need their length.
    needed: (cell) => plan?.fitsServer ? cell.length : estimateNeed(cell, { report, model: settled, measured, plan }),
  };
}

/** Returns a report whose names of software and models are inert, as the server gives them. */
function shownFacts(report: ServerReport): ServerReport & Required<Pick<ServerReport, "served">> {
  const { software, served = [] } = report;
  return {
    ...report,
    ...defined({ software: software && shownText(software) }),
    served: served.map((name) => shownText(name)),
  };
}

/** Returns a model with the lengths of a run that it began: with the same tokens taken off for its server's chat template. */
export function asRunBegan<M extends Model>(
  model: M,
  { settings, template }: Pick<RunHeader, "settings" | "template">,
): M {
  const { templateTokens = model.settings["templateTokens"] } = settings;
  return withTemplateTokens(model, Number(templateTokens), template.messageTokens);
}

/** Returns whether a preflight decides the tokens that lengths count for a chat template: if the user gave no number. */
export function measuresTemplate({ withTemplateTokens, settings }: Model): boolean {
  return withTemplateTokens !== undefined && hasChatTemplate(settings);
}

/** Takes the tokens of a server's chat template off each length, unless the user gave a number or none is known. */
export function withTemplateTokens<M extends Model>(model: M, tokens: number | undefined, messageTokens?: number): M {
  if (model.withTemplateTokens === undefined || tokens === undefined) return model;
  // The model can have more properties than its endpoint, such as its entry's window.
  return { ...model, ...model.withTemplateTokens(tokens, messageTokens), withTemplateTokens: undefined };
}

/** The maximum number of tasks that are measured, and the maximum length of their samples. */
const MEASURED = { tasks: 16, length: 32_768 };

/** Makes a long sample of each task, as its filler decides the ratio of tokens. */
function* sampleTasks(plan: Plan, measured: Map<string, Sample>): Generator<Sample> {
  const tasks = new Set(plan.cells.map(({ task }) => task));
  for (const task of [...tasks].slice(0, MEASURED.tasks)) {
    const lengths = plan.cells.filter((cell) => cell.task === task).map(({ length }) => length);
    const length = lengths.findLast((each) => each <= MEASURED.length) ?? lengths[0]!;
    const sample = makeSample(plan, { task, length, index: plan.first });
    if (sample instanceof RangeError) continue;
    measured.set(task.name, sample);
    yield sample;
  }
}

/** Returns the tokens for thinking in addition to the answer, whether the length includes them or not. */
function thinkingOf({ settings }: Pick<Model, "settings">): { readonly inside: number; readonly outside: number } {
  const thinking = Number(settings["thinkingTokens"] ?? 0);
  return settings["thinkingInside"] ? { inside: thinking, outside: 0 } : { inside: 0, outside: thinking };
}

/** The share of its length that a sample fills at least, if that is in tokens. */
const FILLED = 0.95;

function estimateNeed(
  { task, length }: Pick<Cell, "task" | "length">,
  { report, model, measured, plan }: {
    readonly report: ServerReport;
    readonly model: Model;
    readonly measured: ReadonlyMap<string, Sample>;
    readonly plan: Plan | undefined;
  },
): number {
  const { tokenRatios, templateTokens } = report;
  const { extraTokens } = model.template;
  const thinking = thinkingOf(model);
  // A task that was not measured counts as the one with the highest ratio.
  const ratio = tokenRatios[task.name] ?? Math.max(...Object.values(tokenRatios));
  const room = answerRoomAt(task, length);
  const answer = Number(model.settings["maxTokens"]) || room;
  if (!Number.isFinite(ratio)) return length - room + answer;
  const sample = measured.get(task.name);
  const used = sample === undefined ? length : sample.promptTokens + sample.answerRoom;
  const isFilled = sample === undefined || (used <= sample.length && used >= FILLED * sample.length);
  // A task that counts its lengths in characters or words needs tokens in proportion to its sample.
  const local = isFilled
    ? length - room - extraTokens
    : (sample.promptTokens - (plan?.template.extraTokens ?? 0)) * length / sample.length;
  return Math.ceil(ratio * local) + (templateTokens ?? extraTokens - thinking.inside) + answer + thinking.inside;
}

/**
 * Refuses cells whose samples do not fit the window of the model's entry, otherwise of its server, before any of them is sent.
 *
 * @param cells The cells that have a sample left to ask.
 * @throws {RangeError} If cells do not fit; the message names them and what to do.
 */
export function checkWindow(cells: readonly Cell[], found: Preflight, model: Model): void {
  const { window: served = Infinity } = found.report;
  const window = model.window ?? served - thinkingOf(model).outside;
  const misfits = cells.filter((cell) => found.needed(cell) > window);
  if (misfits.length === 0) return;
  const named = someOf(
    misfits.map((cell) => `${grouped(found.needed(cell))} for ${cell.task.name} at ${lengthText(cell.length)}`),
  );
  const whose = model.window === undefined ? "its server's window" : "the window of its entry";
  const longest = Math.min(...misfits.map((cell) => longestFit(cell, found, window)));
  const fits = longest > 0 ? `Lengths up to ${longest} fit these tasks` : "No length of these tasks fits";
  throw new RangeError(
    `Cannot ask model "${model.name}" as each prompt with its answer must fit ${whose} of ${grouped(window)} tokens: ` +
      `current value is about ${named}, in the model's own tokens. ${fits}; a larger window is configured at the server`,
  );
}

/** Returns the longest length of a task that fits, rounded down to a hundred; 0 if none does. */
function longestFit({ task, length, least }: Cell, found: Preflight, window: number): number {
  let [fits, exceeds] = [0, length];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (found.needed({ task, length: middle }) <= window) fits = middle;
    else exceeds = middle;
  }
  const rounded = Math.floor(fits / 100) * 100;
  return rounded < least ? 0 : rounded;
}

function describeServer(report: ServerReport, model: Model, plan: Plan | undefined): readonly OverviewLine[] {
  const { address, software = "unknown software", served = [], isServed, window, prefix, streams } = report;
  const isKnown = isServed ? "served" : `not among those served (${someOf(served)})`;
  const entry = model.window === undefined ? "" : `; its entry has ${grouped(model.window)}, which counts`;
  const streamed = streams ? "streamed" : "whole: the server does not stream with token counts";
  const { readsPerSecond, writesPerSecond } = report;
  const speeds = [
    ...(readsPerSecond === undefined ? [] : [`reads at least ${grouped(readsPerSecond)} tokens a second`]),
    ...(writesPerSecond === undefined ? [] : [`writes at least ${grouped(writesPerSecond)}`]),
  ];
  const facts = {
    Server: `${address}, ${software}`,
    Model: `${modelName(model)}: ${isServed === undefined ? "unknown whether served" : isKnown}`,
    Window: `${window === undefined ? "unknown" : `${grouped(window)} tokens`}${entry}`,
    "Around a prompt": templateText(report, model),
    "Answer prefix": prefix,
    Replies: streams === undefined ? undefined : streamed,
    Tokens: tokensText(report, plan),
    Speed: speeds.join(", ") || "not measured",
  };
  return Object.entries(facts).flatMap(([what, text]) => text === undefined ? [] : [{ what, text }]);
}

function modelName({ settings, name }: Model): string {
  return shownText(String(settings["model"] ?? name));
}

function templateText({ templateTokens, readsPerSecond }: ServerReport, model: Model): string {
  if (templateTokens === undefined) {
    const isLater = measuresTemplate(model) && readsPerSecond === undefined;
    return isLater ? "measured once questions are asked, and taken off each length" : "not measured";
  }
  const added = `${templateTokens} ${plural(templateTokens, "token")} of the server's own`;
  return templateTokens > 0 && countedAround(model) >= templateTokens ? `${added}, taken off each length` : added;
}

/** Returns the tokens around a prompt that lengths count. */
function countedAround(model: Model): number {
  return model.template.extraTokens - thinkingOf(model).inside;
}

function tokensText({ canTokenize, tokenRatios }: ServerReport, plan: Plan | undefined): string {
  const by = canTokenize ? "counted by the server" : "not counted by the server";
  const ratios = Object.entries(tokenRatios).sort(([, left], [, right]) => left - right);
  if (plan === undefined || ratios.length === 0) return `${by}; not compared with local ones`;
  const [low, high] = [ratios[0]!, ratios.at(-1)!].map(([task, ratio]) => ({ task, text: ratio.toFixed(2) }));
  const range = low!.text === high!.text ? low!.text : `${low!.text} (${low!.task}) to ${high!.text} (${high!.task})`;
  return `${
    canTokenize ? by : `${by}, but with its replies`
  }; one of ${plan.materials.tokenizer.name} is ${range} of the model's`;
}

/** Tokens around a prompt that need no warning, such as the token that starts a text. */
const FEW_TOKENS = 2;

function listWarnings(report: ServerReport, model: Model): readonly string[] {
  const { served = [], isServed, templateTokens, prefix, readsPerSecond, repeatsPrompt } = report;
  const counted = countedAround(model);
  const advice = hasChatTemplate(model.settings)
    ? "a new run counts them all, if --template-tokens is left out"
    : `--template-tokens ${templateTokens} counts them all`;
  const warnings: readonly (readonly [isShown: boolean, warning: string])[] = [
    ...refusedAdvice(report.adapted ?? []).map((advice) => [true, advice] as const),
    [
      isServed === false,
      `The server does not list "${modelName(model)}", but ${someOf(served)}: another model may answer`,
    ],
    [
      templateTokens !== undefined && templateTokens - counted > FEW_TOKENS,
      `The server adds ${templateTokens} tokens to each prompt, of which lengths count ${counted}: ${advice}`,
    ],
    [
      templateTokens === undefined && readsPerSecond !== undefined,
      `The server does not count the tokens of a prompt, so it is unknown what it adds to one; lengths count ${counted} tokens for it, or those of --template-tokens`,
    ],
    [
      repeatsPrompt ?? false,
      "The server's replies begin with their prompt, which is taken out before they are scored: a setting such as `echo` or `return_full_text` causes that",
    ],
    [
      prefix === "not continued" || prefix === "refused",
      `The start of the answer is ${prefix} as a message of the assistant: --continue-flags asks vLLM and SGLang for it, --answer-prefix appended does without`,
    ],
  ];
  return warnings.flatMap(([isShown, warning]) => isShown ? [warning] : []);
}

/** Lists how a server differs from what it was when the run began. */
export function serverChanges(before: ServerReport, now: ServerReport): readonly string[] {
  const facts = {
    ...{ address: "address", software: "software", window: "window" },
    ...{ templateTokens: "number of tokens around a prompt", prefix: "treatment of an answer prefix" },
  };
  return Object.entries(facts).flatMap(([key, name]) => {
    const [was, is] = [before, now].map((report) => shownFacts(report)[key as keyof typeof facts]);
    if (was === undefined || is === undefined || was === is) return [];
    return [`The server's ${name} was ${was} when the run began, and is ${is} now`];
  });
}

/** Makes a table of a preflight for a notebook, its warnings last. */
export function serverTable({ lines, warnings }: Preflight, { name }: Pick<Model, "name">): Table {
  return table([...lines, ...warnings.map((text) => ({ what: "Warning", text }))], {
    title: `${name}: its server`,
    caption: "Found by a few short calls before the first question; the run's manifest keeps it.",
    origin: "measured",
    n: "one probe",
    columns: [{ field: "what", label: "What" }, { field: "text", label: "Found" }],
  });
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** The score at which intervals are widest. */
const WIDEST = 50;

/**
 * Describes the questions of a plan for a real model and the precision of their scores, a line each. A simulated reader costs nothing
 * and has no notes. `fathom plan` prints more.
 *
 * Intervals and differences are those at a score of 50, where they are widest, for yes/no scores. A difference counts as detected
 * if 80% of runs would detect it.
 */
export function decisionNotes(plan: Plan, { origin }: Pick<Model, "origin">): readonly string[] {
  if (origin === "simulated") return [];
  const { cells, samples, samplesAt = {}, repeats = 1, questions } = plan;
  const lengths = [...Map.groupBy(cells, ({ length }) => length).values()];
  const tasks = Math.max(...lengths.map((ofLength) => ofLength.length));
  const tokens = listSamples(plan).reduce((sum, { task, length }) => sum + length - answerRoomAt(task, length), 0);
  const many = (count: number, what: string): string => `${grouped(count)} ${plural(count, what)}`;
  const again = repeats === 1 ? "" : `, each asked ${repeats} times`;
  const units = Math.min(...cells.map((cell) => countUnits([cell], plan)));
  const all = Math.min(...lengths.map((ofLength) => countUnits(ofLength, plan)));
  const shared = units < samples ? `, which are on ${many(units, "question or text")},` : "";
  const fewer = Object.entries(samplesAt).map(([length, count]) =>
    `${lengthText(Number(length))}: ${count}, ±${intervalReach(count, 1)} points`
  );
  const [mean, apart] = tasks === 1 ? ["", ""] : [
    `, the mean of ${tasks} tasks ${unitsText([{ units: all }], `known to ±${intervalReach(all, 1)}`)}`,
    `, ${foundDifference(all, 1).replace(" points", "")} in the mean`,
  ];
  return [
    `${many(questions, "question")} of at most ${many(tokens, "prompt token")}: ${fewer.length > 0 ? "at most " : ""}${
      many(samples, "sample")
    } of each of ${many(tasks, "task")} at ${many(lengths.length, "length")}${again}`,
    `with ${many(samples, "sample")}${shared} a score is ${
      unitsText([{ units }], `known to about ±${intervalReach(units, 1)} points`)
    }${mean}; the smallest detectable difference between two models on the same samples is ${
      foundDifference(units, 1)
    } on a task${apart}`,
    ...(fewer.length === 0 ? [] : [`fewer samples at some lengths are less precise (${fewer.join("; ")})`]),
  ];
}

/** Counts the independent units among the samples of some cells of a plan: a question or text that several share counts once. */
function countUnits(cells: readonly Cell[], { seed, first, samples }: Plan): number {
  const clusters = cells.flatMap(({ task, length }) =>
    Array.from(
      { length: samples },
      (_, at) => task.clusterOf?.({ length, seed, index: first + at }) ?? `${task.name}/${at}`,
    )
  );
  return new Set(clusters).size;
}

/** Half the width of the interval of a mean at a score of 50, where it is widest, in whole points. */
function intervalReach(samples: number, tasks: number): string {
  const { low, high } = expectedInterval(samples, { score: WIDEST, tasks });
  return Math.round((high - low) / 2).toFixed(0);
}

/** The smallest difference that is found; one of 50 may not be. */
function foundDifference(samples: number, tasks: number): string {
  const least = minimumDetectableDifference(samples, { score: WIDEST, tasks });
  return least === null ? `more than ${WIDEST} points` : `${Math.ceil(least)} points`;
}
