import { armOf, settleArms } from "./arms.ts";
import { askPairs } from "./ask_pairs.ts";
import { type CertificateDesign, readCertificate, type RegisteredCertificate } from "./design.ts";
import { expectations } from "./forecast.ts";
import { isUnstable } from "./itself.ts";
import { checkCertificateRuns, readCertificateRuns } from "./recorded_runs.ts";
import { register } from "./register.ts";
import { findServers, noteServerChanges, serverChanges, serverDifferences } from "./servers.ts";
import { type CertificateSession, KEPT, limitTime, NotEnoughData, type RunCertificateOptions } from "./session.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { checkSettings } from "@/lib/records/mod.ts";
import { countedFor, describeRun, openStudy, type Study } from "@/lib/studies/mod.ts";

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
  if (changed !== undefined) throw new NotEnoughData(`Not enough data: ${changed}; ${KEPT}`);
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

/** Refuses to resume a certificate with another aim: what was registered decides. */
function checkAim({ design }: RegisteredCertificate, { path, base, change, aim }: RunCertificateOptions): void {
  const asked: Readonly<Record<string, unknown>> = {
    margin: aim.margin,
    errorChance: aim.errorChance,
    method: aim.method,
    questions: aim.questions,
    again: aim.again,
    calibration: aim.calibration,
    differs: aim.differs,
    base: armOf(base),
    change: armOf(change),
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
