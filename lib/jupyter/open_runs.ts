import { runBundle, showDestination, showRun } from "./notebook_outputs.ts";
import { defined } from "@/lib/base/mod.ts";
import {
  asInRun,
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
import { type Benchmark, BENCHMARKS, findFamily, namedTasks } from "@/lib/benchmarks/mod.ts";
import type { Table } from "@/lib/figures/mod.ts";
import {
  findEarlierPace,
  listRuns,
  placeOf,
  readScoredRun,
  type RecordedScores,
  type RunFolderOptions,
  type RunStore,
  type ScoredPart,
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
  /**
   * Models, comma-separated: entries of the file of models, models of a server, or simulated readers such as `sim:gpt-4`. Without it
   * and without `runs`, the measured runs of the study's suite are opened, which come with Fathom.
   */
  readonly model: string;
  /** The path to your own file of models; data/models.yaml if empty. */
  readonly models?: string;
  /** The address of the endpoint; OPENAI_BASE_URL or OpenAI if empty. */
  readonly baseUrl?: string;
  /**
   * Names of recorded runs of the study's suite, comma-separated; if given, no model is asked. Lengths and samples are theirs, and
   * tasks of the study that they lack are left out.
   */
  readonly runs?: string;
  /** The part of a reply that is scored, `whole` or `first`; if empty, `first` for base models. */
  readonly scored?: string;
  /** The name of the runs; the model's name is appended. */
  readonly name: string;
  /** `Deno.jupyter.display`, for the progress bar. */
  readonly display: Display;
  /** Whether recorded runs may be of any suite. */
  readonly anySuite?: boolean;
  /** The sampling temperature of models that are asked. */
  readonly temperature?: number;
  /** The same study, if it is already open. */
  readonly opened?: OpenStudy;
}

/** A run that was just asked, or recorded before. */
export interface OpenedRun extends StudyRun {
  readonly model: string;
  /** Its study with materials; samples are cached. */
  readonly opened: OpenStudy;
}

/**
 * Opens the runs of a notebook: runs the study with each model, or reads recorded runs of its suite.
 *
 * `fathom run` gives the same numbers. Replies of real models are recorded in results/runs, and running the cell again asks only
 * the missing ones. Simulated readers are asked each time and not recorded.
 *
 * @throws {RangeError} If a name is repeated, a model cannot be asked, or no run exists that has a task of the suite.
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
  if (runs.trim() !== "") return await readRuns(study, listNames(runs, "runs"), options);
  if (model.trim() === "") return await readRuns(study, await listMeasuredOf(study, options), options);
  const opened = { ...options.opened ?? rememberSamples(await openStudy(study, options)), study };
  const names = listNames(model, "models");
  const room = names.length === 1 ? undefined : await sharedTemplateTokens(study, names, options);
  const asked = await Array.fromAsync(names, (name) => askModel(opened, { ...options, model: name, room }));
  return asked as unknown as [OpenedRun, ...OpenedRun[]];
}

/**
 * Returns the tokens reserved for the chat template when several models are asked: the maximum over their servers, so that all get the
 * same texts. A run that was started before keeps its number.
 */
async function sharedTemplateTokens(study: Study, names: readonly string[], options: OpenRunsOptions): Promise<number> {
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

interface AskModelOptions extends OpenRunsOptions {
  /** Tokens reserved for the chat template; if not given, those of the model's own template. */
  readonly room: number | undefined;
}

async function askModel(shared: OpenStudy, { room, ...options }: AskModelOptions): Promise<OpenedRun> {
  const { name, display } = options;
  const chosen = await chooseModel(shared.study, options);
  // With several models, the addresses were shown before the first probe.
  if (room === undefined) await showDestination(chosen, display);
  const runName = runNameOf(name, chosen);
  const model = leaveRoom(await asInRun(chosen, runName, options), room);
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
      concurrency: model.concurrency ?? DEFAULT_CONCURRENCY,
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
          ...decisionNotes(plan, model),
        ];
        if (notes.length > 0) await show("notes", { text: notes.join("\n") });
      },
      onServer: (look, changes) => {
        const warnings = [...look.warnings, ...changes];
        return show("server", serverTable({ ...look, warnings }, { name: options.model }));
      },
      ...defined({ folder }),
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
async function chooseModel(
  { variant }: Partial<Study>,
  options: Pick<OpenRunsOptions, "model" | "models" | "baseUrl" | "temperature">,
): Promise<OpenedModel> {
  const { model: name, models = "", baseUrl = "", temperature } = options;
  // A simulated reader in a list of models has no address.
  const address = baseUrl === "" || name.startsWith("sim:") ? undefined : baseUrl;
  const settings = defined({ models: models || undefined, baseUrl: address, temperature });
  return await openModel({ model: name, ...settings }, { variant });
}

/** Lists the measured runs of a study's suites, which come with Fathom. */
async function listMeasuredOf(study: Study, { benchmarks = BENCHMARKS }: BenchmarkOptions): Promise<readonly string[]> {
  const endings = suitesOf(study, benchmarks).map((suite) => `/${suite}`);
  const runs = (await listRuns()).filter((run) => run.startsWith("measured/"));
  const names = runs.filter((run) => endings.some((ending) => run.endsWith(ending)));
  if (names.length > 0) return names;
  throw new RangeError(`Cannot draw "${study.title}" as a model must be named: none was measured on its suite`);
}

/** Returns the names of the suites of a study's tasks. */
function suitesOf({ tasks }: Study, benchmarks: readonly Benchmark[]): readonly string[] {
  const names = tasks.flatMap(({ task }) => namedTasks(task, benchmarks));
  const families = new Set(names.map((name) => findFamily(name, benchmarks)));
  return benchmarks.filter((suite) => suite.families.some((each) => families.has(each))).map(({ name }) => name);
}

/** Reads recorded runs; those of other suites are left out, unless any suite will do. */
async function readRuns(
  study: Study,
  names: readonly string[],
  { folder, display, benchmarks = BENCHMARKS, scored, anySuite = false }: OpenRunsOptions,
): Promise<readonly [OpenedRun, ...OpenedRun[]]> {
  const wanted = suitesOf(study, benchmarks);
  const opened: OpenedRun[] = [];
  for (const name of names) {
    const run = await readScoredRun(name, { benchmarks, scored: checkScored(scored), ...defined({ folder }) });
    if (anySuite || suitesOf(run.manifest.study, benchmarks).some((suite) => wanted.includes(suite))) {
      opened.push(await withStudy(run));
      await showRun(run, display);
    } else {
      const shown = { raw: true, "display_id": `run ${name}`, update: false };
      await display({ "text/plain": `${name} has no task of this suite and is left out` }, shown);
    }
  }
  if (opened.length > 0) return opened as unknown as [OpenedRun, ...OpenedRun[]];
  const given = names.join(", ");
  throw new RangeError(
    `Cannot draw "${study.title}" as a recorded run must have a task of its suite: current value is ${given}`,
  );
}

/** Returns a recorded run with its own study and plan. */
async function withStudy(run: RecordedScores): Promise<OpenedRun> {
  const { manifest, records } = run;
  const opened = rememberSamples(await openStudy(manifest.study, run));
  const plan = planStudy(opened, manifest);
  const answered = records.filter(({ reply }) => reply.kind === "answer").length;
  const counts = { total: plan.questions, answered, failed: records.length - answered };
  const summary = { ...counts, asked: 0, promptTokens: 0, isStopped: false, notMade: [] };
  return { ...run, opened, plan, model: manifest.model, summary };
}

function listNames(text: string, what: "models" | "runs"): readonly string[] {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names.length > 0 && new Set(names).size === names.length) return names;
  const given = names.join(", ");
  throw new RangeError(
    `Cannot open the ${what} as there must be at least one name, and none twice: current value is "${given}"`,
  );
}

/** Checks the name of a part of a reply; the default, for no text or an empty one, is `undefined`. */
export function checkScored(part: string | undefined): ScoredPart | undefined {
  if (part === undefined || part === "") return undefined;
  if (part === "whole" || part === "first") return part;
  throw new RangeError(`Cannot score the run as scored must be whole or first: current value is "${part}"`);
}
