import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isFields, isFile } from "@/lib/base/mod.ts";
import type { Benchmark } from "./benchmark.ts";
import { BENCHMARKS, listFamilies } from "./registry.ts";

/**
 * Opens a benchmark of your own: a TypeScript file whose default export is a {@linkcode Benchmark}. Names of Fathom's own
 * benchmarks, families, tasks and scorers are refused.
 *
 * The file runs as part of this program, with its permissions: open only files you trust. Put the benchmark before Fathom's
 * (`[mine, ...BENCHMARKS]`), so that `all` means its tasks.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal((await openBenchmark("docs/examples/word_at_depth.ts")).name, "word-at-depth");
 * ```
 */
export async function openBenchmark(path: string): Promise<Benchmark> {
  const found = await importFile(path);
  const lack = findLack(found);
  if (lack !== undefined) throw new TypeError(`Cannot open the benchmark in "${path}" as ${lack}`);
  const benchmark = { ...found as Benchmark, file: path };
  checkNames(benchmark);
  return benchmark;
}

async function importFile(path: string): Promise<unknown> {
  if (!await isFile(path)) {
    throw new RangeError(`Cannot open the benchmark as its file must exist: current value is "${path}"`);
  }
  try {
    return (await import(pathToFileURL(resolve(path)).href)).default;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    throw new TypeError(`Cannot open the benchmark in "${path}" as it must run as TypeScript: ${reason}`, {
      cause: error,
    });
  }
}

const FIELDS: readonly string[] =
  "name title source families tasks groups threshold paper runClaims regraders testFiles file".split(" ");

/** Returns the reason for which a default export is no benchmark; `undefined` if it is one. */
function findLack(found: unknown): string | undefined {
  if (!isFields(found)) {
    return `its default export must be a benchmark { name, title, source, families, tasks }: current value is ${
      found === undefined ? "none" : typeof found
    }`;
  }
  const lack = (name: string, wanted: string): string =>
    `${name} must be ${wanted}: current value is ${JSON.stringify(found[name]) ?? "none"}`;
  const blank = ["name", "title", "source"].find((name) => typeof found[name] !== "string" || found[name] === "");
  if (blank !== undefined) return lack(blank, "a text");
  const strange = Object.keys(found).find((name) => !FIELDS.includes(name));
  if (strange !== undefined) {
    return `each of its fields must be one of ${FIELDS.join(", ")}: current value is "${strange}"`;
  }
  const { families, tasks } = found;
  if (!Array.isArray(families) || families.length === 0 || !families.every(isFamily)) {
    return lack("families", "a list of what family({ … }) gives, at least one");
  }
  const names = families.flatMap((family) => family.tasks as string[]);
  if (!Array.isArray(tasks) || tasks.length === 0 || !tasks.every((task) => names.includes(task))) {
    return lack("tasks", `a list of its families' tasks (${names.join(", ")})`);
  }
  return undefined;
}

function isFamily(value: unknown): value is Record<string, unknown> {
  return isFields(value) && typeof value["make"] === "function" && Array.isArray(value["scorers"]) &&
    Array.isArray(value["tasks"]);
}

/** Refuses names of Fathom's own benchmarks, families, tasks and scorers, as records refer to them by name. */
function checkNames({ name, families, file }: Benchmark): void {
  const own = listFamilies();
  const scorers = own.flatMap((family) => family.scorers);
  const taken = [
    ...(BENCHMARKS.some((benchmark) => benchmark.name === name) ? [name] : []),
    ...families.flatMap((family) => [family.name, ...family.tasks])
      .filter((each) => own.some((family) => family.name === each || family.tasks.includes(each))),
    ...families.flatMap((family) => family.scorers)
      .filter((scorer) => scorers.some((each) => each.name === scorer.name && each.unguarded !== scorer.unguarded))
      .map((scorer) => scorer.name),
  ];
  if (taken.length === 0) return;
  throw new RangeError(
    `Cannot open the benchmark in "${file}" as its names must be none of Fathom's own: current value is "${taken[0]}"`,
  );
}
