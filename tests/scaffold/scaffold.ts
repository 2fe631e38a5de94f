import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** The names of a benchmark in the forms that files use. */
interface Names {
  /** `left_luggage`: its folder and its name in studies. */
  readonly snake: string;
  /** `LEFT_LUGGAGE`: its object. */
  readonly constant: string;
  /** `left-luggage`: its study and suite. */
  readonly kebab: string;
  /** `Left luggage`: its title. */
  readonly title: string;
}

/** The worked example of CONTRIBUTING.md: its files by their paths, which their first lines state. */
export function readExample(page: string): Map<string, string> {
  const blocks = page.matchAll(/^```(?:ts|yaml)\n(?:\/\/|#) (\S+)[^\n]*\n(.*?)^```/gms);
  return new Map(Array.from(blocks, ([, path, text]) => [path!, text!]));
}

/** Adds an import and a name to a registry, as the example's lines for it have them. */
export function register(registry: string, lines: string): string {
  const [, imported] = /^(import .*;)$/m.exec(lines) ?? [];
  const [, name] = /\n( {2}\w+,)\n\];/.exec(lines) ?? [];
  if (imported === undefined || name === undefined) {
    throw new TypeError("Cannot register the benchmark as the example must have an import and a name: there is none");
  }
  return registry.replace(/\n\];/, `\n${name}\n];`).replace(/^/, `${imported}\n`);
}

/**
 * Writes a benchmark to start from: the worked example of CONTRIBUTING.md under another name, and its line in the registry.
 *
 * @param name The folder's name in lower case, such as `lost_keys`.
 * @param folder The project's folder.
 * @returns The paths written.
 * @throws {RangeError} If the name has another form or a file of that name exists.
 */
export async function writeBenchmark(name: string, folder = "."): Promise<readonly string[]> {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
    throw new RangeError(
      `Cannot write the benchmark as its name must be words in lower case joined by _, such as lost_keys: current value is "${name}"`,
    );
  }
  const example = readExample(await Deno.readTextFile(`${folder}/CONTRIBUTING.md`));
  const files = Array.from(example, ([path, text]) => ({ path: rename(path, name), text: rename(text, name) }));
  const isRegistry = (path: string): boolean => path.endsWith("/registry.ts");
  const existing = files.find(({ path }) => !isRegistry(path) && existsSync(`${folder}/${path}`));
  if (existing !== undefined) {
    throw new RangeError(`Cannot write the benchmark as its files must not exist: "${existing.path}" does`);
  }
  for (const { path, text } of files) {
    const place = `${folder}/${path}`;
    await Deno.mkdir(dirname(place), { recursive: true });
    await Deno.writeTextFile(place, isRegistry(path) ? register(await Deno.readTextFile(place), text) : text);
  }
  return files.map(({ path }) => path);
}

function namesOf(snake: string): Names {
  const words = snake.split("_");
  const text = words.join(" ");
  return {
    snake,
    constant: snake.toUpperCase(),
    kebab: words.join("-"),
    title: `${text[0]!.toUpperCase()}${text.slice(1)}`,
  };
}

/** Replaces the names of the example; its tasks and its family get the benchmark's name, as names of tasks are unique. */
function rename(text: string, name: string): string {
  const [old, names] = [namesOf("left_luggage"), namesOf(name)];
  const renamed = (Object.keys(old) as (keyof Names)[]).reduce(
    (changed, form) => changed.replaceAll(old[form], names[form]),
    text,
  );
  return renamed.replaceAll(/"(?:one|five)_locker(s?)"/g, (task) => `"${name}_${task.slice(1)}`)
    .replaceAll(/\b(one|five)_(lockers?): \{/g, `${name}_$1_$2: {`)
    .replaceAll('name: "lockers"', `name: "${name}_lockers"`)
    .replaceAll('task.name, "lockers"', `task.name, "${name}_lockers"`)
    .replaceAll("make task lockers", `make task ${name}_lockers`);
}
