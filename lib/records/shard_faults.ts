import type { ReadRunOptions } from "./read_run.ts";
import { placeKey } from "./records_file.ts";
import type { RecordsFile } from "./run_files.ts";
import { findDifference, placeOf } from "./store.ts";
import { dealSamples, describeRun, openStudy, type Plan, planStudy, type RunManifest } from "@/lib/studies/mod.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

/** A file of records with its records. */
interface ShardRecords extends Pick<RecordsFile, "shard"> {
  readonly records: readonly RunRecord[];
}

/**
 * Lists why the shards of a run are not the whole run: samples of its plan without a record, samples that were answered in two
 * shards, records that the plan does not have, and shards of different versions. A run without shards has no such faults.
 */
export async function shardFaults(
  manifest: RunManifest,
  files: readonly ShardRecords[],
  options: ReadRunOptions = {},
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
    if (!isRecorded && canMake(plan, planned)) missing.set(shard, (missing.get(shard) ?? 0) + 1);
  }
  const counts = [...missing].sort(([left], [right]) => left - right).map(([shard, count]) =>
    `${count} of shard ${shard}/${of}`
  );
  const total = missing.values().reduce((sum, count) => sum + count, 0);
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

/** Whether a sample can be made; rare ones do not fit their length. */
function canMake(plan: Plan, { task, length, index }: Parameters<typeof placeOf>[0]): boolean {
  const { seed, template, materials } = plan;
  try {
    task.sample({ length, index, seed, template, materials });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
