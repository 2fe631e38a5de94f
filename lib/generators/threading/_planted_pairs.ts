import { type Draw, integer, spread, strata } from "@/lib/random/mod.ts";
import type { ThreadingSettings } from "./_threading_settings.ts";
import { makeThread, pairsOfThread, type PlacedPair } from "./_threads.ts";

/** What is planted in a haystack, and what is asked of it. */
export interface Planted {
  /** The pairs, in any order; those of equal depth stand in this one. */
  readonly pairs: readonly PlacedPair[];
  /** The keys that the question names. */
  readonly keys: readonly string[];
  readonly references: readonly string[];
  /** The depth that a single needle was asked for. */
  readonly depth?: number;
  /** The values of each thread, from the first to the reference. */
  readonly paths?: readonly (readonly string[])[];
}

/** Whence the pairs of one sample come. */
export interface PlantingSource {
  /** Names all samples of the same task, length and seed. */
  readonly path: readonly (string | number)[];
  readonly index: number;
  readonly draw: Draw;
  readonly newUuid: () => string;
}

/** Makes the pairs that a task plants. */
export function plantPairs(settings: ThreadingSettings, source: PlantingSource): Planted {
  return settings.kind.endsWith("thread") ? plantThreads(settings, source) : plantNeedles(settings, source);
}

function plantNeedles(settings: ThreadingSettings, source: PlantingSource): Planted {
  const { newUuid, draw } = source;
  const isConditional = settings.kind === "conditional_needle";
  const newKey = (): string => isConditional ? mark(newUuid(), settings.character, draw) : newUuid();
  const pairs = needleDepths(settings, source).map((depth): PlacedPair => ({
    key: newKey(),
    value: newUuid(),
    role: "target",
    depth,
  }));
  // Marked keys are not named, so that their values can be asked for in the order of the haystack alone.
  const asked = isConditional ? pairs.toSorted((left, right) => left.depth - right.depth) : pairs;
  return {
    pairs,
    keys: asked.map(({ key }) => key),
    references: asked.map(({ value }) => value),
    ...(settings.kind === "single_needle" ? { depth: pairs[0]!.depth } : {}),
  };
}

/** Puts a character in the place of one of a key's. */
function mark(key: string, character: string, draw: Draw): string {
  const at = integer(draw, { low: 0, high: key.length - 1 });
  return key.slice(0, at) + character + key.slice(at + 1);
}

/** Depths of the paper's grid: every tenth, both ends included. */
const DEPTHS = 11;
/** The step, prime to their number, by which samples go through them, so that few samples already cover the haystack. */
const STRIDE = 4;

function needleDepths(settings: ThreadingSettings, { path, index }: PlantingSource): readonly number[] {
  const { kind, needles, placement, depth } = settings;
  if (kind === "single_needle") return [depth ?? index * STRIDE % DEPTHS / (DEPTHS - 1)];
  if (placement === "random") return strata(path, { index, dimensions: needles });
  const [shared] = spread(path, { index, dimensions: 1 });
  return Array.from({ length: needles }, () => shared!);
}

function plantThreads(settings: ThreadingSettings, source: PlantingSource): Planted {
  const { path, index, draw, newUuid } = source;
  const size = pairsOfThread(settings);
  const depths = strata(path, { index, dimensions: settings.threads * size });
  const threads = Array.from(
    { length: settings.threads },
    (_, thread) => makeThread(depths.slice(thread * size, (thread + 1) * size), { ...settings, draw, newUuid }),
  );
  return {
    pairs: threads.flatMap(({ pairs }) => pairs),
    keys: threads.map(({ pairs }) => pairs[0]!.key),
    references: threads.map(({ values }) => values.at(-1)!),
    paths: threads.map(({ values }) => values),
  };
}
