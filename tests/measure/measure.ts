import { workOf } from "@/lib/asking/tally.ts";
import { listMeasured, type MeasuredName, measuredRunName, runOf } from "@/lib/records/run_folders.ts";
import { type MeasurePlan, type MeasureStep, measureSteps } from "./measure_plan.ts";
import {
  listSamples,
  type OpenedModel,
  type OpenStudy,
  openStudy,
  type Plan,
  type PlannedSample,
  planStudy,
  type RunProgress,
} from "@/lib/studies/mod.ts";
import { listRuns, placeKey, placeOf, readRun, type ReadRunOptions, type RunRecord } from "@/lib/records/mod.ts";
import { DEFAULT_CONCURRENCY, runStudy, type RunStudyOptions, type SampleName } from "@/lib/asking/mod.ts";

/** Which of the measurements are wanted, and of whom they are asked. */
export interface MeasureOptions extends ReadRunOptions {
  /** Opens a model of the plan; nothing is asked yet. */
  readonly openModel: (model: string) => Promise<OpenedModel>;
  /** Whether a model and benchmark are wanted; all are by default. */
  readonly isWanted?: (name: MeasuredName) => boolean;
  /** Whether what is packed already need not be asked again. */
  readonly isMore?: boolean;
}

/** A step of the measurements with what is left to ask. */
export interface MeasureWork extends MeasureStep {
  readonly opened: OpenStudy;
  readonly asked: OpenedModel;
  readonly plan: Plan;
  /** The records that its samples have. */
  readonly records: readonly RunRecord[];
  /** The samples without an answer. */
  readonly left: readonly PlannedSample[];
}

/** Lists the measurements in the order of asking, with what their runs have already. */
export async function findMeasureWork(plan: MeasurePlan, options: MeasureOptions): Promise<readonly MeasureWork[]> {
  const { openModel, isWanted = () => true } = options;
  const opened = new Map<string, OpenStudy>();
  const models = new Map<string, OpenedModel>();
  const runs = new Map<string, ReadonlyMap<string, RunRecord>>();
  const work: MeasureWork[] = [];
  for (const step of measureSteps(plan).filter(isWanted)) {
    const { model, study } = step;
    const tasks = JSON.stringify({ ...study, lengths: [], first: 0, samples: 0 });
    opened.set(tasks, opened.get(tasks) ?? await openStudy(study));
    models.set(model, models.get(model) ?? await openModel(model));
    const run = runOf(step);
    runs.set(run, runs.get(run) ?? await readAnswers(step, options));
    const [own, asked] = [{ ...opened.get(tasks)!, study }, models.get(model)!];
    const planned = planStudy(own, asked);
    const samples = [...listSamples(planned)];
    const recordOf = (sample: PlannedSample): RunRecord | undefined => runs.get(run)!.get(placeKey(placeOf(sample)));
    work.push({
      ...{ ...step, opened: own, asked, plan: planned },
      records: samples.flatMap((sample) => recordOf(sample) ?? []),
      left: samples.filter((sample) => recordOf(sample) === undefined),
    });
  }
  return work;
}

/** The answers that count as asked, by the places of their samples. */
async function readAnswers(name: MeasuredName, options: MeasureOptions): Promise<ReadonlyMap<string, RunRecord>> {
  const own = (await listRuns(options)).filter((run) => run === runOf(name));
  const packed = options.isMore ? (await listMeasured(options)).map(measuredRunName) : [];
  const runs = [...packed.filter((run) => run === measuredRunName(name)), ...own];
  const records = (await Promise.all(runs.map((run) => readRun(run, options)))).flatMap((run) => run.records);
  return new Map(records.filter(({ reply }) => reply.kind === "answer").map((record) => [placeKey(record), record]));
}

/** Options for {@linkcode askMeasurements}. */
export interface AskMeasurementsOptions extends ReadRunOptions {
  /** Starts the server of a model, where it is not running yet; called when another model's turn comes. */
  readonly serve?: (model: string) => Promise<AsyncDisposable>;
  /** Stops after the calls in flight. */
  readonly stop?: AbortSignal;
  /** Stops at once. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Called with what a look at a model's server found, once for each run. */
  readonly onServer?: NonNullable<RunStudyOptions["onServer"]>;
}

/**
 * Asks what is left of the measurements, in their order, and records every reply; the same call again asks only what is missing.
 *
 * @returns Whether all was asked; otherwise it was stopped.
 * @throws {RangeError} If a server cannot be asked.
 * @throws {Error} If a run broke off; what came before is recorded.
 */
export async function askMeasurements(
  work: readonly MeasureWork[],
  { serve, onProgress, onServer, ...options }: AskMeasurementsOptions,
): Promise<boolean> {
  const { stop, signal } = options;
  const tally = startMeasureTally(work);
  const looked = new Set<string>();
  let server: { readonly model: string; readonly running: AsyncDisposable } | undefined;
  try {
    for (const step of work.filter(({ left }) => left.length > 0)) {
      const { model, opened, asked } = step;
      const left = step.left.map(({ task, length, index }): SampleName => ({ task: task.name, length, index }));
      if (serve !== undefined && server?.model !== model) {
        await server?.running[Symbol.asyncDispose]();
        server = undefined;
        server = { model, running: await serve(model) };
      }
      if (stop?.aborted || signal?.aborted) return false;
      const { summary } = await runStudy(opened.study, {
        ...{ ...options, name: runOf(step), model: asked },
        opened,
        choose: () => left,
        concurrency: asked.concurrency ?? DEFAULT_CONCURRENCY,
        ...(onServer === undefined || looked.has(runOf(step)) ? {} : { onServer }),
        onProgress: (progress) => onProgress?.(tally.progress(progress)),
      });
      if (summary.trouble !== undefined) throw new Error(summary.trouble);
      looked.add(runOf(step));
      tally.end();
      if (summary.isStopped) return false;
    }
    return true;
  } finally {
    await server?.running[Symbol.asyncDispose]();
  }
}

interface MeasureTally {
  /** The progress of all the measurements, from that of the step that is being asked. */
  progress(progress: RunProgress): RunProgress;
  /** Ends the step that was asked. */
  end(): void;
}

/** Counts what was done and is left of all steps. */
function startMeasureTally(work: readonly MeasureWork[]): MeasureTally {
  const start = performance.now();
  const before = { asked: 0, failed: 0, tokens: 0 };
  const found = sum(work.map(({ records }) => records.length));
  const total = found + sum(work.map(({ left }) => left.length));
  const wholeWork = sum(work.map(({ left }) => workLeft(left)));
  let last = before;
  return {
    progress(progress): RunProgress {
      last = progress;
      const asked = before.asked + progress.asked;
      const tokens = before.tokens + progress.tokens;
      const elapsedMs = performance.now() - start;
      const doneWork = asked * workOf(tokens / Math.max(1, asked));
      return {
        ...{ ...progress, asked, tokens, total, elapsedMs },
        done: found + asked,
        failed: before.failed + progress.failed,
        leftMs: asked === 0 ? null : Math.max(0, wholeWork - doneWork) * elapsedMs / doneWork,
        isOver: progress.isOver && found + asked === total,
      };
    },
    end(): void {
      for (const key of ["asked", "failed", "tokens"] as const) before[key] += last[key];
      last = { asked: 0, failed: 0, tokens: 0 };
    },
  };
}

/** Prompt tokens of samples, a few percent too many at most. */
export function tokensOf(samples: readonly PlannedSample[]): number {
  return sum(samples.map(({ task, length }) => length - task.answerRoom));
}

function workLeft(samples: readonly PlannedSample[]): number {
  return sum(samples.map(({ task, length }) => workOf(length - task.answerRoom)));
}

/**
 * Estimates how long the rest of the measurements takes at the pace of earlier replies, in milliseconds; `null` where a model has
 * none.
 *
 * @param records Replies of each model, by name.
 */
export function estimateMeasureTime(
  work: readonly MeasureWork[],
  records: ReadonlyMap<string, readonly RunRecord[]>,
): number | null {
  const times = work.filter(({ left }) => left.length > 0).map(({ model, asked, left }) => {
    const known = (records.get(model) ?? []).filter(({ reply }) => reply.kind === "answer");
    const spentMs = sum(known.map(({ reply }) => reply.latencyMs)) / (asked.concurrency ?? DEFAULT_CONCURRENCY);
    return workLeft(left) * spentMs / sum(known.map(({ promptTokens }) => workOf(promptTokens)));
  });
  return times.every(Number.isFinite) ? sum(times) : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
