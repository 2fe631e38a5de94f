import type { Cell, Plan, RunHeader } from "@/lib/studies/mod.ts";
import { makeSample } from "./run_plan.ts";
import { ModelNotAskable, watchEndpoint } from "./watch_endpoint.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import type { Sample, Task } from "@/lib/generators/mod.ts";
import {
  hasChatTemplate,
  type Model,
  type OtherServer,
  type ProbeOptions,
  type ServerReport,
} from "@/lib/models/mod.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/** One thing that decides the samples or the answers of a run. */
export interface OverviewLine {
  readonly what: string;
  readonly said: string;
}

/** What one look at a model's server found, in words. */
export interface ServerLook {
  /** What the run's manifest keeps. */
  readonly report: ServerReport;
  /** What was found, each fact a line. */
  readonly lines: readonly OverviewLine[];
  /** What the user should know before the first question. */
  readonly warnings: readonly string[];
  /** Why the model cannot be asked; left out where it can. */
  readonly error?: Error;
  /** The model with what was measured of its server's chat template taken off each length, unless somebody gave a number. */
  readonly model: Model;
  /** Estimates the tokens that a prompt of a cell and its answer need, as the model counts. */
  needed(cell: Pick<Cell, "task" | "length">): number;
}

/** Options for {@linkcode lookAtModel}. */
export interface LookOptions extends Pick<ProbeOptions, "asks" | "signal" | "onWait"> {
  /** What is to be asked: some of its samples are counted by the server. */
  readonly plan?: Plan;
}

/**
 * Looks at a model's server before the first question; `undefined` for a model without one, such as a simulated reader.
 *
 * At most six short questions are asked. Whatever the server does not say is left out.
 */
export async function lookAtModel(model: Model, options: LookOptions = {}): Promise<ServerLook | undefined> {
  const { plan, ...looking } = options;
  if (model.probe === undefined) return undefined;
  const measured = new Map<string, Sample>();
  const { report, failure } = await model.probe(plan === undefined ? [] : sampleTasks(plan, measured), {
    ...looking,
    count: (text) => plan?.materials.tokenizer.count(text) ?? 0,
  });
  const settled = measuresTemplate(model) ? countTemplate(model, report.templateTokens, report.messageTokens) : model;
  const watch = watchEndpoint(model.name);
  const error = failure === undefined ? undefined : watch.note(failure) ?? watch.atEnd();
  const busy = failure !== undefined && error === undefined
    ? [`A short question had no answer, so little is known of the server: ${failure.message}`]
    : [];
  return {
    report,
    lines: describeServer(report, settled, plan),
    warnings: [...busy, ...listWarnings(report, settled)],
    ...(error === undefined ? {} : { error: withNames(error, report) }),
    model: settled,
    // What is fitted to the server needs what it is fitted to.
    needed: (cell) => plan?.fitsServer ? cell.length : estimateNeed(cell, { report, model: settled, measured, plan }),
  };
}

/** Gives a model with the lengths of a run that it began: with as many tokens taken off for its server's chat template. */
export function asRunBegan<M extends Model>(
  model: M,
  { settings, template }: Pick<RunHeader, "settings" | "template">,
): M {
  const { templateTokens = model.settings["templateTokens"] } = settings;
  return countTemplate(model, Number(templateTokens), template.messageTokens);
}

/** Whether a look at a model's server settles how many tokens lengths count for its template: a chat for which nobody said it. */
export function measuresTemplate({ withTemplateTokens, settings }: Model): boolean {
  return withTemplateTokens !== undefined && hasChatTemplate(settings);
}

/** Takes the tokens of a server's chat template off each length, unless somebody gave a number or none is known. */
export function countTemplate<M extends Model>(model: M, tokens: number | undefined, messageTokens?: number): M {
  const { withTemplateTokens } = model;
  if (withTemplateTokens === undefined || tokens === undefined) return model;
  // The model can have more to it than its endpoint gives, such as its entry's window.
  return { ...model, ...withTemplateTokens(tokens, messageTokens), withTemplateTokens: undefined };
}

/** A wrong name is told with the right ones. */
function withNames(error: Error, { served = [], isServed }: ServerReport): Error {
  if (isServed !== false) return error;
  return new ModelNotAskable(`${error.message}; it serves ${listNames(served)}`);
}

/** The most tasks that are measured, and the longest samples. */
const MEASURED = { tasks: 16, length: 32_768 };

/** Makes a sample of each task, long as its filler decides the ratio; the first are of different kinds. */
function* sampleTasks(plan: Plan, measured: Map<string, Sample>): Generator<Sample> {
  const tasks = [...new Set(plan.cells.map(({ task }) => task))];
  const kindOf = ({ suite, category, options }: Task): string => JSON.stringify([suite, category, options["language"]]);
  const kinds = Map.groupBy(tasks, kindOf);
  const ordered = new Set([...[...kinds.values()].map(([first]) => first!), ...tasks]);
  for (const task of [...ordered].slice(0, MEASURED.tasks)) {
    const lengths = plan.cells.filter((cell) => cell.task === task).map(({ length }) => length);
    const length = lengths.findLast((each) => each <= MEASURED.length) ?? lengths[0]!;
    const sample = makeSample(plan, { task, length, index: plan.first });
    if (sample instanceof RangeError) continue;
    measured.set(task.name, sample);
    yield sample;
  }
}

/** Tokens that the model may think beside its budget, inside the length or not. */
function thinkingOf({ settings }: Pick<Model, "settings">): { readonly inside: number; readonly outside: number } {
  const thinking = Number(settings["thinkingTokens"] ?? 0);
  return settings["thinkingInside"] ? { inside: thinking, outside: 0 } : { inside: 0, outside: thinking };
}

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
  // A task that was not measured counts as the one that needs most.
  const ratio = tokenRatios[task.name] ?? Math.max(...Object.values(tokenRatios));
  const answer = Number(model.settings["maxTokens"]) || task.answerRoom;
  if (!Number.isFinite(ratio)) return length - task.answerRoom + answer;
  const sample = measured.get(task.name);
  const ours = sample === undefined
    ? length - task.answerRoom - extraTokens
    : textTokens(sample, { length, extraTokens, sampleExtra: plan?.template.extraTokens ?? 0 });
  return Math.ceil(ratio * ours) + (templateTokens ?? extraTokens - thinking.inside) + answer + thinking.inside;
}

/** How far a sample may stay under its length where its length is in tokens. */
const FILLED = 0.95;

/** Our tokens of a sample at another length: all but its answer room, unless its task counts lengths in characters or words. */
function textTokens(
  sample: Sample,
  { length, extraTokens, sampleExtra }: {
    readonly length: number;
    readonly extraTokens: number;
    /** Those that the sample itself was made with. */
    readonly sampleExtra: number;
  },
): number {
  const used = sample.promptTokens + sample.answerRoom;
  const isFilled = used <= sample.length && used >= FILLED * sample.length;
  if (isFilled) return length - sample.answerRoom - extraTokens;
  return (sample.promptTokens - sampleExtra) * length / sample.length;
}

/** The window in the model's tokens, without what it may think beside its answer: the entry's, otherwise the server's. */
function windowOf({ window }: ServerReport, model: Model): number | undefined {
  return model.window ?? (window === undefined ? undefined : window - thinkingOf(model).outside);
}

/** The most cells that an error names. */
const MOST_NAMED = 5;

/**
 * Refuses cells whose samples do not fit the window, before any of them is sent.
 *
 * @param cells Those that have a sample left to ask.
 * @throws {RangeError} Which cells do not fit, and what to do.
 */
export function checkWindow(cells: readonly Cell[], look: ServerLook, model: Model): void {
  const window = windowOf(look.report, model);
  if (window === undefined) return;
  const misfits = cells.filter((cell) => look.needed(cell) > window);
  if (misfits.length === 0) return;
  const named = misfits.slice(0, MOST_NAMED).map((cell) =>
    `${grouped(look.needed(cell))} for ${cell.task.name} at ${lengthText(cell.length)}`
  );
  const rest = misfits.length - named.length;
  const more = rest === 0 ? "" : ` and ${rest} more`;
  const whose = model.window === undefined ? "its server's window" : "the window of its entry";
  throw new RangeError(
    `Cannot ask model "${model.name}" as each prompt with its answer must fit ${whose} of ${grouped(window)} tokens: ` +
      `current value is about ${named.join(", ")}${more}, in the model's own tokens. ${
        whatToDo(misfits, { look, window })
      }`,
  );
}

/** How a server's window is raised. */
const FLAGS: Readonly<Record<string, string>> = {
  "llama.cpp": "--ctx-size, which its slots (--parallel) share",
  vLLM: "--max-model-len",
  SGLang: "--context-length",
  LMDeploy: "--session-len",
  Ollama: "OLLAMA_CONTEXT_LENGTH, or num_ctx in the Modelfile",
  "LM Studio": "the context length with which the model is loaded",
};

function whatToDo(
  misfits: readonly Cell[],
  { look, window }: { readonly look: ServerLook; readonly window: number },
): string {
  const { report: { software = "", trainedWindow = 0 } } = look;
  const longest = Math.min(...misfits.map((cell) => longestThatFits(cell, { look, window })));
  const [, flag] = Object.entries(FLAGS).find(([name]) => software.startsWith(name)) ?? [];
  const trained = trainedWindow > window ? `; the model was trained with ${grouped(trainedWindow)}` : "";
  const fits = longest > 0 ? `Lengths up to ${longest} fit these tasks` : "No length of these tasks fits";
  return `${fits}; a longer window is the server's to give${flag === undefined ? "" : `: ${flag}`}${trained}`;
}

/** The longest length of a task that fits, rounded down to a hundred; 0 where none does. */
function longestThatFits(
  { task, length, least }: Cell,
  { look, window }: { readonly look: ServerLook; readonly window: number },
): number {
  let [fits, exceeds] = [0, length];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (look.needed({ task, length: middle }) <= window) fits = middle;
    else exceeds = middle;
  }
  const rounded = Math.floor(fits / 100) * 100;
  return rounded < least ? 0 : rounded;
}

function describeServer(report: ServerReport, model: Model, plan: Plan | undefined): readonly OverviewLine[] {
  const { address, software, served, isServed, prefix, streams } = report;
  const name = String(model.settings["model"] ?? model.name);
  const knowsName = isServed === undefined ? "not said whether served" : isServed ? "served" : "not among those served";
  return [
    { what: "Server", said: `${address}, ${software ?? "software not said"}` },
    {
      what: "Model",
      said: `${name}: ${knowsName}${isServed === false ? ` (${listNames(served ?? [])})` : ""}`,
    },
    { what: "Window", said: windowText(report, model) },
    { what: "Around a prompt", said: templateText(report, model) },
    ...(prefix === undefined ? [] : [{ what: "Answer prefix", said: PREFIXES[prefix] }]),
    ...(streams === undefined
      ? []
      : [{ what: "Replies", said: streams ? "streamed" : "whole: the server streams none with counts of tokens" }]),
    { what: "Tokens", said: tokensText(report, plan) },
    { what: "Speed", said: speedText(report) },
  ];
}

function templateText({ templateTokens, readsPerSecond }: ServerReport, model: Model): string {
  if (templateTokens === undefined) {
    const isAsked = readsPerSecond !== undefined;
    return measuresTemplate(model) && !isAsked
      ? "measured once questions are asked, and taken off each length"
      : "not measured";
  }
  const said = `${templateTokens} ${plural(templateTokens, "token")} of the server's own`;
  return templateTokens > 0 && countedAround(model) >= templateTokens ? `${said}, taken off each length` : said;
}

/** Tokens around a prompt that lengths count. */
function countedAround(model: Model): number {
  return model.template.extraTokens - thinkingOf(model).inside;
}

function windowText({ window, trainedWindow }: ServerReport, model: Model): string {
  const said = window === undefined ? "not said" : `${grouped(window)} tokens`;
  const trained = trainedWindow === undefined || trainedWindow === window
    ? ""
    : `, the model was trained with ${grouped(trainedWindow)}`;
  return `${said}${trained}${
    model.window === undefined ? "" : `; its entry says ${grouped(model.window)}, which counts`
  }`;
}

const PREFIXES: Readonly<Record<NonNullable<ServerReport["prefix"]>, string>> = {
  continued: "continued",
  repeated: "continued, and repeated at the start of each reply",
  "not continued": "not continued: the server closes it and begins a new message",
  refused: "refused",
  unknown: "not known whether it is continued",
};

function tokensText({ canTokenize, tokenRatios }: ServerReport, plan: Plan | undefined): string {
  const by = canTokenize ? "counted by /tokenize" : "no /tokenize";
  const ratios = Object.entries(tokenRatios).sort(([, left], [, right]) => left - right);
  if (plan === undefined || ratios.length === 0) return `${by}; not compared with ours`;
  const [[leastTask, least], [mostTask, most]] = [ratios[0]!, ratios.at(-1)!];
  const { name } = plan.materials.tokenizer;
  const range = least.toFixed(2) === most.toFixed(2)
    ? least.toFixed(2)
    : `${least.toFixed(2)} (${leastTask}) to ${most.toFixed(2)} (${mostTask})`;
  return `${by}; one of ${name} is ${range} of the model's`;
}

function speedText({ readsPerSecond, writesPerSecond, isTimedByServer }: ServerReport): string {
  const about = isTimedByServer ? "about" : "at least";
  const parts = [
    ...(readsPerSecond === undefined ? [] : [`reads ${about} ${grouped(readsPerSecond)} tokens a second`]),
    ...(writesPerSecond === undefined ? [] : [`writes ${about} ${grouped(writesPerSecond)}`]),
  ];
  return parts.join(", ") || "not measured";
}

/** Tokens around a prompt that are too few to warn of, such as the marker of a text's start. */
const FEW_TOKENS = 2;

function listWarnings(report: ServerReport, model: Model): readonly string[] {
  const { served = [], isServed, templateTokens, prefix, readsPerSecond, others = [] } = report;
  const counted = countedAround(model);
  const name = String(model.settings["model"] ?? model.name);
  return [
    ...(isServed === false
      ? [`The server does not list "${name}", but ${listNames(served)}: another model may answer in its place`]
      : []),
    ...(templateTokens !== undefined && templateTokens - counted > FEW_TOKENS
      ? [
        `The server adds ${templateTokens} tokens to each prompt, of which lengths count ${counted}: ${
          hasChatTemplate(model.settings)
            ? "a new run counts them all, if --template-tokens is left out"
            : `--template-tokens ${templateTokens} counts them all`
        }`,
      ]
      : []),
    ...(templateTokens === undefined && readsPerSecond !== undefined
      ? [
        `The server does not count the tokens of a prompt, so what it adds to one is not known; lengths count ${counted} tokens for it, or as many as --template-tokens says`,
      ]
      : []),
    ...(prefix === "not continued" || prefix === "refused"
      ? [
        `The start of the answer is ${
          prefix === "refused" ? "refused" : "not continued"
        } as a message of the assistant's: --continue-flags asks vLLM and SGLang for it, --answer-prefix appended does without`,
      ]
      : []),
    ...others.flatMap((other) => warnOfOther(other, report)),
  ];
}

/** Warns of one of several servers that does not answer, or differs from the one that was measured. */
function warnOfOther(other: OtherServer, report: ServerReport): readonly string[] {
  const { address, failure } = other;
  if (failure !== undefined) return [`${address} does not answer, and is left until it does: ${failure}`];
  const facts = ["software", "isServed", "window", "templateTokens", "prefix"] as const;
  return facts.filter((fact) => other[fact] !== undefined && report[fact] !== undefined && other[fact] !== report[fact])
    .map((fact) => `The ${FACTS[fact]} of ${address} is ${other[fact]}, and ${report[fact]} elsewhere`);
}

/** How a server differs from what it was when the run began. */
export function serverChanges(before: ServerReport, now: ServerReport): readonly string[] {
  const facts = ["address", "software", "isServed", "window", "templateTokens", "prefix"] as const;
  return facts.filter((fact) => before[fact] !== undefined && now[fact] !== undefined && before[fact] !== now[fact])
    .map((fact) => `The server's ${FACTS[fact]} was ${before[fact]} when the run began, and is ${now[fact]} now`);
}

const FACTS = {
  address: "address",
  software: "software",
  isServed: "list of models (whether the model is in it)",
  window: "window",
  templateTokens: "number of tokens around a prompt",
  prefix: "way with an answer prefix",
} as const;

/** Makes a table of a look at a server, its warnings last, as a notebook shows it. */
export function serverTable({ lines, warnings }: ServerLook, { name }: Pick<Model, "name">): Table {
  return table([...lines, ...warnings.map((said) => ({ what: "Warning", said }))], {
    title: `${name}: its server`,
    caption: "Found out by a few short calls before the first question; the run's manifest keeps it.",
    origin: "measured",
    n: "one look",
    columns: [{ field: "what", label: "What" }, { field: "said", label: "Found" }],
  });
}

const MOST_NAMES = 8;

function listNames(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
