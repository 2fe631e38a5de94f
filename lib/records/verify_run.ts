import { plural, sum } from "@/lib/base/mod.ts";
import { answeredSamples, fileStates, findChanges, renamedNotes, repairTexts, versionNotes } from "./marks.ts";
import type { ReadRunOptions } from "./read_run.ts";
import { placeKey, placeOf, type RunRecord } from "./record.ts";
import { type FileContents, noRecords, noteRecord, readContents } from "./records_file.ts";
import { filesOf, type RecordsFile } from "./run_folders.ts";
import { ADDRESS, differingSettings, findDifference } from "./settings.ts";
import { unlessRefused } from "@/lib/generators/mod.ts";
import {
  dealSamples,
  describeRun,
  openStudy,
  type Plan,
  planStudy,
  readManifestFile,
  type RunManifest,
} from "@/lib/studies/mod.ts";

/** The result of {@linkcode verifyRun}. */
export interface RunCheck {
  readonly run: string;
  /** Readable records, including those of samples asked again. */
  readonly records: number;
  /** Samples with an answer. */
  readonly answered: number;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

const MAX_LISTED = 5;

/**
 * Checks the files of a run that was copied, or interrupted by a crash: the type of each field, the hash of the records,
 * and whether each record belongs to the run. A run of several shards must also be complete: its plan is made again, and each of its
 * samples must have one record. No sample is made again except those without a record.
 *
 * @param name A name as for {@linkcode readRun}.
 * @throws {RangeError} If there is no such run.
 * @throws {SyntaxError} If its manifest has other content.
 */
export async function verifyRun(name: string, options: ReadRunOptions = {}): Promise<RunCheck> {
  const files = filesOf(name, options);
  const manifest = await readManifestFile(files.manifest);
  if (manifest === undefined) {
    throw new RangeError(`Cannot verify the run as there must be a file "${files.manifest}": there is none`);
  }
  const read = await Promise.all(
    (await files.records()).map(async (file): Promise<ReadFile> => ({ ...file, ...await readContents(file.read()) })),
  );
  const states = await fileStates(manifest, read);
  const records = read.flatMap((file) => file.records);
  const known = noRecords();
  for (const record of records) noteRecord(known, record);
  const latest = [...known.latest.values()];
  return {
    run: name,
    records: records.length,
    answered: answeredSamples(latest).count,
    faults: [
      ...renamedNotes(manifest, name),
      ...read.flatMap(brokenFaults),
      ...findChanges(manifest, { records: latest, states }),
      ...settingFaults(manifest, records),
      ...await shardFaults(manifest, read, options),
    ],
    notes: [
      ...(records.length > latest.length
        ? [`${records.length - latest.length} records are of samples asked again`]
        : []),
      ...(states.some(({ state }) => state === "longer")
        ? ["records were added since the manifest was completed: the run is under way or was killed"]
        : []),
      ...(states.every(({ state }) => state !== undefined)
        ? []
        : ["its manifest has no hash of the replies, so that edits cannot be detected"]),
      ...versionNotes(records),
      ...repairTexts(manifest),
    ],
  };
}

type ReadFile = RecordsFile & FileContents;

function brokenFaults({ broken, shard }: ReadFile): readonly string[] {
  const place = shard === undefined ? "" : `shard ${shard.index}/${shard.of}, `;
  const more = broken.length - MAX_LISTED;
  return [
    ...broken.slice(0, MAX_LISTED).map(({ problem }) => place + problem),
    ...(more > 0 ? [`${place}${more} more ${plural(more, "line")} hold no record`] : []),
  ];
}

/** Lists settings of records that differ from those of the manifest; address and settings added by later versions aside. */
function settingFaults(manifest: RunManifest, records: readonly RunRecord[]): readonly string[] {
  const distinct = new Map(records.map(({ settings }) => [JSON.stringify(settings), settings]));
  const faults = distinct.values().flatMap((settings) => {
    const shared = Object.entries(settings).filter(([name]) => Object.hasOwn(manifest.settings, name));
    const now = { ...manifest, settings: { ...manifest.settings, ...Object.fromEntries(shared) } };
    return differingSettings(manifest, now).filter(({ name }) => name !== ADDRESS)
      .map(({ name, before, now }) => `${name} is ${before} in the manifest and ${now} in records`);
  });
  return [...new Set(faults)];
}

/**
 * Lists why the shards of a run are not the whole run: samples of its plan without a record, samples that were answered in two
 * shards, records that the plan does not have, and shards of different versions. A run without shards has no such faults.
 */
async function shardFaults(
  manifest: RunManifest,
  files: readonly ReadFile[],
  options: ReadRunOptions,
): Promise<readonly string[]> {
  const of = Math.max(0, ...files.map(({ shard }) => shard?.of ?? 0));
  if (of === 0) return [];
  const plan = await planAgain(manifest, options);
  if (typeof plan === "string") return [plan];
  const recorded = new Set<string>();
  const answered = new Set<string>();
  const doubled: string[] = [];
  for (const { reply, sample, ...record } of files.flatMap(({ records }) => records)) {
    const key = placeKey(record);
    if (reply.kind === "answer" && answered.has(key)) doubled.push(sample);
    if (reply.kind === "answer") answered.add(key);
    recorded.add(key);
  }
  const missing = new Map<number, number>();
  for (const { shard, ...planned } of dealSamples(plan, of)) {
    const isRecorded = recorded.delete(placeKey(placeOf(planned)));
    if (isRecorded || unlessRefused(() => planned.task.sample({ ...plan, ...planned })) === undefined) continue;
    missing.set(shard, (missing.get(shard) ?? 0) + 1);
  }
  const counts = [...missing].sort(([left], [right]) => left - right).map(([shard, count]) =>
    `${count} of shard ${shard}/${of}`
  );
  const total = sum(missing.values());
  return [
    ...(total === 0 ? [] : [
      `${total} of ${plan.questions} questions have no record (${
        counts.join(", ")
      }): the same commands with these shards ask them`,
    ]),
    ...(doubled.length === 0 ? [] : [
      `each sample must have one answer: current value is two of ${doubled.length} samples, such as "${doubled[0]}"`,
    ]),
    ...(recorded.size === 0
      ? []
      : [`each record must be of a sample of the plan: current value is "${[...recorded][0]}" too`]),
  ];
}

/** Makes the plan of a run again, or returns why it cannot be made. */
async function planAgain(manifest: RunManifest, options: ReadRunOptions): Promise<Plan | string> {
  const opened = await openStudy(manifest.study, options);
  const { model, origin, settings, template } = manifest;
  const found = findDifference(manifest, describeRun(opened, { name: model, origin, settings, template }));
  if (found === undefined) return planStudy(opened, { template });
  return `whether its shards are complete cannot be checked, as its ${found.name} must be ${found.before}, as when it was asked: current value is ${found.now}`;
}
