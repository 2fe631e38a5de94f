import { judgeArms } from "./bounds.ts";
import { affordableCells, buildLadders, flipsOfMix, nextOfCalibration, readCalibration } from "./calibrate.ts";
import type { CertificateState } from "./decision.ts";
import {
  cellName,
  type CertificateArm,
  type CertificateDesign,
  checkSettings,
  compareItself,
  readCertificate,
  registerCertificate,
  type RegisteredCertificate,
} from "./design.ts";
import { expectations, forecastAgain } from "./forecast.ts";
import {
  type ArmServers,
  certificateMark,
  type CertificateRuns,
  checkCertificateRuns,
  findServers,
  noteServerChanges,
  readCertificateRuns,
  serverChanges,
  serverDifferences,
  watchArms,
} from "./recorded_runs.ts";
import { type Arm, isHopeless, nextStep, openGate } from "./steps.ts";
import { defined, sum } from "@/lib/base/mod.ts";
import { type Benchmark, BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import {
  allowanceOf,
  countedFor,
  describeRun,
  estimateRun,
  type OpenedModel,
  openStudy,
  planStudy,
  type Prices,
  readManifest,
  type RunProgress,
  type Study,
} from "@/lib/studies/mod.ts";
import { priceOfRecords, type ScoredReply, type ScoringOptions } from "@/lib/records/mod.ts";
import { asRunBegan, type Preflight, runStudy, type RunStudyOptions, type StudyRun } from "@/lib/asking/mod.ts";

/** The parts of a design that its user chooses. */
export type CertificateAim =
  & Pick<CertificateDesign, "margin" | "errorChance" | "method" | "samples" | "differs" | "questions" | "again">
  & Pick<CertificateDesign, "calibration">;

/** Options for {@linkcode runCertificate}. */
export interface RunCertificateOptions extends ScoringOptions {
  /** The folder of the certificate; the same folder resumes it. */
  readonly path: string;
  /** Called first, with the replies of earlier sessions, which are not asked again. */
  readonly onEarlier?: (recorded: CertificateRuns["recorded"]) => void;
  /** The two servers, with the user's names for them. */
  readonly base: CertifiedModel;
  readonly change: CertifiedModel;
  readonly aim: CertificateAim;
  /** Whether knobs are turned where the base is at the ceiling or the floor. */
  readonly turns: boolean;
  /** Calls in flight at each server. */
  readonly concurrency?: number;
  /** The most that all calls may cost together, with the prices of a million tokens. */
  readonly maxCost?: { readonly amount: number; readonly prices: Prices };
  /** The most time of this session, in milliseconds; the same command goes on where it ended. */
  readonly maxMs?: number;
  readonly stop?: AbortSignal;
  readonly signal?: AbortSignal;
  /** Called when an arm's server was probed. */
  readonly onServer?: (arm: string, look: Preflight) => void;
  /** Called with each finding before the pairs, a line each. */
  readonly onNote?: (line: string) => void;
  /** Called with the progress of the stages before the pairs. */
  readonly onProgress?: (stage: string, progress: RunProgress) => void;
  /** Called after each step with what the pairs so far show. */
  readonly onState?: (state: CertificateState) => void;
}

/** A server of a certificate, with the user's name for it and its flags. */
export interface CertifiedModel extends Pick<CertificateArm, "name" | "flags"> {
  readonly model: OpenedModel;
}

/** How a session of a certificate ended. */
export interface CertificateSession {
  /** `null` if the session ended before the design was registered. */
  readonly certificate: RegisteredCertificate | null;
  /** Why it ended without a verdict, such as an interruption; `null` if it came to its end. */
  readonly stopped: string | null;
  /** Whether a question was asked in this session. */
  readonly hasAsked: boolean;
}

/** A server of a certificate cannot be asked any more; the replies so far are kept. */
export class CertificatePaused extends Error {}

/** A server of a certificate is not the one that was asked before. */
export class ServerChanged extends CertificatePaused {}

/**
 * Certifies a change: calibrates the mix on the base, asks the base against itself, registers the design, and asks base and change
 * the same samples until the verdict is decided.
 *
 * Every reply is recorded when it comes, so the same call resumes the certificate at any point.
 *
 * @param study The tasks and lengths that the mix is chosen from.
 * @throws {RangeError} If the certificate was begun with another aim, base and change are asked differently, or no cell can be kept.
 * @throws {SyntaxError} If its design or its records were changed since they were written.
 * @throws {CertificatePaused} If a server cannot be asked any more, or is another than before; the replies so far are recorded.
 */
export async function runCertificate(study: Study, options: RunCertificateOptions): Promise<CertificateSession> {
  const { path, base, change, aim, onNote } = options;
  using limit = limitTime(options);
  const asking = { ...options, stop: limit.stop, benchmarks: options.benchmarks ?? BENCHMARKS };
  const before = await readCertificate(path);
  const earlier = await readCertificateRuns(path, before, options);
  checkCertificateRuns(path, earlier);
  if (earlier.recorded.count > 0) options.onEarlier?.(earlier.recorded);
  const servers = await findServers(options);
  const [changed] = serverChanges(path, { arms: options, earlier, before: before?.design, servers });
  if (changed !== undefined) throw new ServerChanged(`Not enough data: ${changed}; ${KEPT}`);
  if (before !== undefined) checkAim(before, options);
  const asked = await openStudy(before?.design.study ?? countedFor(study, base.model), asking);
  checkSettings(describeRun(asked, base.model), describeRun(asked, change.model), aim.differs);
  const certificate = before ?? await register(study, { ...asking, servers });
  let hasAsked = before === undefined;
  if (certificate === null) return { certificate, stopped: limit.stop.reason, hasAsked };
  onNote?.(`Registered: ${certificate.registered}, SHA-256 ${certificate.sha256}`);
  const { design } = certificate;
  if (design.itself !== null && isUnstable(design.itself, design.margin)) {
    return { certificate, stopped: null, hasAsked };
  }
  const models = await settleArms(asking);
  for (const line of await expectations(design, asking)) onNote?.(line);
  const onReply = (change: string | undefined): void => {
    hasAsked = true;
    if (change !== undefined) limit.end(change);
  };
  const isDecided = await askPairs(certificate, { ...asking, models, onReply });
  const changes = hasAsked ? serverDifferences(options, servers, await findServers(options)) : [];
  if (changes.length > 0) await noteServerChanges(path, changes);
  return { certificate, stopped: isDecided ? null : changes[0] ?? limit.stop.reason, hasAsked };
}

const KEPT = "the replies are kept, and a command without --name asks the servers that run now";

/** Stops a session at an interruption or when its time is up; the reason of its signal is which. */
function limitTime(
  { stop, signal, maxMs }: Pick<RunCertificateOptions, "stop" | "signal" | "maxMs">,
): Disposable & { readonly stop: AbortSignal; readonly end: (reason: string) => void } {
  const stopping = new AbortController();
  const interrupt = (): void => stopping.abort("it was interrupted");
  for (const each of [stop, signal]) {
    if (each?.aborted) interrupt();
    each?.addEventListener("abort", interrupt, { once: true });
  }
  const timer = maxMs === undefined ? undefined : setTimeout(() => stopping.abort("its time is up"), maxMs);
  const end = (reason: string): void => stopping.abort(reason);
  return { stop: stopping.signal, end, [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Chooses the mix and registers the design; `null` if it was interrupted before. The change is not asked. */
async function register(
  study: Study,
  { servers, ...asking }: Asking & { readonly servers: ArmServers },
): Promise<RegisteredCertificate | null> {
  const { path, base, change, aim } = asking;
  const counted = countedFor(study, base.model);
  const calibrated = await calibrate(counted, asking);
  if (calibrated === null) return null;
  const pairing = pairStudy(counted, calibrated, asking);
  const models = await settleArms(asking);
  const samples = await affordablePairs(pairing, { ...asking, models, spent: calibrated.spent });
  const itself = await askAgain(pairing, calibrated.replies, { ...asking, models });
  if (asking.stop.aborted) return null;
  return await registerCertificate(path, {
    ...{ ...aim, samples, flips: Math.max(flipsOfMix(pairing.mix), selfFlips(itself)) },
    base: { ...armOf(base), server: servers.base },
    change: { ...armOf(change), server: servers.change },
    ...{ ...pairing, dropped: calibrated.dropped, itself },
  });
}

/** The options of a session; `stop` also stops it when its time is up. */
type Asking = RunCertificateOptions & { readonly benchmarks: readonly Benchmark[]; readonly stop: AbortSignal };

type Models = Readonly<Record<"base" | "change", OpenedModel>>;

function armOf({ name, model, flags }: CertifiedModel): CertificateArm {
  return { name, model: model.name, ...defined({ flags }) };
}

/** Refuses to resume a certificate with another aim: what was registered decides. */
function checkAim({ design }: RegisteredCertificate, { path, base, change, aim }: RunCertificateOptions): void {
  const asked: Readonly<Record<string, unknown>> = {
    ...{ margin: aim.margin, errorChance: aim.errorChance, method: aim.method },
    ...{ questions: aim.questions, again: aim.again, calibration: aim.calibration, differs: aim.differs },
    ...{ base: armOf(base), change: armOf(change) },
  };
  const shown = (value: unknown): string =>
    JSON.stringify(value, (key, part) => key === "server" ? undefined : part) ?? "none";
  for (const [name, value] of Object.entries(asked)) {
    const [registered, now] = [shown(design[name as keyof CertificateDesign]), shown(value)];
    if (registered === now) continue;
    throw new RangeError(
      `Cannot resume the certificate in "${path}" as its ${name} must be ${registered}, as registered: current value is ${now}; another --name starts a new certificate`,
    );
  }
}

/** Returns the options that all runs of a certificate share. */
function runOptions(
  { path, concurrency, stop, signal, benchmarks, scored }: Asking,
): Pick<RunStudyOptions, "folder" | "benchmarks" | "concurrency" | "stop" | "signal" | "scored"> {
  return { folder: path, benchmarks, ...defined({ concurrency, stop, signal, scored }) };
}

interface Calibrated extends Pick<CertificateDesign, "mix" | "dropped"> {
  readonly replies: readonly ScoredReply[];
  /** The study with every setting that was tried. */
  readonly study: Study;
  /** The cost of its calls, in the currency of the prices. */
  readonly spent: number;
}

/** Asks the base a few samples of each cell, at settings where its scores can move. */
async function calibrate(study: Study, options: Asking): Promise<Calibrated | null> {
  const { base, aim, benchmarks, turns, maxCost, onProgress } = options;
  // A question of its own at each length makes pairs independent.
  const set = { ...aim.questions > 1 && { questions: aim.questions }, fresh: "on" };
  const ladders = buildLadders(study, { benchmarks, turns, set });
  const rule = aim.calibration;
  const all = { ...study, tasks: ladders.flatMap(({ rungs }) => rungs), first: 0, samples: rule.samples };
  const calibrating = { ladders, lengths: [...new Set(study.lengths)].sort((one, other) => one - other), rule };
  const run = await runStudy(all, {
    ...runOptions(options),
    ...{ name: "calibration", model: base.model },
    ...defined({ maxCost }),
    choose: (asked, plan) => nextOfCalibration(asked, plan, calibrating),
    onServer: lookOf(base.name, options),
    onProgress: (progress) => onProgress?.("calibrating the base", progress),
  });
  checkTrouble(base.name, run);
  if (options.stop.aborted) return null;
  const { mix, dropped } = readCalibration(run.replies, run.plan, calibrating);
  if (mix.length === 0) {
    const reasons = dropped.map(({ task, length, reason }) => `${task} at ${length}: ${reason}`).join("; ");
    throw new RangeError(
      `Cannot certify a change as the base must score ${rule.low} to ${rule.high}% in at least one task at a length: current value is none (${reasons}). Try other lengths, --tasks with other knobs, or a wider --between`,
    );
  }
  const spent = maxCost === undefined ? 0 : priceOfRecords(run.records, maxCost.prices);
  const chosen = affordableCells(mix, aim);
  return { mix: chosen.mix, dropped: [...dropped, ...chosen.dropped], replies: run.replies, study: all, spent };
}

function checkTrouble(arm: string, { summary: { trouble } }: StudyRun): void {
  if (trouble !== undefined) throw new CertificatePaused(`${arm}: ${trouble}`);
}

/** Returns what is done with the preflight of a run: a server that is not as it was when the run began is not asked. */
function lookOf(arm: string, { onServer }: Pick<Asking, "onServer">): NonNullable<RunStudyOptions["onServer"]> {
  return (look, [change]) => {
    if (change !== undefined) throw new ServerChanged(`Not enough data on ${arm}: ${change}; ${KEPT}`);
    onServer?.(arm, look);
  };
}

/** Returns both models with the tokens of the base's chat template. */
async function settleArms({ path, base, change }: Asking): Promise<Models> {
  const began = await readManifest(`${path}/calibration`);
  const settle = (model: OpenedModel): OpenedModel => began === undefined ? model : asRunBegan(model, began);
  const settled = settle(base.model);
  const { window: _own, ...rest } = settle(change.model);
  // Prompts that exceed the window of the change are counted as overflows, and its own tokens are only recorded.
  return { base: settled, change: { ...rest, ...defined({ countTokens: settled.countTokens }) } };
}

/** The cells of a certificate, and the study of their samples. */
type Pairing = Pick<CertificateDesign, "study" | "mix" | "firstPair">;

function pairStudy(study: Study, { mix, study: tried }: Calibrated, { aim }: RunCertificateOptions): Pairing {
  const kept = new Set(mix.map(({ task }) => task));
  const firstPair = aim.questions * Math.ceil(aim.calibration.samples / aim.questions);
  const rounds = Math.max(1, Math.floor(aim.samples / (mix.length * aim.questions)));
  return {
    mix,
    firstPair,
    study: {
      ...study,
      tasks: tried.tasks.filter(({ task, name = task }) => kept.has(name)),
      lengths: [...new Set(mix.map(({ length }) => length))],
      first: 0,
      samples: firstPair + rounds * aim.questions,
    },
  };
}

/** Asks the base the samples of its calibration a second time; `null` if none are to be asked twice. */
async function askAgain(
  { study, mix }: Pairing,
  first: readonly ScoredReply[],
  options: Asking & { readonly models: Models },
): Promise<CertificateDesign["itself"]> {
  const { aim, models, onProgress } = options;
  if (aim.again === 0) return null;
  const wanted = mix.flatMap(({ task, length }) =>
    Array.from({ length: aim.calibration.samples }, (_, index) => ({ task, length, index }))
  );
  const run = await runStudy(study, {
    ...runOptions(options),
    ...{ name: "again", model: models.base },
    choose: () => wanted,
    onProgress: (progress) => onProgress?.("base against itself", progress),
  });
  checkTrouble(options.base.name, run);
  const isFirst = ({ record }: ScoredReply): boolean => record.index < aim.calibration.samples;
  return compareItself(first, run.replies.filter(isFirst));
}

/** Whether the base differs from itself by more than the margin, and not by chance; it errs in 1% of stable servers. */
export function isUnstable(
  { difference, low, high, p = low > 0 || high < 0 ? 0 : 1 }: NonNullable<CertificateDesign["itself"]>,
  margin: number,
): boolean {
  return Math.abs(difference) > margin && p <= 0.01;
}

/** The share of scores that flip when the base is asked twice, in percent. */
function selfFlips(itself: CertificateDesign["itself"]): number {
  return itself === null ? 0 : 100 * (itself.better + itself.worse) / itself.pairs;
}

/** Returns the most pairs: those of the aim, or fewer if the limit of the cost does not allow them. */
async function affordablePairs(
  { study, mix }: Pairing,
  { aim, maxCost, spent, models, benchmarks }: Asking & { readonly models: Models; readonly spent: number },
): Promise<number> {
  if (maxCost === undefined) return aim.samples;
  const plan = planStudy(await openStudy({ ...study, samples: 1 }, { benchmarks }), models.base);
  const { rows } = estimateRun(plan, { ...allowanceOf(models.base), prices: maxCost.prices });
  const cells = new Set(mix.map(cellName));
  const round = sum(rows.filter((row) => cells.has(cellName(row))), ({ price }) => (2 + aim.again) * price!);
  const rounds = Math.floor((maxCost.amount - spent) / round);
  if (rounds >= 1) return Math.min(aim.samples, rounds * mix.length);
  throw new RangeError(
    `Cannot certify the change as --max-cost must allow at least one pair of each of ${mix.length} cells, ${
      (spent + round).toPrecision(3)
    }: current value is ${maxCost.amount}`,
  );
}

/** Pairs after which the number of pairs is forecast again. */
const FORECAST_PAIRS = 100;

/**
 * Asks base and change in steps that both end before the next begins.
 *
 * @returns Whether they came to the end of the design; otherwise they were stopped before.
 */
async function askPairs(
  certificate: RegisteredCertificate,
  options: Asking & { readonly models: Models; readonly onReply: (change: string | undefined) => void },
): Promise<boolean> {
  const { models, onState, onNote } = options;
  const { design } = certificate;
  const begun = await readCertificateRuns(options.path, certificate, options);
  const watches = watchArms(design, begun);
  const modelOf = (arm: Arm): OpenedModel => {
    const side = arm === "change" ? "change" : "base";
    const model = models[side];
    const ask: OpenedModel["ask"] = async (...call) => {
      const reply = await model.ask(...call);
      options.onReply(watches[side](reply));
      return reply;
    };
    // The base is asked twice before the design has its hash, and runs of earlier versions have none.
    const begunWith = begun.runs[arm]?.manifest.settings;
    const isUnmarked = arm === "again" || (begunWith !== undefined && begunWith["certificate"] === undefined);
    const mark = isUnmarked ? {} : { certificate: certificateMark(certificate, side) };
    return { ...model, ask, settings: { ...model.settings, ...mark } };
  };
  const opened = await openStudy(design.study, options);
  let [isOver, isForecast] = [false, false];
  const gate = openGate(["base", "again", "change"], (asked) => {
    const { pairs, state, bounds } = judgeArms(design, { base: asked.get("base")!, change: asked.get("change")! });
    onState?.(state);
    // The verdict has to be the same whatever is unknown.
    const isFinal = [state, ...Object.values(bounds ?? {})].every((each) => each.isFinal);
    const isDecided = isFinal || isHopeless(pairs);
    const next = isDecided ? null : nextStep(design, { pairs, concurrency: options.concurrency });
    isOver = next === null;
    if (!isOver && !isForecast && state.pairs >= FORECAST_PAIRS) {
      isForecast = true;
      onNote?.(forecastAgain(design, state));
    }
    return next;
  });
  const ask = async (arm: Arm, name: string): Promise<void> => {
    try {
      checkTrouble(
        name,
        await runStudy(design.study, {
          ...runOptions(options),
          ...{ opened, name: arm, model: modelOf(arm), choose: gate.chooserOf(arm), countsOverflow: arm === "change" },
          onServer: lookOf(name, arm === "again" ? {} : options),
        }),
      );
    } finally {
      gate.leave();
    }
  };
  const { base, change } = design;
  const arms = await Promise.allSettled([ask("base", base.name), ask("again", base.name), ask("change", change.name)]);
  if (isOver || options.stop.aborted) return isOver;
  const failed = arms.find((arm) => arm.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return true;
}
