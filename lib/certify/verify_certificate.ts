import { readFile } from "node:fs/promises";
import { type CertificateDesign, readCertificate } from "./design.ts";
import { recordedCertificate } from "./judge.ts";
import { readCertificateRuns } from "./recorded_runs.ts";
import { escapeHtml, plural } from "@/lib/base/mod.ts";
import { rightAnswers } from "@/lib/benchmarks/mod.ts";
import { openStudy, type Plan, planStudy } from "@/lib/studies/mod.ts";
import type { RunCheck, RunRecord, ScoringOptions } from "@/lib/records/mod.ts";

/** What a check of a certificate found. */
export interface CertificateCheck extends Omit<RunCheck, "answered"> {
  /** What was computed again and is the same, a line each. */
  readonly checked: readonly string[];
  /** What no file can show, a line each. */
  readonly unchecked: readonly string[];
  readonly verdict?: string;
  readonly headline?: string;
}

/** What a certificate cannot prove to somebody who does not trust its author. */
const UNPROVEN = [
  "that the replies and log-probabilities are those of the named models: a server can name any model, and records can be written by hand",
  "that the design was registered before the change was asked: compare its SHA-256 with the log of the job that printed it",
  "that both servers ran under the same load, with the flags that the certificate names",
] as const;

/**
 * Checks a certificate from its files alone: its design and runs are those that were recorded, its samples are made again from their
 * recipe, and all numbers follow from the replies.
 */
export async function verifyCertificate(path: string, options: ScoringOptions = {}): Promise<CertificateCheck> {
  const found = { run: path, checked: [], unchecked: UNPROVEN, notes: [] };
  const certificate = await readCertificate(path).catch((error) => {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  });
  if (typeof certificate === "string") return { ...found, records: 0, faults: [certificate] };
  const { runs, faults, notes, recorded: { count } } = await readCertificateRuns(path, certificate, options);
  const counted = { ...found, records: count, notes };
  if (faults.length > 0) return { ...counted, faults };
  const records = Object.values(runs).flatMap((run) => run.records);
  const template = runs.calibration?.manifest.template;
  const again = template === undefined
    ? "the run of its calibration is missing"
    : await compareSamples(records, { study: certificate?.design.study, template }, options);
  if (typeof again !== "string" && again.faults.length > 0) return { ...counted, faults: again.faults };
  const { verdict, headline, state } = await recordedCertificate(path, options);
  const isAgain = typeof again !== "string";
  const written = await changedFiles(path, headline);
  return {
    ...counted,
    faults: [],
    notes: [...notes, ...written],
    checked: [
      `design: SHA-256 ${certificate?.sha256}`,
      "runs: each reply was asked for this design, at its servers, and has the type and the hash that was recorded",
      ...isAgain ? [`samples: ${again.made} texts made again have the same SHA-256, and the same right answers`] : [],
      `numbers: scores, intervals and verdict of ${state.pairs} ${plural(state.pairs, "pair")} follow from the replies`,
    ],
    unchecked: isAgain ? UNPROVEN : [`that the samples are those of the study: ${again}`, ...UNPROVEN],
    verdict,
    headline,
  };
}

/** Makes the samples of a study again and lists those that differ; returns why they cannot be made, such as a missing file. */
async function compareSamples(
  records: readonly RunRecord[],
  { study, template }: Pick<Plan, "template"> & { readonly study: CertificateDesign["study"] | undefined },
  { benchmarks }: ScoringOptions,
): Promise<{ readonly made: number; readonly faults: readonly string[] } | string> {
  let plan: Plan;
  try {
    plan = planStudy(await openStudy(study!, { benchmarks }), { template });
  } catch (error) {
    return (error as Error).message;
  }
  const tasks = new Map(plan.cells.map(({ task }) => [task.name, task]));
  // Settings that the calibration tried and left are no part of the study.
  const own = records.filter((record) => tasks.has(record.task));
  const differing = own.filter((record) => {
    const { task: name, length, nominal = length, index, sha256, likelihood } = record;
    const task = tasks.get(name)!;
    const sample = task.sample({ length: nominal, index, seed: plan.seed, template, materials: plan.materials });
    const answers = rightAnswers(sample, task.scorer);
    const isOther = likelihood?.kind === "likelihood" && likelihood.way !== "reply tokens" &&
      likelihood.answers.some(({ text }, at) => text.trimStart() !== answers[at]?.text.trimStart());
    return sample.sha256 !== sha256 || isOther;
  });
  const faults = differing.slice(0, 3)
    .map(({ sample }) => `the text or the right answer of "${sample}" is another one when made again`);
  return { made: own.length, faults };
}

/** Names the written results that have another headline. */
async function changedFiles(path: string, headline: string): Promise<readonly string[]> {
  const junit = await readFile(`${path}/junit.xml`, "utf8").catch(() => undefined);
  const isOld = junit !== undefined && !junit.includes(escapeHtml(headline));
  return isOld ? ["its junit.xml has another result, of fewer replies, another version or an edit"] : [];
}
