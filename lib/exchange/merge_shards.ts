import {
  type BenchmarkOptions,
  checkRunName,
  dealSamples,
  describeRun,
  openStudy,
  type Plan,
  planStudy,
  readManifest,
  readShardName,
  type RunManifest,
  RUNS_FOLDER,
  shardName,
  writeManifest,
} from "@/lib/studies/mod.ts";
import {
  answeredSamples,
  confirmAddress,
  explainTornEnd,
  findDifference,
  findRecords,
  isConfirmed,
  markRecords,
  openRecords,
  placeKey,
  placeOf,
  readRecords,
  type RunFolderOptions,
  verifyRun,
} from "@/lib/records/mod.ts";
import { makeSample } from "@/lib/asking/mod.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Options for {@linkcode mergeShards}. */
export interface MergeShardsOptions extends RunFolderOptions, BenchmarkOptions {
  /** How many shards there are, where there are shards of several such numbers. */
  readonly shards?: number | undefined;
}

/** A run that was merged. */
export interface MergedRun {
  readonly name: string;
  /** Its folder. */
  readonly path: string;
  readonly manifest: RunManifest;
  /** How many samples have a record. */
  readonly records: number;
  /** How many of them have an answer. */
  readonly answered: number;
  /** How many calls failed that can be made again; a simulated reader that cannot solve a sample never can. */
  readonly failed: number;
  /** What the user should know: samples that could not be made, files that were cut short. */
  readonly notes: readonly string[];
}

/**
 * Joins the shards of a run into the run, its records in the order of the plan, and proves it whole: the plan is made again, and
 * each of its samples must have its record in the shard that it belongs to, once. Shards stay as they are; merging again adds
 * what they have won since.
 *
 * The records are those that one process writes which asks one sample at a time, but for times, latencies and counts of attempts.
 *
 * @throws {RangeError} If there are no shards, they are of different studies, models or versions, a record is doubled or none of
 *   its shard's, or another run has the name.
 * @throws {Error} If a sample has no record; the message says whose.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 3 });
 * const options = { name: "try", model: simulatedModel("ideal"), folder };
 * for (const index of [1, 2]) await runStudy(study, { ...options, shard: { index, of: 2 } });
 * equal((await mergeShards("try", { folder })).answered, 3);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function mergeShards(name: string, options: MergeShardsOptions = {}): Promise<MergedRun> {
  const { folder = RUNS_FOLDER, benchmarks } = options;
  const of = await countShards(checkRunName(name), { ...options, folder });
  const shards: ShardRecords[] = [];
  for (let index = 1; index <= of; index++) {
    const shard = await readShardRecords(name, { index, of, folder });
    if (shard !== undefined) shards.push(shard);
  }
  checkAlike(name, shards);
  const { manifest } = shards[0]!;
  const plan = await planAgain(name, manifest, { benchmarks });
  const { records, notMade } = takePlanned(name, plan, { shards, of });
  for (const shard of shards) await checkFiles(name, shard, folder);
  const { shard: _shard, records: _mark, repairs: _repairs, ...header } = manifest;
  const repairs = shards.flatMap((shard) => shard.manifest.repairs ?? []);
  const merged: RunManifest = {
    ...header,
    name,
    started: shards.map(({ manifest: { started } }) => started).sort()[0]!,
    origin: shards.some((each) => each.manifest.origin === "simulated") ? "simulated" : "measured",
    merged: { shards: of },
    samples: answeredSamples(records),
    ...(repairs.length === 0 ? {} : { repairs }),
  };
  const path = `${folder}/${name}`;
  await writeMerged(path, merged, records);
  if (await isConfirmed(`${folder}/${shardName(name, manifest.shard!)}`, manifest)) await confirmAddress(path, merged);
  const notes = [...shards.flatMap((shard) => shard.notes), ...notMade];
  const answered = records.filter(({ reply }) => reply.kind === "answer").length;
  const failed = records.filter(({ reply }) => reply.kind === "failure" && reply.failure !== "unsolved").length;
  return { name, path, manifest: merged, records: records.length, answered, failed, notes };
}

/** How many shards a run was split into, by the folders of those that there are. */
async function countShards(
  name: string,
  { folder, shards }: { readonly folder: string; readonly shards?: number | undefined },
): Promise<number> {
  const numbers = new Set<number>();
  try {
    for await (const entry of Deno.readDir(folder)) {
      const found = readShardName(entry.name);
      if (found?.run === name) numbers.add(found.shard.of);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const known = [...numbers].sort((left, right) => left - right);
  if (shards === undefined && known.length === 1) return known[0]!;
  if (shards !== undefined && known.includes(shards)) return shards;
  throw new RangeError(
    `Cannot merge run "${name}" as ${
      known.length > 1 ? "one number of its shards must be named" : "there must be shards of it"
    }: current value is ${known.length === 0 ? "none" : known.map((of) => `shards of ${of}`).join(", ")}`,
  );
}

interface ShardRecords {
  readonly index: number;
  readonly manifest: RunManifest;
  /** By place: the answer, or the last failure where there is none. */
  readonly records: ReadonlyMap<string, RunRecord>;
  readonly notes: readonly string[];
}

/** Reads a shard; `undefined` where it has not been begun. */
async function readShardRecords(
  name: string,
  { index, of, folder }: { readonly index: number; readonly of: number; readonly folder: string },
): Promise<ShardRecords | undefined> {
  const own = shardName(name, { index, of });
  const [path, recordsPath] = [`${folder}/${own}`, `${folder}/${own}/records.jsonl`];
  const manifest = await readManifest(path);
  if (manifest === undefined) return undefined;
  const { shard } = manifest;
  if (shard?.index !== index || shard.of !== of) {
    throw new RangeError(
      `Cannot merge "${own}" as its manifest must be that of shard ${index}/${of}: current value is ${
        shard === undefined ? "a whole run's" : `shard ${shard.index}/${shard.of}'s`
      }`,
    );
  }
  const records = new Map<string, RunRecord>();
  const notes: string[] = [];
  using file = await openRecords(recordsPath);
  const onTorn = (end: Parameters<typeof explainTornEnd>[0]): void =>
    void notes.push(...explainTornEnd(end, recordsPath));
  for await (const record of readRecords(file, { path: recordsPath, onTorn })) {
    const key = placeKey(record);
    const isAnswered = records.get(key)?.reply.kind === "answer";
    if (isAnswered && record.reply.kind === "answer") {
      throw new RangeError(
        `Cannot merge "${own}" as each sample must have one answer: current value is two of "${record.sample}"`,
      );
    }
    if (!isAnswered) records.set(key, record);
  }
  return { index, manifest, records, notes };
}

/** Refuses shards that were asked something else, or otherwise, than the first of them. */
function checkAlike(name: string, shards: readonly ShardRecords[]): void {
  const [first, ...others] = shards;
  if (first === undefined) {
    throw new RangeError(`Cannot merge run "${name}" as a shard of it must have a manifest: current value is none`);
  }
  const refuse = (index: number, what: string, before: string, now: string): RangeError =>
    new RangeError(
      `Cannot merge shard ${index} of run "${name}" as its ${what} must be that of shard ${first.index}, ${before}: current value is ${now}`,
    );
  const { shard: _, ...wanted } = first.manifest;
  for (const { index, manifest: { shard: _, ...manifest } } of others) {
    // Each can have a server of its own.
    const found = findDifference(wanted, manifest, { anyAddress: true });
    if (found !== undefined) throw refuse(index, found.name, found.before, found.now);
    for (const part of ["tasks", "lengths", "first", "samples", "repeats"] as const) {
      const [before, now] = [wanted, manifest].map(({ study }) => JSON.stringify(study[part] ?? "default"));
      if (before !== now) throw refuse(index, `study's ${part}`, before!, now!);
    }
  }
  const version = [...first.records.values()][0]?.fathom ?? wanted.fathom;
  for (const { index, records } of shards) {
    for (const { sample, fathom } of records.values()) {
      if (fathom !== version) throw refuse(index, `version of Fathom for "${sample}"`, version, fathom);
    }
  }
}

/** Refuses a shard whose files are not as they were recorded, as `fathom verify` finds it. */
async function checkFiles(name: string, { manifest: { shard } }: ShardRecords, folder: string): Promise<void> {
  const own = shardName(name, shard!);
  const { faults } = await verifyRun(own, { folder });
  if (faults.length === 0) return;
  throw new RangeError(
    `Cannot merge "${own}" as its files must be as they were recorded, or as \`fathom verify ${own} --repair\` leaves them: current value is ${
      faults.join("; ")
    }`,
  );
}

/** Makes the plan of a run again, from its manifest. */
async function planAgain(name: string, manifest: RunManifest, options: BenchmarkOptions): Promise<Plan> {
  const opened = await openStudy(manifest.study, options);
  const { model, origin, settings, template } = manifest;
  const now = describeRun(opened, { name: model, origin, settings, template });
  const { shard: _, ...before } = manifest;
  const found = findDifference(before, now);
  if (found === undefined) return planStudy(opened, { template });
  throw new RangeError(
    `Cannot prove run "${name}" whole as its ${found.name} must be ${found.before}, as when it was asked: current value is ${found.now}`,
  );
}

/** Takes the records of a plan's samples, in its order; each must be where it belongs, and no other may be. */
function takePlanned(
  name: string,
  plan: Plan,
  { shards, of }: { readonly shards: readonly ShardRecords[]; readonly of: number },
): { readonly records: readonly RunRecord[]; readonly notMade: readonly string[] } {
  const left = new Map(shards.map(({ index, records }) => [index, new Map(records)]));
  const records: RunRecord[] = [];
  const notMade: string[] = [];
  const missing = new Map<number, number>();
  for (const { shard, ...planned } of dealSamples(plan, of)) {
    const key = placeKey(placeOf(planned));
    const record = left.get(shard)?.get(key);
    if (record !== undefined) {
      records.push(record);
      left.get(shard)!.delete(key);
      continue;
    }
    // What cannot be made cannot be asked.
    const made = left.has(shard) ? makeSample(plan, planned) : undefined;
    if (made instanceof RangeError) notMade.push(made.message);
    else missing.set(shard, (missing.get(shard) ?? 0) + 1);
  }
  for (const [index, others] of left) {
    for (const { sample } of others.values()) {
      throw new RangeError(
        `Cannot merge shard ${index} of run "${name}" as it must hold the samples that the plan deals to it: current value is "${sample}" too`,
      );
    }
  }
  if (missing.size > 0) throw new Error(explainMissing(name, { missing, plan, of }));
  return { records, notMade };
}

function explainMissing(
  name: string,
  { missing, plan, of }: {
    readonly missing: ReadonlyMap<number, number>;
    readonly plan: Plan;
    readonly of: number;
  },
): string {
  const counts = [...missing].sort(([left], [right]) => left - right)
    .map(([index, count]) => `${count} of shard ${index}/${of}`);
  const total = missing.values().reduce((sum, count) => sum + count, 0);
  return `Cannot merge run "${name}" as each of its ${plan.questions} questions must have a record: current value is ${total} without one (${
    counts.join(", ")
  }), which the same commands with these shards ask`;
}

/** Writes a merged run; one that was merged before is replaced unless it has won answers of its own. */
async function writeMerged(path: string, manifest: RunManifest, records: readonly RunRecord[]): Promise<void> {
  const recordsPath = `${path}/records.jsonl`;
  const before = await readManifest(path);
  if (before === undefined && await Deno.lstat(recordsPath).then(() => true, () => false) || before && !before.merged) {
    throw new RangeError(
      `Cannot merge run "${manifest.name}" as no other run must have its name: current value is "${path}"`,
    );
  }
  // Subtle: opening it locks it, so that nobody adds to it meanwhile.
  const held = await findRecords(recordsPath, { isNew: false });
  try {
    if (held !== undefined) checkNothingLost(manifest.name, held.outcomes.kinds, records);
    await Deno.mkdir(path, { recursive: true });
    await writeRecords(`${recordsPath}.new`, records);
    using file = await Deno.open(`${recordsPath}.new`);
    await writeManifest(path, { ...manifest, records: await markRecords(file) });
    await Deno.rename(`${recordsPath}.new`, recordsPath);
  } finally {
    held?.file.close();
  }
}

function checkNothingLost(
  name: string,
  kinds: ReadonlyMap<string, "answer" | "failure">,
  records: readonly RunRecord[],
): void {
  const answered = new Set(records.filter(({ reply }) => reply.kind === "answer").map(placeKey));
  const lost = [...kinds].filter(([key, kind]) => kind === "answer" && !answered.has(key)).length;
  if (lost === 0) return;
  throw new RangeError(
    `Cannot merge run "${name}" again as its shards must have every answer that it has: current value is ${lost} ${
      plural(lost, "answer")
    } that they lack`,
  );
}

async function writeRecords(path: string, records: readonly RunRecord[]): Promise<void> {
  await Deno.writeTextFile(path, ReadableStream.from(records.values().map((record) => `${JSON.stringify(record)}\n`)));
}
