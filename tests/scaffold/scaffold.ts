import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { BENCHMARKS, findFamily } from "@/lib/benchmarks/mod.ts";

/** The suite that new ones are written from: a complete one, which tests run where it stands. */
const EXAMPLE = "docs/examples/left_luggage";

/** The example's files and where a suite has them, in the order in which one fills them. */
const FILES: readonly (readonly [from: string, to: string, what: string])[] = [
  ["wording.ts", "lib/benchmarks/left_luggage/wording.ts", "the words of a prompt"],
  ["scorer.ts", "lib/benchmarks/left_luggage/scorer.ts", "from a reply to a score"],
  ["left_luggage.ts", "lib/benchmarks/left_luggage/left_luggage.ts", "knobs, tasks and the recipe of a sample"],
  ["study.yaml", "data/studies/left-luggage.yaml", "what is asked by default"],
  ["solve.ts", "tests/audit/_solve_left_luggage.ts", "reads the answers off a prompt, by other code"],
  ["left_luggage_test.ts", "tests/benchmarks/left_luggage/left_luggage_test.ts", "known values and an error"],
  ["page.txt", "docs/benchmarks/left_luggage.md", "what it measures, what differs, how to run it"],
];

const REGISTRY = "lib/benchmarks/registry.ts";

/** A file that was written. */
export interface Written {
  readonly path: string;
  readonly what: string;
}

/** The names of a suite in the forms that files use: `lost_keys`, `LOST_KEYS`, `lost-keys`, `lost keys` and `Lost keys`. */
function formsOf(name: string): readonly string[] {
  const words = name.replaceAll("_", " ");
  return [name, name.toUpperCase(), name.replaceAll("_", "-"), words, `${words[0]!.toUpperCase()}${words.slice(1)}`];
}

/** Replaces the names of the example, and the places of its files by those in a suite. */
function rename(text: string, name: string): string {
  const moved = text.replaceAll(`@/${EXAMPLE}/`, "@/lib/benchmarks/left_luggage/");
  const names = formsOf(name);
  return formsOf("left_luggage").reduce((changed, form, place) => changed.replaceAll(form, names[place]!), moved);
}

/** Adds a suite to the registry: its import after the last suite's, its object at the end of the list. */
export function register(registry: string, name: string): string {
  const object = name.toUpperCase();
  return registry
    .replace(/(?<=\n)(?=import type \{ Family)/, `import { ${object} } from "./${name}/${name}.ts";\n`)
    .replace(/\n\];/, `\n  ${object},\n];`);
}

/**
 * Writes a suite to start from: the worked example under another name, and its line in the registry.
 *
 * @param name The folder's name in lower case, such as `lost_keys`.
 * @param folder The project's folder.
 * @returns The files in the order in which they are to be filled.
 * @throws {RangeError} If the name has another form or is in use, or if a file exists.
 */
export async function writeBenchmark(name: string, folder = "."): Promise<readonly Written[]> {
  const refuse = (wanted: string): RangeError =>
    new RangeError(`Cannot write the suite as its name must be ${wanted}: current value is "${name}"`);
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
    throw refuse("words in lower case joined by _, such as lost_keys");
  }
  if (name === "all" || BENCHMARKS.some((each) => each.name === name) || findFamily(name) !== undefined) {
    throw refuse("none of a suite, family or task that exists");
  }
  const files = FILES.map(([from, to, what]) => ({
    from: `${folder}/${EXAMPLE}/${from}`,
    path: rename(to, name),
    what,
  }));
  const existing = files.find(({ path }) => existsSync(`${folder}/${path}`));
  if (existing !== undefined) {
    throw new RangeError(`Cannot write the suite as its files must not exist: current value is "${existing.path}"`);
  }
  for (const { from, path } of files) {
    await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, rename(await Deno.readTextFile(from), name));
  }
  const registry = `${folder}/${REGISTRY}`;
  await Deno.writeTextFile(registry, register(await Deno.readTextFile(registry), name));
  await format(files.map(({ path }) => `${folder}/${path}`));
  return [...files.map(({ path, what }) => ({ path, what })), {
    path: REGISTRY,
    what: "its line in the list of suites",
  }];
}

/** Formats files, as a name of another length breaks lines elsewhere. */
async function format(paths: readonly string[]): Promise<void> {
  const args = ["fmt", "--quiet", "--config", "deno.json", ...paths];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(`Cannot format the suite: ${new TextDecoder().decode(stderr)}`);
}
