import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Materials, Task } from "@/lib/generators/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";

export type Path = readonly (string | number)[];

export interface Place {
  readonly seed: string;
  readonly length: number;
  readonly index: number;
}

/** A path with its sample left open. */
export type OpenPath = (place: Place) => Path;

/** The tasks of each family whose paths are looked at. */
export const FAMILIES: Readonly<Record<string, readonly Task[]>> = {
  niah: (["niah_single_1", "niah_single_3", "niah_multikey_2", "niah_multivalue", "niah_multiquery"] as const).flatMap(
    (name) => [rulerTask(name), rulerTask(name, { variant: "2024" })],
  ),
  vt: [rulerTask("vt"), rulerTask("vt_2_chains"), rulerTask("vt", { variant: "paper" })],
  cwe: [rulerTask("cwe"), rulerTask("cwe", { common: 20 })],
  fwe: [rulerTask("fwe"), rulerTask("fwe_alpha_3_5")],
  qa: [rulerTask("qa_1"), rulerTask("qa_2")],
  stars: [
    STARS.task("counting_stars_search_en"),
    STARS.task("counting_stars_linked_zh"),
    STARS.task("counting_stars_shuffled_zh", { stars: 64 }),
  ],
  recall: [PROMPT_RECALL.task("recall_pistachio"), PROMPT_RECALL.task("recall_thornfield")],
  threading: [
    THREADING.task("threading_single_needle"),
    THREADING.task("threading_multi_needle", { placement: "clustered" }),
    THREADING.task("threading_conditional_needle"),
    THREADING.task("threading_branched_thread"),
  ],
  cdme: [CDME_NEEDLES.task("cdme_zh"), CDME_NEEDLES.task("cdme_varied_en"), CDME_NEEDLES.task("cdme_original")],
};

/** A sample whose seed, length and number stand in no path for another reason. */
const MARKED: Place = { seed: "a seed like no other", length: 7717, index: 4321 };

/** Samples of a block, in which depths of many dimensions are drawn together; and its number for the marked sample. */
const BLOCK = 25;

/**
 * Returns the paths of the streams that a task opens for one sample, the sample left open. Streams are seeded by their path as
 * JSON, so that every call of `JSON.stringify` is noted.
 */
function notePaths(task: Task, materials: Materials): OpenPath[] {
  task.leastLength(materials);
  const noted = new Map<string, Path>();
  const write = JSON.stringify;
  JSON.stringify = ((value: unknown, ...more: []) => {
    const text = write(value, ...more);
    if (Array.isArray(value) && value[0] === MARKED.seed) noted.set(text, value);
    return text;
  }) as typeof JSON.stringify;
  try {
    task.sample({ ...MARKED, materials });
  } finally {
    JSON.stringify = write;
  }
  return [...noted.values()].map((path) => ({ seed, length, index }) =>
    path.map((part) => {
      if (part === MARKED.seed) return seed;
      if (part === MARKED.length) return length;
      if (part === MARKED.index) return index;
      return part === Math.floor(MARKED.index / BLOCK) ? Math.floor(index / BLOCK) : part;
    })
  );
}

export function notedPaths(materials: Materials): ReadonlyMap<string, readonly OpenPath[]> {
  const families = Object.entries(FAMILIES);
  return new Map(families.map(([name, tasks]) => [name, tasks.flatMap((task) => notePaths(task, materials))]));
}

/** Counts first draws that were drawn before: of 100,000 draws of 52 bits one in a million such lists has any. */
export function countRepeats(paths: Iterable<Path>, open: (...path: Path) => Draw = stream): number {
  const draws = Array.from(paths, (path) => open(...path)());
  return draws.length - new Set(draws).size;
}

/** Lengths and seeds as they are asked for, some of them alike. */
const LENGTHS = [4096, 4097, 8192, 16384, 131072];
const SEEDS = ["42", "24", "A", "Ł", "kk2", "𝔘", ""];

/** Lists different paths: every length and seed, sample after sample, and a further seed with each. */
export function* listPaths(open: readonly OpenPath[], count: number): Generator<Path> {
  const listed = new Set<string>();
  const some: Place = { seed: "some", length: 1, index: 1 };
  // Paths that are the same for every length or sample are listed once a seed.
  const varies = open.filter((at) => at(some).join() !== at({ ...some, length: 2, index: 2 * BLOCK }).join());
  for (let index = 0; listed.size < count; index++) {
    for (const seed of [...(index === 0 || varies.length > 0 ? SEEDS : []), `seed ${index}`]) {
      for (const length of varies.length > 0 ? LENGTHS : LENGTHS.slice(0, 1)) {
        for (const at of open) {
          const path = at({ seed, length, index });
          const name = JSON.stringify(path);
          if (listed.has(name) || listed.size >= count) continue;
          listed.add(name);
          yield path;
        }
      }
    }
  }
}

/** Lists the paths of the generated world, whose questions and entities have a number each. */
export function* listWorldPaths(count: number): Generator<Path> {
  const kinds = [["question", 1], ["question", 2], ["entity"]] as const;
  for (let at = 0; at < count; at++) yield ["world", ...kinds[at % kinds.length]!, Math.floor(at / kinds.length)];
}
