import { copyFile, mkdir, readdir } from "node:fs/promises";
import {
  type BenchmarkOptions,
  checkRunName,
  readManifest,
  type RunManifest,
  RUNS_FOLDER,
  writeManifest,
} from "@/lib/studies/mod.ts";
import {
  answeredSamples,
  confirmAddress,
  findDifference,
  isConfirmed,
  recordsPath,
  type RunCheck,
  type RunFolderOptions,
  verifyRun,
  writeShardMark,
} from "@/lib/records/mod.ts";

/**
 * Joins folders of shards, such as `big.shard-2-of-4`, which versions before 0.2 wrote, into one run. The shards become files of the
 * run's folder, and their own folders stay.
 *
 * @returns The check of the joined run, which lists the samples that no shard has asked.
 * @throws {RangeError} If there are no such folders, they are of different studies or models, one of them was edited, or a run of that
 *   name exists.
 */
export async function joinShardFolders(
  name: string,
  { folder = RUNS_FOLDER, ...options }: RunFolderOptions & BenchmarkOptions = {},
): Promise<RunCheck> {
  const path = `${folder}/${checkRunName(name)}`;
  const entries: readonly string[] = await readdir(folder).catch(() => []);
  const names = entries.filter((each) => readShardName(each) === name).sort();
  const shards = await Promise.all(names.map(async (each) => ({
    ...{ name: each, path: `${folder}/${each}` },
    manifest: await readManifest(`${folder}/${each}`),
  })));
  const [first, ...others] = shards;
  const { shard, records: _mark, ...header } = first?.manifest ?? {} as Partial<RunManifest>;
  if (first?.manifest === undefined || shard === undefined) {
    throw refuse(name, `there must be folders ${name}.shard-1-of-N of it`, names.join(", ") || "none");
  }
  if (await readManifest(path) !== undefined) throw refuse(name, "no run must have its name", path);
  const { faults } = await verifyRun(first.name, { folder, ...options });
  if (faults.length > 0) throw refuse(name, `"${first.name}" must be as it was recorded`, faults.join("; "));
  for (const { name: other, manifest } of others) {
    if (manifest?.shard?.of !== shard.of) {
      throw refuse(name, `"${other}" must be one of ${shard.of} shards`, String(manifest?.shard?.of ?? "none"));
    }
    const found = findDifference(first.manifest, manifest, { anyAddress: true, isShard: true });
    if (found !== undefined) throw refuse(name, `the ${found.name} of "${other}" must be ${found.before}`, found.now);
    const { faults } = await verifyRun(other, { folder, ...options });
    if (faults.length > 0) throw refuse(name, `"${other}" must be as it was recorded`, faults.join("; "));
  }
  await mkdir(path, { recursive: true });
  for (const { path: from, manifest } of shards) {
    const records = recordsPath(path, manifest!.shard);
    await copyFile(recordsPath(from), records);
    if (manifest!.records !== undefined) await writeShardMark(records, manifest!.records);
  }
  const merged = { ...header, name, samples: answeredSamples([]) } as RunManifest;
  await writeManifest(path, merged);
  if (await isConfirmed(first.path, first.manifest)) await confirmAddress(path, merged);
  return await verifyRun(name, { folder, ...options });
}

function readShardName(folder: string): string | undefined {
  return /^(.+)\.shard-\d+-of-\d+$/.exec(folder)?.[1];
}

function refuse(name: string, wanted: string, found: string): RangeError {
  return new RangeError(`Cannot merge run "${name}" as ${wanted}: current value is ${found}`);
}
