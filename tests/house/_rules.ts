import type { ExportedName, ImportedName, Source } from "./_source.ts";

/** The rooms of lib in order; a room imports those before it. `<suite>` is any folder of lib/benchmarks or lib/papers. */
export const ROOMS = [
  "base",
  "random",
  "text",
  "scorers",
  "generators",
  "models",
  "simulated",
  "statistics",
  "statistics/failures",
  "figures",
  "benchmarks/benchmark.ts",
  "benchmarks/<suite>",
  "benchmarks",
  "studies",
  "records",
  "asking",
  "reports",
  "certify",
  "exchange",
  "papers/evidence",
  "papers/<suite>",
  "papers/suites",
  "jupyter",
  "cli",
];

/** Notebooks, permissions that commands revoke, connections for one request, and locks of files. */
const ONLY_IN_DENO = ["lib/cli/main.ts", "lib/jupyter/", "lib/models/client.ts", "lib/records/line_files.ts"];

/** The door to everything, for scripts and notebooks of one's own. */
const HOUSE_DOOR = "lib/mod.ts";

/** The room that a file of lib belongs to, as a path without `lib/`; `undefined` for other files. */
export function roomOf(path: string): string | undefined {
  const [, room] =
    /^lib\/(benchmarks\/benchmark\.ts$|(?:benchmarks|papers)\/[^/]+(?=\/)|statistics\/failures(?=\/)|[^/]+(?=\/))/
      .exec(path) ??
      [];
  return room;
}

/** Imports of a room that stands later, of another suite, or of the user's door; a suite loads its own paper when asked for it. */
export function findUpward(files: readonly Source[]): string[] {
  return eachImport(files, ({ path }, { from, name, isLazy }) => {
    const [room, other] = [roomOf(path), roomOf(from)];
    if (isLazy && from === `lib/${room?.replace("benchmarks", "papers")}/paper.ts`) return undefined;
    if (room !== undefined && from === HOUSE_DOOR) return `${path} takes ${name} from ${from}, the user's door`;
    if (room === undefined || other === undefined || room === other) return undefined;
    if (placeOf(other) < placeOf(room)) return undefined;
    const remedy = other === "benchmarks" ? ": a suite takes it from @/lib/benchmarks/benchmark.ts" : "";
    return `${path} takes ${name} from ${other}, a room that does not stand before ${room}${remedy}`;
  });
}

/** Imports of another room that do not go through its door; a suite and a paper are folders without one. */
export function findBackdoors(files: readonly Source[]): string[] {
  return eachImport(files, ({ path }, { from, name }) => {
    const room = roomOf(from);
    if (room === undefined || room === roomOf(path) || path === HOUSE_DOOR || !hasDoor(room)) return undefined;
    return from === doorOf(room) ? undefined : `${path} takes ${name} from ${from}, not from ${doorOf(room)}`;
  });
}

/** Files that import one another at their start, types included; each group once, with the imports that make it. */
export function findCircles(files: readonly Source[]): string[] {
  const next = new Map(
    files.map(({ path, imports }) => {
      const atStart = imports.filter(({ isLazy }) => !isLazy).map(({ from }) => from);
      return [path, [...new Set(atStart)].filter(isOneOf(files))];
    }),
  );
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [...next.get(start)!];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      queue.push(...next.get(path)!);
    }
    return seen;
  };
  const reached = new Map(files.map(({ path }) => [path, reach(path)]));
  const circles = files.map(({ path }) =>
    [...reached.get(path)!].filter((other) => reached.get(other)!.has(path)).sort().join(", ")
  );
  return [...new Set(circles)].filter((circle) => circle !== "").map((circle) => `a circle: ${circle}`);
}

/** Names that a room's door exports and nobody outside the room needs. */
export function findUnused(files: readonly Source[], outside: readonly Source[]): string[] {
  const doors = files.filter(({ path }) => roomOf(path) !== undefined && path === doorOf(roomOf(path)!));
  const users = [...files, ...outside].map((file) => ({
    ...file,
    imports: file.imports.filter(({ from }) => roomOf(from) !== roomOf(file.path) || roomOf(file.path) === undefined),
  }));
  return findUnneeded(doors, { files, users }).map((place) => `${place}, which nobody outside uses`);
}

/** Names that the user's door exports and that no page, notebook or test uses. */
export function findUnshown(files: readonly Source[], outside: readonly Source[]): string[] {
  const doors = files.filter(({ path }) => path === HOUSE_DOOR);
  return findUnneeded(doors, { files, users: outside })
    .map((place) => `${place}, which no page, notebook or test uses`);
}

/** Names that doors export and the users do not need, neither by name nor in the signature of what they take. */
function findUnneeded(
  doors: readonly Source[],
  { files, users }: { readonly files: readonly Source[]; readonly users: readonly Source[] },
): string[] {
  const lookup = new Map(files.map((file) => [file.path, file]));
  const declared = ({ name, from }: Pick<ImportedName, "name" | "from">): string => {
    const taken = lookup.get(from)?.exports.find((other) => other.name === name);
    return taken?.from === undefined ? `${from} ${name}` : declared({ name, from: taken.from });
  };
  const needed = new Set(users.flatMap(({ imports }) => imports.map(declared)));
  const offered = doors.flatMap(({ path, exports }) => exports.map(({ name }) => ({ path, name })));
  // A type that no other file names is still needed where something needed has it in its signature; and a constant where a
  // type is made from it, as `typeof NAMES[number]`.
  const byName = new Map<string, string[]>();
  for (const { path, name } of offered) {
    const key = declared({ name, from: path });
    byName.set(name, [...byName.get(name) ?? [], key]);
  }
  const queue = [...needed];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    const [from, name] = key.split(" ") as [string, string];
    const source = lookup.get(from)?.exports.find((other) => other.name === name);
    for (const mention of source?.mentions ?? []) {
      for (const other of byName.get(mention) ?? []) {
        if (needed.has(other) || !(source!.isType || isTypeAt(lookup, other))) continue;
        needed.add(other);
        queue.push(other);
      }
    }
  }
  return offered.filter(({ path, name }) => !needed.has(declared({ name, from: path })))
    .map(({ path, name }) => `${path} exports ${name}`);
}

/** Packages of npm that enter through more than one room. */
export function findScattered(files: readonly Source[]): string[] {
  const rooms = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const { from } of imports) {
      if (!from.startsWith("npm:")) continue;
      rooms.set(from, (rooms.get(from) ?? new Set()).add(roomOf(path) ?? path));
    }
  }
  return [...rooms].filter(([, entered]) => entered.size > 1)
    .map(([module, entered]) => `${module} enters through ${[...entered].sort().join(", ")}`);
}

/** The files of this project and the packages that are loaded with a file, before anything of it runs. */
export function listLoaded(files: readonly Source[], entry: string): string[] {
  const sources = new Map(files.map((file) => [file.path, file]));
  const loaded = new Set([entry]);
  // A set also goes through what is added on the way.
  for (const path of loaded) {
    for (const { from, isType, isLazy } of sources.get(path)?.imports ?? []) if (!isType && !isLazy) loaded.add(from);
  }
  return [...loaded].sort();
}

/** Private files that are needed by one file, which could hold them, or by none. */
export function findLonely(files: readonly Source[]): string[] {
  return files.filter(({ path }) => /\/_[^/]*$/.test(path)).flatMap(({ path }) => {
    const importers = files.filter(({ imports }) => imports.some(({ from }) => from === path)).map(({ path }) => path);
    return importers.length > 1
      ? []
      : [`${path} is used by ${importers[0] === undefined ? "nobody" : `${importers[0]} alone`}`];
  });
}

/** Files that are named as tests are. */
export function findTests(files: readonly Source[]): string[] {
  return files.filter(({ path }) => /_test\.[^/]+$/.test(path)).map(({ path }) => `${path} is named as a test`);
}

/** Files of lib that use something of Deno's, apart from those for programs and for what Node lacks. */
export function findDeno(files: readonly Source[]): string[] {
  return files.filter(({ path, usesDeno }) => usesDeno && !ONLY_IN_DENO.some((start) => path.startsWith(start)))
    .map(({ path }) => `${path} uses Deno, which Node and Bun lack`);
}

/** Files with more lines than a limit. */
export function findLong(files: readonly Source[], most: number): string[] {
  return files.filter(({ lines }) => lines > most).map(({ path, lines }) =>
    `${path} has ${lines} lines: at most ${most}`
  );
}

/** Files outside of the protocols that compare a value with the name of one, instead of asking it for a property. */
export function findProtocolNames(files: readonly Source[], names: readonly string[]): string[] {
  return files.filter(({ path }) => !path.startsWith("lib/models/protocols/")).flatMap(({ path, compared }) =>
    names.filter((name) => compared.has(name)).map((name) => `${path} compares a value with the protocol "${name}"`)
  );
}

function eachImport(
  files: readonly Source[],
  problem: (file: Source, imported: ImportedName) => string | undefined,
): string[] {
  return files.flatMap((file) => file.imports.flatMap((imported) => problem(file, imported) ?? []));
}

function placeOf(room: string): number {
  const place = ROOMS.indexOf(room);
  return place === -1 ? ROOMS.indexOf(room.replace(/\/.*/, "/<suite>")) : place;
}

function hasDoor(room: string): boolean {
  return !/^(?:benchmarks|papers)\/[^.]+$/.test(room);
}

function doorOf(room: string): string {
  return room.endsWith(".ts") ? `lib/${room}` : `lib/${room}/mod.ts`;
}

function isOneOf(files: readonly Source[]): (path: string) => boolean {
  const paths = new Set(files.map(({ path }) => path));
  return (path) => paths.has(path);
}

function isTypeAt(lookup: ReadonlyMap<string, Source>, key: string): boolean {
  const [from, name] = key.split(" ");
  return lookup.get(from!)?.exports.find((other: ExportedName) => other.name === name)?.isType ?? false;
}
