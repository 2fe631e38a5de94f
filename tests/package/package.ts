import project from "../../deno.json" with { type: "json" };
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The name under which the library is imported. */
export const PACKAGE_NAME = "fathom-long-context";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The file that a script imports. */
const DOOR = "lib/mod.ts";

/** What the library reads when it runs; what it imports is part of its modules. */
const DATA = [
  "data/haystacks",
  "data/words",
  "data/world",
  "data/published",
  "data/measured",
  "data/least_lengths.json",
  "data/models.yaml",
  "data/sources.yaml",
];

/**
 * Builds the package: the library as JavaScript with its types, the data it reads, and a package.json, then a tarball of them.
 *
 * @param folder Where to build; what is there is replaced.
 * @returns The path of the tarball.
 */
export async function packLibrary(folder: string): Promise<string> {
  const target = join(folder, PACKAGE_NAME);
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const modules = await listModules();
  await transpile(modules.filter((path) => path.endsWith(".ts")), target);
  for (const path of DATA) await copyAll(path, target);
  await copyAll("lib/reports/sample_page.css", target);
  await copyAll("LICENSE", target);
  await Deno.copyFile(join(ROOT, "docs/library.md"), join(target, "README.md"));
  const sources = modules.filter((path) => path.startsWith("lib/"));
  await Deno.writeTextFile(join(target, "package.json"), `${JSON.stringify(await packageFile(sources), null, 2)}\n`);
  const packed = await output("npm", ["pack", "--silent", "--pack-destination", folder], target);
  return join(folder, packed.trim().split("\n").at(-1)!);
}

/** The project's own modules that the door needs, raw imports among them. */
async function listModules(): Promise<readonly string[]> {
  const text = await output(Deno.execPath(), ["info", "--json", DOOR], ROOT);
  const { modules } = JSON.parse(text) as { readonly modules: readonly { readonly specifier: string }[] };
  return modules.map(({ specifier }) => specifier).filter((specifier) => specifier.startsWith("file:"))
    .map((specifier) => relative(ROOT, fileURLToPath(specifier)));
}

/** Writes modules as JavaScript with their types. */
async function transpile(paths: readonly string[], target: string): Promise<void> {
  const stage = await Deno.makeTempDir({ prefix: "fathom-package-" });
  try {
    const { imports, compilerOptions } = project;
    await writeBelow(
      stage,
      "deno.json",
      JSON.stringify({ imports, compilerOptions: { ...compilerOptions, skipLibCheck: true } }),
    );
    const raw = new Set<string>();
    for (const path of paths) {
      const { text, needs } = relativeImports(await Deno.readTextFile(join(ROOT, path)), path);
      await writeBelow(stage, path, text);
      for (const need of needs) raw.add(need);
    }
    for (const path of raw) {
      await writeBelow(stage, `${path}.ts`, rawModule(await Deno.readTextFile(join(ROOT, path)), path));
    }
    const all = [...paths, ...[...raw].map((path) => `${path}.ts`)];
    const flags = ["transpile", "--quiet", "--no-lock", "--declaration", "--source-map=none", "--outdir", target];
    await output(Deno.execPath(), [...flags, ...all], stage);
    for (const path of all) await finishModule(path, { stage, target });
    await writeBelow(target, "lib/polyfills.js", POLYFILLS);
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

/** A module whose imports of the project are relative, and the files that it imports as they are. */
function relativeImports(text: string, path: string): { readonly text: string; readonly needs: readonly string[] } {
  const needs: string[] = [];
  const toFile = (specifier: string): string =>
    specifier.startsWith("@/") ? specifier.slice(2) : join(dirname(path), specifier);
  const toRelative = (file: string): string => {
    const way = relative(dirname(path), file);
    return way.startsWith(".") ? way : `./${way}`;
  };
  const lines = text.split("\n").map((line) => {
    if (/^\s*\*/.test(line)) return line.replace(`"@/${DOOR}"`, `"${PACKAGE_NAME}"`);
    const raw = /^(import \w+ from )"([^"]+)" with \{ type: "(?:json|text)" \};$/.exec(line);
    if (raw !== null) {
      const file = toFile(raw[2]!);
      needs.push(file);
      return `${raw[1]}"${toRelative(`${file}.ts`)}";`;
    }
    return line.replace(
      /(from |import )"@\/([^"]+)"/,
      (_, before: string, file: string) => `${before}"${toRelative(file)}"`,
    );
  });
  return { text: lines.join("\n"), needs };
}

/** A file as a module: Node takes neither text nor, without a warning, JSON. */
function rawModule(text: string, path: string): string {
  if (path === "deno.json") return `export default ${JSON.stringify({ version: project.version })};\n`;
  return path.endsWith(".json")
    ? `export default ${text};\n`
    : `const text: string = ${JSON.stringify(text)};\nexport default text;\n`;
}

/** Names the JavaScript in a module's imports. */
async function finishModule(
  path: string,
  { stage, target }: { readonly stage: string; readonly target: string },
): Promise<void> {
  const toRelative = (file: string): string => {
    const way = relative(dirname(path), file);
    return way.startsWith(".") ? way : `./${way}`;
  };
  for (const ending of [".js", ".d.ts"]) {
    const file = join(target, path.replace(/\.ts$/, ending));
    // The compiler notes the folder in which the files lay.
    const text = (await Deno.readTextFile(file)).replaceAll(/^\/\/(?: @ts-types=|\/ <amd-module ).*\n/gm, "")
      .replaceAll(`import("${pathToFileURL(stage)}/`, 'import("@/')
      .replaceAll(/import\("@\/([^"]+)"/g, (_, of: string) => `import("${toRelative(of)}"`)
      .replaceAll(/((?:from |import |import\()")(\.[^"]+)\.ts"/g, '$1$2.js"');
    const isCode = ending === ".js";
    const head = [
      // So Deno finds the types, also where the file is imported by path.
      ...(isCode ? [`/* @ts-self-types="./${basename(path).replace(/\.ts$/, ".d.ts")}" */`] : []),
      // The door imports it first: what Node lacks is there before any other module runs.
      ...(isCode && path === DOOR ? [`import "./polyfills.js";`] : []),
    ].map((line) => `${line}\n`).join("");
    await Deno.writeTextFile(file, `${head}${isCode ? await lower(text) : text}`);
  }
}

/** Rewrites `using` as try and finally: Node has it from version 24 on. */
async function lower(code: string): Promise<string> {
  if (!/^ *(?:await )?using /m.test(code)) return code;
  const { default: { ModuleKind, ScriptTarget, transpile } } = await import("typescript");
  return transpile(code, { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 });
}

/** Functions of the language that Deno has and that Node lacks in version 22 or 24. */
const POLYFILLS = `const hex = (code) => code.toString(16).padStart(2, "0");
RegExp.escape ??= (text) => text.replaceAll(/^[0-9A-Za-z]|[!-/:-@[-^\`{-~]/g, (sign) => "\\\\x" + hex(sign.charCodeAt()));
Uint8Array.prototype.toBase64 ??= function () {
  return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString("base64");
};
for (const { prototype } of [Map, WeakMap]) {
  prototype.getOrInsertComputed ??= function (key, compute) {
    if (!this.has(key)) this.set(key, compute(key));
    return this.get(key);
  };
  prototype.getOrInsert ??= function (key, value) {
    return this.getOrInsertComputed(key, () => value);
  };
}
`;

/** The package.json: exact versions of the packages that the modules import, as the project has them. */
async function packageFile(paths: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(join(ROOT, path))));
  const used = Object.entries(project.imports).filter(([name]) =>
    texts.some((text) =>
      name.endsWith("/") ? text.includes(`"${name}`) || text.includes(`\`${name}`) : text.includes(`"${name}"`)
    )
  );
  const versions = used.flatMap(([, address]) => {
    const [, name, version] = /^npm:\/?(@?[^@]+)@([^/]+)\/?$/.exec(address) ?? [];
    return name === undefined ? [] : [[name, version] as const];
  });
  const dependencies = Object.fromEntries(versions.toSorted());
  const door = DOOR.replace(/\.ts$/, "");
  return {
    name: PACKAGE_NAME,
    version: project.version,
    description: "Long-context benchmarks: prompts of exact length, scorers, statistics and figures",
    license: project.license,
    type: "module",
    engines: { node: ">=22.15" },
    exports: { ".": { types: `./${door}.d.ts`, default: `./${door}.js` }, "./package.json": "./package.json" },
    dependencies,
  };
}

async function copyAll(path: string, target: string): Promise<void> {
  const [from, to] = [join(ROOT, path), join(target, path)];
  if (!(await Deno.stat(from)).isDirectory) {
    await Deno.mkdir(dirname(to), { recursive: true });
    return await Deno.copyFile(from, to);
  }
  for await (const { name } of Deno.readDir(from)) await copyAll(join(path, name), target);
}

async function writeBelow(folder: string, path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
  await Deno.writeTextFile(join(folder, path), text);
}

/** What a program prints; an error with what it says where it fails. */
async function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd, env: { NO_COLOR: "1" } })
    .output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(
    `Cannot build the package as ${program} ${args[0]} must succeed: ${decoder.decode(stderr).slice(-2000)}`,
  );
}

if (import.meta.main) console.log(await packLibrary(join(ROOT, "dist")));
