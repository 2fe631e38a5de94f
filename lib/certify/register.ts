import { armOf, settleArms } from "./arms.ts";
import { calibrate, type Calibrated, flipsOfMix } from "./calibrate.ts";
import { cellName, type CertificateDesign, registerCertificate, type RegisteredCertificate } from "./design.ts";
import { compareItself, selfFlips } from "./itself.ts";
import type { ArmServers } from "./servers.ts";
import { type Asking, checkTrouble, type Models, type RunCertificateOptions, runOptions } from "./session.ts";
import { sum } from "@/lib/base/mod.ts";
import { allowanceOf, countedFor, estimateRun, openStudy, planStudy, type Study } from "@/lib/studies/mod.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";

/** Chooses the mix and registers the design; `null` if it was interrupted before. The change is not asked. */
export async function register(
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
    ...aim,
    samples,
    flips: Math.max(flipsOfMix(pairing.mix), selfFlips(itself)),
    base: { ...armOf(base), server: servers.base },
    change: { ...armOf(change), server: servers.change },
    ...pairing,
    dropped: calibrated.dropped,
    itself,
  });
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
    name: "again",
    model: models.base,
    choose: () => wanted,
    onProgress: (progress) => onProgress?.("base against itself", progress),
  });
  checkTrouble(options.base.name, run);
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
