import type { CertificateState } from "./decision.ts";
import type { CertificateArm, CertificateDesign, RegisteredCertificate } from "./design.ts";
import type { CertificateRuns } from "./recorded_runs.ts";
import { defined } from "@/lib/base/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import type { OpenedModel, Prices, RunProgress, Study } from "@/lib/studies/mod.ts";
import type { ScoringOptions } from "@/lib/records/mod.ts";
import { type Preflight, runStudy, type RunStudyOptions, type StudyRun } from "@/lib/asking/mod.ts";

/** The parts of a design that its user chooses. */
export type CertificateAim = Pick<
  CertificateDesign,
  "margin" | "errorChance" | "method" | "samples" | "differs" | "questions" | "again" | "calibration"
>;

/** Options for {@linkcode runCertificate}. */
export interface RunCertificateOptions extends ScoringOptions, Pick<RunStudyOptions, "stop" | "signal"> {
  /** The folder of the certificate; the same folder resumes it. */
  readonly path: string;
  /** Called first, with the replies of earlier sessions, which are not asked again. */
  readonly onEarlier?: (recorded: CertificateRuns["recorded"]) => void;
  /** The folder of a certificate whose replies of the base are reused: {@linkcode reuseBase}. */
  readonly reuse?: string;
  /** The two servers, with the user's names for them. */
  readonly base: CertifiedModel;
  readonly change: CertifiedModel;
  readonly aim: CertificateAim;
  /** Whether knobs are turned where the base is at the ceiling or the floor. */
  readonly turns: boolean;
  readonly concurrency?: number;
  /** The most that all calls may cost together, with the prices of a million tokens. */
  readonly maxCost?: { readonly amount: number; readonly prices: Prices };
  /** The most time of this session, in milliseconds; the same command goes on where it ended. */
  readonly maxMs?: number;
  readonly onServer?: (arm: string, look: Preflight) => void;
  readonly onNote?: (line: string) => void;
  readonly onProgress?: (stage: string, progress: RunProgress) => void;
  readonly onState?: (state: CertificateState) => void;
}

/** A server of a certificate, with the user's name for it and its flags. */
export interface CertifiedModel extends Pick<CertificateArm, "name" | "flags"> {
  readonly model: OpenedModel;
  readonly window?: number;
}

/** How a session of a certificate ended. */
export interface CertificateSession {
  /** `null` if the session ended before the design was registered. */
  readonly certificate: RegisteredCertificate | null;
  /** Why it ended without a verdict, such as an interruption; `null` if it came to its end. */
  readonly stopped: string | null;
  readonly hasAsked: boolean;
}

/** A server of a certificate cannot be asked any more; the replies so far are kept. */
export class CertificatePaused extends Error {}

/** A session ended without a verdict: it was stopped, or a server is not the one that was asked before. */
export class NotEnoughData extends CertificatePaused {}

/** What follows for a user whose server changed. */
export const KEPT = "the replies are kept, and a command without --name asks the servers that run now";

/** The options of a session; `stop` also stops it when its time is up. */
export type Asking = RunCertificateOptions & { readonly benchmarks: readonly Benchmark[]; readonly stop: AbortSignal };

/** Base and change with the tokens of the base's chat template. */
export type Models = Readonly<Record<"base" | "change", OpenedModel>>;

/** Stops a session at an interruption or when its time is up; the reason of its signal is which. */
export function limitTime(
  { stop, signal, maxMs }: Pick<RunCertificateOptions, "stop" | "signal" | "maxMs">,
): Disposable & { readonly stop: AbortSignal; readonly end: (reason: string) => void } {
  const stopping = new AbortController();
  const interrupt = (): void => stopping.abort("it was interrupted");
  for (const each of [stop, signal]) {
    if (each?.aborted) interrupt();
    each?.addEventListener("abort", interrupt, { once: true });
  }
  const timer = maxMs === undefined ? undefined : setTimeout(() => stopping.abort("its time is up"), maxMs);
  return {
    stop: stopping.signal,
    end: (reason) => stopping.abort(reason),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

const SHARED = ["path", "concurrency", "stop", "signal", "benchmarks", "scored", "measure"] as const;

/** Asks a run of a certificate; throws a {@linkcode CertificatePaused} if its server ended it. */
export async function askRun(
  study: Study,
  { path, concurrency, stop, signal, benchmarks, scored, measure }: Pick<Asking, typeof SHARED[number]>,
  arm: string,
  options: RunStudyOptions,
): Promise<StudyRun> {
  const shared = { folder: path, benchmarks, ...defined({ concurrency, stop, signal, scored, measure }) };
  const run = await runStudy(study, { ...shared, ...options });
  const { trouble } = run.summary;
  if (trouble !== undefined) throw new CertificatePaused(`${arm}: ${trouble}`);
  return run;
}

/** Returns what is done with the preflight of a run: a server that is not as it was when the run began is not asked. */
export function lookOf(arm: string, { onServer }: Pick<Asking, "onServer">): NonNullable<RunStudyOptions["onServer"]> {
  return (look, [change]) => {
    if (change !== undefined) throw new NotEnoughData(`Not enough data on ${arm}: ${change}; ${KEPT}`);
    onServer?.(arm, look);
  };
}
