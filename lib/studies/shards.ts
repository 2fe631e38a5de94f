import { checkRunName, type Shard } from "./manifest.ts";
import { listSamples, type Plan, type PlannedSample } from "./plan.ts";

/** The most parts that a run can be split into. */
const MOST_SHARDS = 1000;

/**
 * Reads which part of a run is meant, such as `2/4`.
 *
 * @throws {RangeError} If it is no such part.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(readShard("2/4"), { index: 2, of: 4 });
 * ```
 */
export function readShard(text: string): Shard {
  const [index = 0, of = 0] = /^\d+\/\d+$/.test(text) ? text.split("/").map(Number) : [];
  if (index >= 1 && index <= of && of <= MOST_SHARDS) return { index, of };
  throw new RangeError(
    `Cannot run a part as the shard must be i/n, such as 2/4, with i from 1 to n and n at most ${MOST_SHARDS}: current value is "${text}"`,
  );
}

/** Names a part of a run, for messages and flags: `2/4`. */
export function shardText({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/**
 * The name of the run that holds a part of another.
 *
 * @throws {RangeError} If it is too long to be one.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(shardName("first", { index: 2, of: 4 }), "first.shard-2-of-4");
 * ```
 */
export function shardName(name: string, { index, of }: Shard): string {
  return checkRunName(`${checkRunName(name)}.shard-${index}-of-${of}`);
}

/** The part that a run's name says it holds of another run; `undefined` where it says none. */
export function readShardName(name: string): { readonly run: string; readonly shard: Shard } | undefined {
  const [, run, index, of] = /^(.+)\.shard-(\d+)-of-(\d+)$/.exec(name) ?? [];
  return run === undefined ? undefined : { run, shard: { index: Number(index), of: Number(of) } };
}

/**
 * Deals a plan's samples out to its shards, one after another as cards are: each shard has about as many of every task and length,
 * and the repeats of a sample stay together. It depends on nothing but the plan.
 */
export function* dealSamples(plan: Plan, of: number): Generator<PlannedSample & { readonly shard: number }> {
  let dealt = -1;
  let last = "";
  for (const planned of listSamples(plan)) {
    const sample = `${planned.length}/${planned.index}/${planned.task.name}`;
    if (sample !== last) dealt++;
    last = sample;
    yield { ...planned, shard: dealt % of + 1 };
  }
}

/**
 * The part of a plan that one shard asks.
 *
 * @throws {RangeError} If there are fewer samples than shards, so that it has none.
 *
 * @example Two shards of five samples
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
 * import { checkStudy, openStudy, planStudy } from "@/lib/studies/mod.ts";
 *
 * const opened = await openStudy(checkStudy({ tasks: ["vt"], lengths: [1024], samples: 5 }));
 * const plan = planStudy(opened, { template: PLAIN_TEMPLATE });
 * deepEqual(planShard(plan, { index: 2, of: 2 }).picked?.map(({ index }) => index), [1, 3]);
 * ```
 */
export function planShard(plan: Plan, { index, of }: Shard): Plan {
  const picked = [...dealSamples(plan, of)].filter(({ shard }) => shard === index)
    .map(({ shard: _, ...planned }): PlannedSample => planned);
  if (picked.length > 0) return { ...plan, picked, questions: picked.length };
  throw new RangeError(
    `Cannot run shard ${index}/${of} as there must be at most as many shards as samples: current value is ${of} shards of ${plan.questions} questions`,
  );
}
