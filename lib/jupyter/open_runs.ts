import { runBundle, showDestination, showRun } from "./notebook_outputs.ts";
import { basename } from "node:path";
import { defined } from "@/lib/base/mod.ts";
import {
  asInRun,
  type ChooseSamples,
  decisionNotes,
  DEFAULT_CONCURRENCY,
  measuresTemplate,
  preflight,
  runStudy,
  serverTable,
  type StudyRun,
  takeInterrupts,
  withTemplateTokens,
} from "@/lib/asking/mod.ts";
import type { Table } from "@/lib/figures/mod.ts";
import type { ChatTemplate } from "@/lib/generators/mod.ts";
import {
  checkScored,
  findEarlierPace,
  placeOf,
  readScoredRun,
  type RunFolderOptions,
  type RunStore,
} from "@/lib/records/mod.ts";
import { planTable } from "@/lib/reports/mod.ts";
import {
  allowanceOf,
  type BenchmarkOptions,
  budgetNotes,
  cappedPace,
  countedFor,
  type Display,
  estimateRun,
  notebookProgress,
  type OpenedModel,
  openModel,
  type OpenStudy,
  openStudy,
  type Plan,
  planStudy,
  rememberSamples,
  repeatNotes,
  type Study,
} from "@/lib/studies/mod.ts";

/** Options for {@linkcode openRuns}. */
export interface OpenRunsOptions extends RunFolderOptions, BenchmarkOptions {
  /** Models, comma-separated: entries of the file of models, models of a server, or simulated readers such as `sim:gpt-4`. */
  readonly model: string;
  /** The path to your own file of models; data/models.yaml if empty. */
  readonly models?: string;
  /** The address of the endpoint; OPENAI_BASE_URL or OpenAI if empty. */
  readonly baseUrl?: string;
  /** Names of recorded runs, comma-separated; if given, no model is asked. */
  readonly runs?: string;
  /** The part of a reply that is scored, `whole` or `first`; if empty, `first` for base models. */
  readonly scored?: string;
  /** The name of the runs; the model's name is appended. */
  readonly name: string;
  /** `Deno.jupyter.display`, for the progress bar. */
  readonly display: Display;
  /** All studies of the notebook: recorded runs of the others are skipped. `"any"` accepts a run of any study. Only `study` by default. */
  readonly studies?: readonly Study[] | "any";
  /** The sampling temperature; a recorded run must have the same one. */
  readonly temperature?: number;
  /** Concurrent calls, from 1 to 256; by default as many as the model's entry says, or 8. */
  readonly concurrency?: number;
  /** Chooses samples adaptively; by default, all samples of the study are asked. */
  readonly choose?: ChooseSamples;
  /** The same study, if it is already open. */
  readonly opened?: OpenStudy;
  /** The chat template of a simulated reader, so that it gets the same samples as another run. */
  readonly template?: ChatTemplate;
}

/** A run that was just asked, or recorded before. */
export interface OpenedRun extends StudyRun {
  readonly model: string;
  /** Its study with materials; samples are cached. */
  readonly opened: OpenStudy;
}

/**
 * Opens the runs of a notebook: runs the study with each model, or reads recorded runs of it.
 *
 * `fathom run` gives the same numbers. Replies of real models are recorded in results/runs, and running the cell again asks only
 * the missing ones. Simulated readers are asked each time and not recorded.
 *
 * @throws {RangeError} If a name is missing or repeated, a model cannot be asked, or a run does not exist or belongs to another study.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy } from "@/lib/studies/mod.ts";
 *
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const [run] = await openRuns(study, { model: "sim:mute", name: "example", display: () => Promise.resolve() });
 * equal(run.replies[0]?.noAnswer, true);
 * ```
 */
export async function openRuns(study: Study, options: OpenRunsOptions): Promise<readonly [OpenedRun, ...OpenedRun[]]> {
  const { runs = "", model } = options;
  if (runs.trim() !== "") {
    const recorded = await readRuns(study, options);
    for (const run of recorded) await showRun(run, options.display);
    return recorded;
  }
  const opened = { ...options.opened ?? rememberSamples(await openStudy(study, options)), study };
  const names = listNames(model, "models");
  const room = names.length === 1 ? undefined : await sharedTemplateTokens(study, names, options);
  const ask = (name: string, display = options.display): Promise<OpenedRun> =>
    askModel(opened, { ...options, display, model: name, room });
  // Simulated readers in step: each sample is made once for all of them.
  const asked = names.every((name) => name.startsWith("sim:"))
    ? await inTurn(names.map((name) => (display) => ask(name, display)), options.display)
    : await Array.fromAsync(names, (name) => ask(name));
  return asked as unknown as [OpenedRun, ...OpenedRun[]];
}

/**
 * Returns the tokens reserved for the chat template when several models are asked: the maximum over their servers, so that all get the
 * same texts. A run that was started before keeps its number.
 */
async function sharedTemplateTokens(
  study: Study,
  names: readonly string[],
  options: OpenRunsOptions,
): Promise<number> {
  const costs = names.map(async (name): Promise<number> => {
    const chosen = await chooseModel(study, { ...options, model: name });
    await showDestination(chosen, options.display);
    const model = await asInRun(chosen, runNameOf(options.name, chosen), options);
    if (!measuresTemplate(model)) return Number(model.settings["templateTokens"] ?? 0);
    const { report, error } = (await preflight(model))!;
    if (error !== undefined) throw error;
    return report.templateTokens ?? 0;
  });
  return Math.max(...await Promise.all(costs));
}

/** Asks all at once, and shows the outputs of each after those of the ones before it. */
async function inTurn(
  asks: readonly ((display: Display) => Promise<OpenedRun>)[],
  display: Display,
): Promise<readonly OpenedRun[]> {
  let before: Promise<unknown> = Promise.resolve();
  const runs = asks.map((ask) => {
    const [turn, shown]: [typeof before, Promise<unknown>[]] = [before, []];
    const run = ask((...output) => Promise.resolve(void shown.push(turn.then(() => display(...output)))));
    before = run.catch(() => {}).then(() => Promise.all(shown));
    return run;
  });
  const asked = await Promise.all(runs);
  await before;
  return asked;
}

interface AskModelOptions extends OpenRunsOptions {
  /** Tokens reserved for the chat template; if not given, those of the model's own template. */
  readonly room: number | undefined;
}

async function askModel(shared: OpenStudy, { room, ...options }: AskModelOptions): Promise<OpenedRun> {
  const { name, display, choose } = options;
  const chosen = await chooseModel(shared.study, options);
  // With several models, the addresses were shown before the first probe.
  if (room === undefined) await showDestination(chosen, display);
  const runName = runNameOf(name, chosen);
  const model = leaveRoom(await asInRun(chosen, runName, options), room);
  const { concurrency = model.concurrency ?? DEFAULT_CONCURRENCY } = options;
  const study = countedFor(shared.study, model);
  const opened = study === shared.study ? shared : rememberSamples(await openStudy(study, options));
  const show = (what: string, { text, html }: { readonly text: string; readonly html?: string }): Promise<void> => {
    const id = `${name} ${what} of ${options.model}`;
    return display(defined({ "text/html": html, "text/plain": text }), { raw: true, "display_id": id, update: false });
  };
  const bar = notebookProgress({ display, id: `run ${runName}`, label: `Asking ${options.model} (${name})` });
  let result: ReturnType<typeof runBundle> | undefined;
  using interrupts = takeInterrupts();
  const folder = model.origin === "simulated" ? await Deno.makeTempDir() : options.folder;
  try {
    const run = await runStudy(opened.study, {
      name: runName,
      model,
      concurrency,
      opened,
      onProgress: bar.update,
      scored: checkScored(options.scored),
      stop: interrupts.stop,
      signal: interrupts.end,
      onPlan: async (plan, store) => {
        const planned = model.origin === "measured" ? await plannedCalls(plan, { store, model, options }) : undefined;
        if (planned !== undefined) await show("plan", planned);
        const notes = [
          ...repeatNotes(plan, model),
          ...budgetNotes(plan, model.settings),
          ...(choose === undefined ? decisionNotes(plan, model) : []),
        ];
        if (notes.length > 0) await show("notes", { text: notes.join("\n") });
      },
      onServer: (look, changes) => {
        const warnings = [...look.warnings, ...changes];
        return show("server", serverTable({ ...look, warnings }, { name: options.model }));
      },
      ...defined({ folder, choose }),
    });
    // A figure must not show an incomplete run as complete.
    if (run.summary.trouble !== undefined) throw new Error(run.summary.trouble);
    if (run.summary.isStopped) {
      throw new Deno.errors.Interrupted(`Stopped before the end of run "${runName}": run this cell again to resume it`);
    }
    result = runBundle(run, run.summary.failed);
    return { ...run, model: options.model, opened };
  } finally {
    await bar.end(result);
    if (model.origin === "simulated") await Deno.remove(folder!, { recursive: true });
  }
}

function runNameOf(name: string, model: OpenedModel): string {
  return `${name}-${model.name}`.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
}

/** Reserves tokens for the chat template of a model that has no own number; a simulated reader has no template, but gets the same texts. */
function leaveRoom(model: OpenedModel, room = 0): OpenedModel {
  const { origin, template } = model;
  if (room === 0) return model;
  if (origin === "measured") return withTemplateTokens(model, room);
  if (template.extraTokens > 0) return model;
  return { ...model, template: { ...template, name: `${template.name}+extra-${room}`, extraTokens: room } };
}

/** Up to this many tokens are counted exactly, by making the samples, before the first call. */
const COUNTED_TOKENS = 2_000_000;

/** Returns a table of the planned calls to a real model: tokens, and price and time if known; `undefined` if all are answered. */
async function plannedCalls(
  plan: Plan,
  { store, model, options }: {
    readonly store: RunStore;
    readonly model: OpenedModel;
    readonly options: OpenRunsOptions;
  },
): Promise<Table | undefined> {
  const pace = cappedPace(await findEarlierPace(model, options), model);
  const estimate = estimateRun(plan, {
    ...allowanceOf(model),
    isAnswered: (sample) => store.outcome(placeOf(sample)) === "answer",
    exactUpTo: COUNTED_TOKENS,
    ...defined({ prices: model.price, pace }),
  });
  return estimate.questions === 0 ? undefined : planTable(estimate, { model: options.model, pace: pace?.source });
}

/** Opens the model that the parameters of a notebook name. */
export async function chooseModel(
  { variant }: Partial<Study>,
  options: Pick<OpenRunsOptions, "model" | "models" | "baseUrl" | "temperature" | "template">,
): Promise<OpenedModel> {
  const { model: name, models = "", baseUrl = "", temperature, template } = options;
  // A simulated reader in a list of models has no address.
  const address = baseUrl === "" || name.startsWith("sim:") ? undefined : baseUrl;
  const settings = defined({ models: models || undefined, baseUrl: address, temperature });
  const model = await openModel({ model: name, ...settings }, { variant });
  return template === undefined ? model : { ...model, template };
}

async function readRuns(study: Study, options: OpenRunsOptions): Promise<readonly [OpenedRun, ...OpenedRun[]]> {
  const { runs: names = "", studies = [study], temperature, folder, benchmarks } = options;
  const scored = checkScored(options.scored);
  const ofStudy: OpenedRun[] = [];
  const others: string[] = [];
  for (const name of listNames(names, "runs")) {
    const run = await readScoredRun(name, { benchmarks, scored, ...defined({ folder }) });
    const { manifest, records } = run;
    const misfits = (other: Study): readonly string[] => differences(manifest.study, countedFor(other, manifest.study));
    const asked = manifest.settings["temperature"] ?? temperature;
    const differing = [
      ...(studies === "any" ? [] : misfits(study)),
      ...(asked === temperature || temperature === undefined ? [] : [`temperature is ${asked} and not ${temperature}`]),
    ];
    if (differing.length > 0) {
      others.push(`${name}: ${differing.join("; ")}`);
      if (studies !== "any" && studies.some((other) => misfits(other).length === 0)) continue;
      throw wrongStudy(study, others.slice(-1));
    }
    const own = studies === "any" ? manifest.study : countedFor(study, manifest.study);
    const opened = rememberSamples(await openStudy(own, run));
    const answered = records.filter(({ reply }) => reply.kind === "answer").length;
    const plan = planStudy(opened, manifest);
    const failed = records.length - answered;
    const nothing = { asked: 0, promptTokens: 0, isStopped: false, notMade: [] };
    const summary = { total: plan.questions, answered, failed, ...nothing };
    ofStudy.push({ ...run, opened, plan, model: manifest.model, summary });
  }
  if (ofStudy.length === 0) throw wrongStudy(study, others);
  return ofStudy as unknown as [OpenedRun, ...OpenedRun[]];
}

function wrongStudy({ title }: Study, others: readonly string[]): RangeError {
  const found = others.join(" | ");
  return new RangeError(`Cannot draw "${title}" as a recorded run must be of this study: current value is ${found}`);
}

const NOT_COMPARED = ["title", "samplesAt", "samplesFile"];

const MAX_SHOWN = 60;

/** Lists the differences of two studies; folders of files are ignored. */
function differences(one: Study, other: Study): readonly string[] {
  const shown = (value: unknown): string =>
    typeof value === "string" ? JSON.stringify(basename(value)) : JSON.stringify(value) ?? "not given";
  // A knob set in the shell is text, such as "4".
  const plain = (text: string): string => text.replaceAll(/"(\d+(?:\.\d+)?)"/g, "$1");
  const shorten = (text: string): string => text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
  const keys = Object.keys({ ...one, ...other }) as (keyof Study)[];
  return keys.filter((key) => !NOT_COMPARED.includes(key) && plain(shown(one[key])) !== plain(shown(other[key])))
    .map((key) => `${key} is ${shorten(shown(one[key]))} and not ${shorten(shown(other[key]))}`);
}

function listNames(text: string, what: "models" | "runs"): readonly string[] {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names.length > 0 && new Set(names).size === names.length) return names;
  const given = names.join(", ");
  throw new RangeError(
    `Cannot open the ${what} as there must be at least one name, and none twice: current value is "${given}"`,
  );
}
