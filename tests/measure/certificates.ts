import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeWhole } from "@/lib/base/mod.ts";
import { type MeasurePlan, TEXT, WEIGHTS } from "./measure_plan.ts";
import { packRecords } from "./pack_runs.ts";
import { type Certificate, recordedCertificate, type RunCertificateOptions } from "@/lib/certify/mod.ts";
import { runCertificate } from "@/lib/certify/run_certificate.ts";
import { MEASURED_FOLDER } from "@/lib/records/run_folders.ts";
import { answeredSamples, readRun } from "@/lib/records/mod.ts";
import { closedObject, readAs, readYaml } from "@/lib/studies/files.ts";
import { type MeasuredWith, openModel, readStudyFile, v, wholeNumber } from "@/lib/studies/mod.ts";

/** A server of a certificate: its flags and the weights that it loads. */
export interface CertifiedServer extends Pick<MeasuredWith, "weights"> {
  /** The user's name for it, such as `f16`. */
  readonly name: string;
  readonly baseUrl: string;
  readonly flags: string;
  /** What the server calls the model. */
  readonly model: string;
}

/** A certificate that comes with Fathom. */
export interface PlannedCertificate {
  readonly name: string;
  /** The base in the plan; certificates of the same base share its calibration. */
  readonly group: string;
  readonly base: CertifiedServer;
  readonly change: CertifiedServer;
  /** The software of both servers. */
  readonly server: Omit<MeasuredWith["server"], "flags">;
  /** The entry of the models file that both are asked by. */
  readonly entry: string;
  readonly modelsFile: string;
  /** The path of the study whose tasks the mix is chosen from. */
  readonly study: string;
  readonly margin: number;
  /** The most pairs, or the number of them with `fixed`. */
  readonly samples: number;
  readonly method: "betting" | "fixed";
  /** Questions of each context. */
  readonly questions: number;
  readonly calibration: number;
}

/** The certificates that come with Fathom. */
export const CERTIFICATES_FILE: string = join(MEASURED_FOLDER, "certificates.yaml");

const PLAN = closedObject({
  margin: v.pipe(v.number(), v.minValue(0.01), v.maxValue(99)),
  samples: wholeNumber(1),
  calibration: wholeNumber(2),
  address: TEXT,
  bases: v.record(
    v.string(),
    closedObject({
      ...{ name: TEXT, model: TEXT, weights: TEXT, flags: TEXT, study: TEXT },
      ...{ questions: v.optional(wholeNumber(1)), fixed: v.optional(wholeNumber(1)) },
    }),
    "bases by name",
  ),
  certificates: v.record(
    v.string(),
    closedObject({ base: TEXT, change: TEXT, flags: TEXT, weights: v.optional(WEIGHTS) }),
    "certificates by name",
  ),
});

/**
 * Reads the certificates to make.
 *
 * @param plan The weights of the models.
 * @throws {TypeError} If a key is unknown or has another value, or a base or its weights are not there.
 */
export async function readCertificatePlan(
  plan: Pick<MeasurePlan, "models" | "modelsFile">,
  path: string = CERTIFICATES_FILE,
): Promise<readonly PlannedCertificate[]> {
  const file = await readYaml(path, { what: "the certificates", wanted: "they must be in a YAML file" });
  const { bases, certificates, address, ...design } = readAs(PLAN, file, { what: `the certificates in "${path}"` });
  return await Promise.all(
    Object.entries(certificates).map(async ([name, { base: group, change, flags, weights }]) => {
      const base = bases[group];
      const measured = plan.models[base?.weights ?? ""];
      if (base === undefined || measured === undefined) {
        throw new TypeError(
          `Cannot read the certificates in "${path}" as the base of ${name} must have a model of measure.yaml: current value is "${group}"`,
        );
      }
      const { weights: loaded, server: { name: software, version } } = measured;
      const { settings } = await openModel({ model: base.model, models: plan.modelsFile });
      const model = String(settings["model"]);
      return {
        ...{ ...design, name, group, entry: base.model, modelsFile: plan.modelsFile },
        samples: base.fixed ?? design.samples,
        method: base.fixed === undefined ? "betting" as const : "fixed" as const,
        questions: base.questions ?? 1,
        server: { name: software, version },
        base: { name: base.name, flags: base.flags, weights: loaded, baseUrl: String(settings["baseUrl"]), model },
        change: { name: change, flags, weights: weights ?? loaded, baseUrl: address, model },
        study: join(dirname(path), base.study),
      };
    }),
  );
}

/** Options for {@linkcode makeCertificate}. */
export interface MakeCertificateOptions extends Pick<RunCertificateOptions, "stop" | "signal" | "onNote"> {
  /** The folder of the certificates that are being made. */
  readonly folder: string;
  /** Earlier certificates of the same base, whose calibration is taken. */
  readonly siblings: readonly string[];
}

/**
 * Makes a certificate, or the rest of one that was interrupted.
 *
 * @returns `null` if it was interrupted.
 */
export async function makeCertificate(
  { name, base, change, entry, modelsFile, ...planned }: PlannedCertificate,
  { folder, siblings, ...options }: MakeCertificateOptions,
): Promise<Certificate | null> {
  const path = `${folder}/${name}`;
  const { margin, samples, calibration, method, questions } = planned;
  await shareCalibration(path, { siblings: siblings.map((sibling) => `${folder}/${sibling}`), calibration });
  const open = async ({ name, baseUrl }: CertifiedServer): Promise<RunCertificateOptions["base"]> => ({
    name,
    model: await openModel({ model: entry, models: modelsFile, baseUrl }),
  });
  const { stopped } = await runCertificate(await readStudyFile(planned.study, {}), {
    onServer: (_arm, { warnings }) => warnings.forEach((warning) => options.onNote?.(warning)),
    ...{ ...options, path, base: await open(base), change: await open(change), turns: false, concurrency: 1 },
    aim: {
      ...{ margin, errorChance: 0.025, questions, differs: [], method, samples, again: 0.2 },
      calibration: { low: 20, high: 90, samples: calibration },
    },
  });
  return stopped === null ? await recordedCertificate(path) : null;
}

/** Copies the calibration of a certificate with the same base, asked twice: the same questions to the same server. */
async function shareCalibration(
  path: string,
  { siblings, calibration }: { readonly siblings: readonly string[]; readonly calibration: number },
): Promise<void> {
  if (await exists(path)) return;
  for (const sibling of siblings) {
    if (!await exists(`${sibling}/certificate.json`)) continue;
    await mkdir(`${path}/again`, { recursive: true });
    await cp(`${sibling}/calibration`, `${path}/calibration`, { recursive: true });
    const { manifest: { records: _mark, ...manifest }, records } = await readRun(`${sibling}/again`);
    const shared = records.filter(({ index }) => index < calibration);
    const samples = answeredSamples(shared);
    await writeFile(`${path}/again/manifest.json`, `${JSON.stringify({ ...manifest, samples }, null, 2)}\n`);
    return await writeFile(
      `${path}/again/records.jsonl`,
      shared.map((record) => `${JSON.stringify(record)}\n`).join(""),
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/**
 * Packs a certificate: its design as it was registered, and each of its runs with packed records. The same certificate gives the same
 * bytes.
 *
 * @param to The folder of packed certificates.
 * @returns The bytes of the packed records.
 */
export async function packCertificate(
  { name, base, change, server }: PlannedCertificate,
  { folder, to, machine }: Pick<MakeCertificateOptions, "folder"> & Pick<MeasuredWith, "machine"> & {
    readonly to: string;
  },
): Promise<number> {
  const [from, into] = [`${folder}/${name}`, `${to}/${name}`];
  await mkdir(into, { recursive: true });
  await writeFile(`${into}/certificate.json`, await Deno.readFile(`${from}/certificate.json`));
  const runs = (await readdir(from, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map((entry) =>
    entry.name
  );
  let bytes = 0;
  for (const run of runs) {
    const { manifest: { records: _mark, ...manifest }, records } = await readRun(`${from}/${run}`);
    const { weights, flags } = run === "change" ? change : base;
    const times = records.map(({ time }) => time ?? manifest.started).sort();
    const packed = packRecords(records);
    await mkdir(`${into}/${run}`, { recursive: true });
    await writeFile(`${into}/${run}/records.jsonl.gz`, packed);
    const measured = { weights, server: { ...server, flags }, machine, from: times[0]!, to: times.at(-1)! };
    await writeWhole(`${into}/${run}/manifest.json`, `${JSON.stringify({ ...manifest, measured }, null, 2)}\n`);
    bytes += packed.length;
  }
  return bytes;
}
