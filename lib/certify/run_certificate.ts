import { askPairs } from "./ask_pairs.ts";
import { calibrate, type Calibrated, flipsOfMix } from "./calibrate.ts";
import {
  cellName,
  type CertificateArm,
  type CertificateDesign,
  readCertificate,
  registerCertificate,
  type RegisteredCertificate,
} from "./design.ts";
import { expectations } from "./expected_pairs.ts";
import { compareItself, isUnstable, selfFlips } from "./itself.ts";
import { certificateMark, checkCertificateRuns, readCertificateRuns, reuseBase } from "./recorded_runs.ts";
import { type ArmServers, findServers, noteServerChanges, serverChanges, serverDifferences } from "./servers.ts";
import {
  type Asking,
  askRun,
  type CertificateSession,
  type CertifiedModel,
  KEPT,
  limitTime,
  type Models,
  NotEnoughData,
  type RunCertificateOptions,
} from "./session.ts";
import { defined, sum } from "@/lib/base/mod.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import {
  allowanceOf,
  countedFor,
  describeRun,
  estimateRun,
  type OpenedModel,
  openStudy,
  planStudy,
  readManifest,
  type RunHeader,
  type Study,
} from "@/lib/studies/mod.ts";
import { differingSettings, type ScoredReply } from "@/lib/records/mod.ts";
import { asRunBegan } from "@/lib/asking/mod.ts";

/**
 * Certifies a change: calibrates the mix on the base, asks the base against itself, registers the design, and asks base and change
 * the same samples until the verdict is decided. The same call resumes the certificate at any point.
 *
 * @throws {RangeError} If the certificate was begun with another aim, base and change are asked differently, or no cell can be kept.
 * @throws {SyntaxError} If its design or its records were changed since they were written.
 * @throws {CertificatePaused} If a server cannot be asked any more, or is another than before; the replies so far are recorded.
 */
export async function runCertificate(study: Study, given: RunCertificateOptions): Promise<CertificateSession> {
  const options = { ...given, measure: study.measure };
  const { path, base, change, aim, onNote } = options;
  using limit = limitTime(options);
  const asking = { ...options, stop: limit.stop, benchmarks: options.benchmarks ?? BENCHMARKS };
  const before = await readCertificate(path);
  const reused = before !== undefined || given.reuse === undefined ? undefined : await reuseBase(given.reuse, path);
  const earlier = await readCertificateRuns(path, before, options);
  checkCertificateRuns(path, earlier);
  if (earlier.recorded.count > 0) options.onEarlier?.(earlier.recorded);
  const servers = await findServers(options);
  const [changed] = serverChanges(path, { arms: options, earlier, before: before?.design ?? reused?.design, servers });
  if (changed !== undefined) throw new NotEnoughData(`Not enough data: ${changed}; ${KEPT}`);
  if (before !== undefined) checkAim(before, study, options);
  const asked = await openStudy(before?.design.study ?? countedFor(study, base.model), asking);
  checkSettings(describeRun(asked, base.model), describeRun(asked, change.model), aim.differs);
  const certificate = before ??
    await register(study, { ...asking, servers, ...defined({ reused: reused && certificateMark(reused, "base") }) });
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

/** Refuses to resume a certificate with another aim: what was registered decides. */
function checkAim(
  { design }: RegisteredCertificate,
  { measure }: Study,
  { path, base, change, aim }: RunCertificateOptions,
): void {
  const { samples: _most, ...chosen } = aim;
  const asked = { ...chosen, base: armOf(base), change: armOf(change), measure };
  const registered = { ...design, measure: design.study.measure };
  const shown = (value: unknown): string =>
    JSON.stringify(value, (key, part) => key === "server" ? undefined : part) ?? "none";
  for (const [name, value] of Object.entries(asked)) {
    const [before, now] = [shown(registered[name as keyof typeof asked]), shown(value)];
    if (before === now) continue;
    throw new RangeError(
      `Cannot resume the certificate in "${path}" as its ${name} must be ${before}, as registered: current value is ${now}; another --name starts a new certificate`,
    );
  }
}

/** Settings that differ by themselves: the name and the address of the model, and the profile of a simulated reader. */
const OWN_SETTINGS: readonly string[] = ["model", "setting baseUrl", "setting profile"];

/**
 * Refuses a change that is asked with other settings than the base, such as another thinking budget, unless they are the change.
 *
 * @param differs Names of settings that may differ, such as `temperature`.
 */
function checkSettings(base: RunHeader, change: RunHeader, differs: readonly string[]): void {
  const found = differingSettings(base, change).filter(({ name }) =>
    !OWN_SETTINGS.includes(name) && !differs.some((allowed) => name === allowed || name.endsWith(` ${allowed}`))
  );
  const [first] = found;
  if (first === undefined) return;
  throw new RangeError(
    `Cannot compare base and change as they must be asked with the same settings, unless --differs names ${
      found.map(({ name }) => name.replace(/^\w+ /, "")).join(", ")
    } as the change: current value of ${first.name} is ${first.before} and ${first.now}`,
  );
}

/** Chooses the mix and registers the design; `null` if it was interrupted before. The change is not asked. */
async function register(
  study: Study,
  { servers, reused, ...asking }: Asking & { readonly servers: ArmServers; readonly reused?: string },
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
    ...aim,
    samples,
    flips: Math.max(flipsOfMix(pairing.mix), selfFlips(itself)),
    base: { ...armOf(base), server: servers.base },
    change: { ...armOf(change), server: servers.change },
    ...pairing,
    dropped: calibrated.dropped,
    itself,
    ...defined({ reused }),
  });
}

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
  const run = await askRun(study, options, options.base.name, {
    name: "again",
    model: models.base,
    choose: () => wanted,
    onProgress: (progress) => onProgress?.("base against itself", progress),
  });
  const isFirst = ({ record }: ScoredReply): boolean => record.index < aim.calibration.samples;
  return compareItself(first, run.replies.filter(isFirst));
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

function armOf({ name, model, flags }: CertifiedModel): CertificateArm {
  return { name, model: model.name, ...defined({ flags }) };
}

async function settleArms({ path, base, change }: Asking): Promise<Models> {
  const began = await readManifest(`${path}/calibration`);
  const settle = (model: OpenedModel): OpenedModel => began === undefined ? model : asRunBegan(model, began);
  const settled = settle(base.model);
  const { window: _own, ...rest } = settle(change.model);
  // Prompts that exceed the window of the change are counted as overflows, and its own tokens are only recorded.
  return { base: settled, change: { ...rest, ...defined({ countTokens: settled.countTokens }) } };
}
