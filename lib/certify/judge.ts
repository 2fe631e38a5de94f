import { type CertificatePair, type CertificateState, certifyPairs } from "./decision.ts";
import { cellName, type CertificateDesign, type MixCell, readCertificate, ruleOf } from "./design.ts";
import { compareItself, isUnstable, selfFlips, steadyAdvice, type SteadyFacts, steadyFacts } from "./itself.ts";
import { certificatePairs, judgeArms, type JudgedBy, replyScores } from "./pairs.ts";
import { checkCertificateRuns, readCertificateRuns } from "./recorded_runs.ts";
import { defined, percent, plural, shownTexts, sum } from "@/lib/base/mod.ts";
import { type Origin, scoreOf } from "@/lib/statistics/mod.ts";
import {
  answeredSamples,
  cachedShare,
  isTruncated,
  runCost,
  type ScoredReply,
  type ScoredRun,
  type ScoringOptions,
} from "@/lib/records/mod.ts";
import { askedSample } from "@/lib/asking/mod.ts";
import type { Study } from "@/lib/studies/mod.ts";

/** The verdict on a change; `unstable` if the base differs from itself by more than the margin. */
export type CertificateVerdict = CertificateState["verdict"] | "unstable";

/** A server of a certificate and its replies. */
export interface ArmFacts
  extends
    Readonly<Record<"name" | "model", string>>,
    Readonly<Record<"software" | "flags" | "address", string | null>>,
    Readonly<Record<"asked" | "failed" | "promptTokens" | "cachedShare", number>> {
  /** Failed calls whose prompt exceeded the window. */
  readonly overflowed: number;
  /** Replies that the output budget ended before an answer was complete. */
  readonly truncated: number;
  /** The time with at least one call in flight. */
  readonly seconds: number;
}

/** A task at a length as base and change answered it, with the difference in points. */
export interface CertifiedCell
  extends
    Pick<MixCell, "task" | "length">,
    Readonly<Record<"pairs" | "base" | "change" | "difference" | "better" | "worse", number>> {}

/** A certificate: the verdict with everything that it rests on. */
export interface Certificate {
  readonly verdict: CertificateVerdict;
  /** The verdict with its numbers, as a sentence without its full stop. */
  readonly headline: string;
  readonly state: CertificateState;
  /** What the verdict follows from. */
  readonly design:
    & JudgedBy
    & Pick<CertificateDesign, "base" | "change" | "itself" | "dropped">
    & Pick<Study, "measure">;
  /** The same pairs by the scores of their replies, where another measure decides; it has no part in the verdict. */
  readonly byScore: Pick<CertificateState, "difference" | "low" | "high" | "better" | "worse"> | null;
  readonly base: ArmFacts;
  readonly change: ArmFacts;
  readonly itself: CertificateDesign["itself"];
  readonly cells: readonly CertifiedCell[];
  /** The verdicts if everything unknown counted for the change, or for the base; `null` if nothing is unknown. */
  readonly bounds: Readonly<Record<"forChange" | "forBase", CertificateState["verdict"]>> | null;
  readonly notes: readonly string[];
  /** The replies that were not asked in this session, as a sentence without its full stop; only from a command that resumed it. */
  readonly earlier?: string;
  readonly origin: Origin;
  /** When the design was registered, in ISO 8601, and its hash; `null` for recorded runs, whose design follows the replies. */
  readonly registered: { readonly time: string; readonly sha256: string } | null;
  /** SHA-256 of the ids and texts of the samples that both answered. */
  readonly samples: { readonly count: number; readonly sha256: string };
}

/** What a verdict follows from. */
export type JudgedDesign = Certificate["design"];

/**
 * Judges the runs of a certificate.
 *
 * Replies that the output budget cut count as they stand. If the verdict would be another with everything unknown counted for the
 * base, or for the change ({@linkcode judgeArms}), there is not enough data for it.
 */
export function judgeCertificate(
  design: JudgedDesign,
  runs: {
    readonly base: ScoredRun;
    readonly change: ScoredRun;
    /** The base's first and second replies to the same samples. */
    readonly twice?: { readonly first: readonly ScoredReply[]; readonly second: readonly ScoredReply[] };
  },
  registered: Certificate["registered"] = null,
): Certificate {
  const { base, change, twice } = runs;
  const compared = (replies: readonly ScoredReply[]): readonly ScoredReply[] =>
    replies.filter(({ record }) => record.index >= design.firstPair);
  const [before, after] = [compared(base.replies), compared(change.replies)];
  const scores = { base: before.map(askedSample), change: after.map(askedSample) };
  const { pairs, state, verdict: safe, bounds: states } = judgeArms(design, scores);
  const bounds = states && { forChange: states.forChange.verdict, forBase: states.forBase.verdict };
  const itself = twice === undefined ? design.itself : compareItself(twice.first, twice.second) ?? design.itself;
  const verdict = itself !== null && isUnstable(itself, design.margin) ? "unstable" : safe;
  const arms = { base: armFacts(design.base, base, before), change: armFacts(design.change, change, after) };
  const steady = steadyFacts(twice?.second ?? before, arms.base, base.manifest.settings["temperature"]);
  const common = new Set(before.flatMap(({ record: { sha256, reply } }) => reply.kind === "answer" ? [sha256] : []));
  const origins = [base, change].map(({ manifest }) => manifest.origin);
  const byScore = design.measure === undefined ? null : compareReplies(design, { before, after });
  return {
    verdict,
    state,
    design,
    ...arms,
    itself,
    bounds,
    registered,
    headline: headlineOf(verdict, state, { design, itself, bounds }),
    byScore,
    cells: cellsOf(design, pairs),
    notes: notesOf({ ...arms, itself, bounds, state }, { replies: [...before, ...after], steady }),
    origin: origins.find((origin) => origin !== "measured") ?? "measured",
    samples: answeredSamples(after.map(({ record }) => record).filter(({ sha256 }) => common.has(sha256))),
  };
}

/** Compares the scores of the replies themselves, without the forecast of the measure that decides. */
function compareReplies(
  { flips: _ofMeasure, ...design }: JudgedDesign,
  { before, after }: Readonly<Record<"before" | "after", readonly ScoredReply[]>>,
): CertificateState {
  const pairs = certificatePairs(design, { base: replyScores(before), change: replyScores(after) });
  return certifyPairs(pairs, ruleOf(design));
}

function armFacts(
  { name, model, flags: given }: CertificateDesign["base"],
  { manifest }: ScoredRun,
  replies: readonly ScoredReply[],
): ArmFacts {
  const cost = runCost(replies.map(({ record }) => record));
  const { server, measured, settings: { baseUrl } } = manifest;
  return {
    name,
    model,
    flags: given ?? measured?.server.flags ?? null,
    software: server?.software ?? (measured && `${measured.server.name} ${measured.server.version}`) ?? null,
    address: typeof baseUrl === "string" ? baseUrl : null,
    asked: replies.length,
    failed: cost.failed,
    overflowed: replies.filter(({ refused = false }) => refused).length,
    truncated: replies.filter(isTruncated).length,
    promptTokens: cost.promptTokens,
    cachedShare: cachedShare(cost) ?? 0,
    seconds: cost.seconds,
  };
}

function cellsOf({ mix }: JudgedDesign, pairs: readonly CertificatePair[]): readonly CertifiedCell[] {
  const scored = pairs.filter(({ base, change }) => base !== null && change !== null);
  const byCell = Map.groupBy(scored, ({ cell }) => cell);
  return mix.map(({ task, length }) => {
    const ofCell = byCell.get(cellName({ task, length })) ?? [];
    const meanOf = (arm: "base" | "change"): number => 100 * sum(ofCell, (pair) => pair[arm]!) / ofCell.length;
    const [base, change] = [meanOf("base"), meanOf("change")];
    const flips = (way: "better" | "worse"): number => sum(ofCell, (pair) => pair.flips?.[way] ?? 0);
    const counts = { better: flips("better"), worse: flips("worse") };
    return { task, length, pairs: ofCell.length, base, change, difference: change - base, ...counts };
  });
}

/** Formats points with a sign, one decimal. */
export function signedPoints(points: number): string {
  const text = points.toFixed(1);
  if (/^-?0\.0$/.test(text)) return "0.0";
  return points > 0 ? `+${text}` : text.replace("-", "−");
}

/** Formats a difference in points with its interval, such as `−0.4 points [−1.6, +0.9]`. */
export function differenceText(state: Pick<CertificateState, "difference" | "low" | "high">): string {
  const { difference, low, high } = state;
  return `${signedPoints(difference)} points [${signedPoints(low)}, ${signedPoints(high)}]`;
}

function headlineOf(
  verdict: CertificateVerdict,
  { difference, low, high, pairs, rounds }: CertificateState,
  { design, itself, bounds }: Pick<Certificate, "design" | "itself" | "bounds">,
): string {
  const { base, change, margin, measure } = design;
  const unit = plural(margin, "point");
  const points = measure === undefined ? unit : `${unit} of the probability of the right answer`;
  const numbers = `${differenceText({ difference, low, high })} on ${pairs} ${plural(pairs, "pair")}`;
  if (verdict === "unstable") {
    const own = differenceText(itself!);
    return `${base.name} is not stable enough: asked twice, it differs from itself by ${own}, and the margin is ${margin}`;
  }
  const losses: Readonly<Partial<Record<CertificateVerdict, string>>> = {
    "no worse": `loses less than ${margin} ${points} against ${base.name}`,
    worse: `loses more than ${margin} ${points} against ${base.name}`,
    loss: `loses against ${base.name}, not shown to be more than ${margin} ${points}`,
  };
  const loss = losses[verdict];
  if (loss !== undefined) return `${change.name} ${loss}: ${numbers}`;
  if (rounds === 0) {
    return `Not enough data: no round of all cells has scores from both ${base.name} and ${change.name}`;
  }
  const why = bounds !== null && (bounds.forChange !== bounds.forBase)
    ? `, as missing replies and those of ${base.name} that the output budget cut could change the verdict (${bounds.forChange} if they counted for ${change.name}, ${bounds.forBase} if for ${base.name})`
    : "";
  return `Not enough data on ${change.name} against ${base.name}${why}: ${numbers}`;
}

function notesOf(
  { base, change, itself, bounds, state }: Pick<Certificate, "base" | "change" | "itself" | "bounds" | "state">,
  { replies, steady }: { readonly replies: readonly ScoredReply[]; readonly steady: SteadyFacts },
): readonly string[] {
  const notes = [base, change].filter(({ failed, truncated }) => failed + truncated > 0).map((arm) =>
    `${arm.name}: ${arm.failed} of ${arm.asked} calls failed, ${arm.overflowed} of them as the prompt exceeds the window; ${arm.truncated} of ${arm.asked} replies were cut by the output budget and count as they are`
  );
  const missing = replies.filter((reply) => scoreOf(reply) === null).length;
  if (bounds !== null && missing > 0 && state.verdict !== "not enough data") {
    const isSafe = Object.values(bounds).every((verdict) => verdict === state.verdict);
    const stands = isSafe ? "stands whatever they are" : "could change with what is unknown";
    notes.push(`${percent(missing / replies.length, 1)} of the scores are missing; "${state.verdict}" ${stands}`);
  }
  const flips = selfFlips(itself) / 100;
  if (flips > 0.02) {
    const advice = steadyAdvice(steady);
    notes.push(`${base.name} scores ${percent(flips)} of samples differently when asked twice: ${advice}`);
  }
  return notes;
}

/** Reads a certificate back from its folder and judges it again; throws a RangeError if it has none. */
export async function recordedCertificate(path: string, options: ScoringOptions = {}): Promise<Certificate> {
  const certificate = await readCertificate(path);
  if (certificate === undefined) {
    throw new RangeError(
      `Cannot read the certificate as its folder must hold certificate.json, which is written once the base is calibrated: current value is "${path}"`,
    );
  }
  const { registered: time, sha256 } = certificate;
  const { measure } = certificate.design.study;
  const design = { ...certificate.design, ...defined({ measure }) };
  const found = await readCertificateRuns(path, certificate, { ...options, measure });
  checkCertificateRuns(path, found);
  const { runs: { calibration, base, again, change }, changes, notes } = found;
  if (calibration === undefined) {
    throw new RangeError(`Cannot read the certificate as a run of its calibration must be in "${path}": there is none`);
  }
  const none = { ...calibration, replies: [] };
  const runs = { base: base ?? none, change: change ?? none };
  const twice = again && { first: [...calibration.replies, ...runs.base.replies], second: again.replies };
  const judged = judgeCertificate(design, { ...runs, ...defined({ twice }) }, { time, sha256 });
  return endVerdict({ ...judged, notes: [...notes, ...judged.notes] }, changes);
}

/** Ends the verdict of a certificate whose servers changed half-way, and makes the texts of servers and files inert. */
export function endVerdict(judged: Certificate, changes: readonly string[]): Certificate {
  if (changes.length === 0) return shownTexts(judged);
  const { base, change, notes } = judged;
  const headline = `Not enough data on ${change.name} against ${base.name}, as ${changes[0]}`;
  return shownTexts({ ...judged, verdict: "not enough data", headline, notes: [...changes, ...notes] });
}
