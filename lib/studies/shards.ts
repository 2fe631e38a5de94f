import type { Shard } from "./manifest.ts";
import { listSamples, type Plan, type PlannedSample } from "./plan.ts";

const MAX_SHARDS = 1000;

/**
 * Reads the shard of a run from text such as `2/4`.
 *
 * @throws {RangeError} If the text is not `i/n` with `i` from 1 to `n` and `n` at most 1000.
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
  if (index >= 1 && index <= of && of <= MAX_SHARDS) return { index, of };
  throw new RangeError(
    `Cannot run a part as the shard must be i/n, such as 2/4, with i from 1 to n and n at most ${MAX_SHARDS}: current value is "${text}"`,
  );
}

/** Returns the text of a shard for messages and flags, such as `2/4`. */
export function shardText({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/**
 * Deals the samples of a plan to its shards in turn: each shard gets about the same number of every task and length, and the repeats of a
 * sample stay together. The result depends only on the plan.
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
 * Returns the part of a plan that one shard asks.
 *
 * @throws {RangeError} If the plan has fewer samples than shards, so that this shard has none.
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
  if (picked.length > 0) return { ...plan, picked, shard: { index, of }, questions: picked.length };
  throw new RangeError(
    `Cannot run shard ${index}/${of} as there must be at most as many shards as samples: current value is ${of} shards of ${plan.questions} questions`,
  );
}
