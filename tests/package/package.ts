import project from "../../deno.json" with { type: "json" };
import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build, stop } from "esbuild";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import ts from "typescript";
import { bundleScript, EXPLORER } from "../explorer/build.ts";
import { licences, output, POLYFILLS, ROOT, stagePackages, writeBelow } from "./_bundles.ts";

/** What scripts import, the shell, and its threads. */
const ENTRIES = ["lib/mod.ts", "lib/cli/main.ts", "lib/cli/sample_worker.ts"] as const;

/** The folder of the code. Its files find the data two folders up, as those of a room do. */
const CODE = "lib/code";

/** Files that the code reads. */
const DATA = [
  "data/haystacks",
  "data/words",
  "data/world",
  "data/published",
  "data/measured",
  "data/studies",
  "data/least_lengths.json",
  "data/models.yaml",
  "data/sources.yaml",
];

/** Files that the code reads beside itself. */
const BESIDE = ["lib/reports/explorer/explorer.css", "lib/reports/explorer/explorer.min.js", "lib/cli/sample_forms"];

/** Packages that only PNG and PDF files need. They are not installed with this one. */
const OPTIONAL = [
  "@expo-google-fonts/inter",
  "@expo-google-fonts/zcool-xiaowei",
  "@resvg/resvg-js",
  "pdfkit",
  "svg-to-pdfkit",
];

/**
 * Builds the package for Node, Bun and Deno, and its tarball: library and shell as JavaScript with everything they import, the types
 * of the library, and the data they read.
 *
 * @param folder Where to build; what is there is replaced.
 * @returns The path of the tarball.
 */
export async function packLibrary(folder: string): Promise<string> {
  const target = join(folder, "package");
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(target, "bin"), { recursive: true });
  // Names of the code have the way to this folder, so it must be the same each time.
  const stage = join(folder, "stage");
  const { "@/": _, ...imports } = project.imports;
  await stagePackages(stage, imports);
  await bundleCode(stage, target);
  await bundleTypes(stage, target);
  await rm(stage, { recursive: true });
  for (const path of DATA) await cp(join(ROOT, path), join(target, path), { recursive: true });
  for (const path of BESIDE) {
    await cp(join(ROOT, path), join(target, CODE, relative(dirname(path), path)), { recursive: true });
  }
  await copyFile(join(ROOT, "LICENSE"), join(target, "LICENSE"));
  // Other pages are not in the package.
  const page = await readFile(join(ROOT, "docs/library.md"), "utf8");
  await writeBelow(target, "README.md", page.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1"));
  await writeBelow(target, "bin/fathom.js", BIN);
  await chmod(join(target, "bin/fathom.js"), 0o755);
  await writeBelow(target, "package.json", `${JSON.stringify(packageFile(), null, 2)}\n`);
  const packed = await output("npm", ["pack", "--silent", "--pack-destination", folder], target);
  return join(folder, packed.trim().split("\n").at(-1)!);
}

/** Bundles the code with its packages, in chunks that are loaded on demand. */
async function bundleCode(stage: string, target: string): Promise<void> {
  const polyfills = join(stage, "polyfills.js");
  await writeFile(polyfills, NODE_POLYFILLS);
  const { metafile } = await build({
    ...{ absWorkingDir: stage, nodePaths: [join(stage, "node_modules")] },
    // For Node, yaml is CommonJS, whose names import() does not find in a bundle.
    alias: { "@": ROOT.slice(0, -1), yaml: join(stage, "node_modules/yaml/browser/index.js") },
    ...{ entryPoints: ENTRIES.map((path) => join(ROOT, path)), entryNames: "[name]", outdir: join(target, CODE) },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node22", charset: "utf8" },
    ...{ inject: [polyfills], external: OPTIONAL.flatMap((name) => [name, `${name}/*`]) },
    ...{ legalComments: "none", metafile: true },
  });
  const explorer = await bundleScript(EXPLORER, stage);
  await stop();
  const door = join(target, CODE, "mod.js");
  // So Deno finds the types, also where the file is imported by path.
  await writeFile(door, `/* @ts-self-types="../mod.d.ts" */\n${await readFile(door, "utf8")}`);
  await writeBelow(
    target,
    "THIRD-PARTY-LICENSES.txt",
    await licences(stage, {
      ...metafile,
      inputs: { ...metafile.inputs, ...explorer.metafile.inputs },
    }),
  );
}

/** Bundles the types of the library and of the packages that they use, in one file without imports. */
async function bundleTypes(stage: string, target: string): Promise<void> {
  const folder = join(stage, "types");
  const program = ts.createProgram([join(ROOT, ENTRIES[0])], {
    ...project.compilerOptions,
    ...{ declaration: true, emitDeclarationOnly: true, allowImportingTsExtensions: true, resolveJsonModule: true },
    // `deno check` checks them.
    ...{ noCheck: true, types: [], target: ts.ScriptTarget.ESNext, lib: ["lib.esnext.d.ts", "lib.dom.d.ts"] },
    ...{ module: ts.ModuleKind.Preserve, rootDir: ROOT, outDir: folder },
    paths: { "@/*": [`${ROOT}*`], "*": [`${stage}/node_modules/*`] },
  });
  const files = new Map<string, string>();
  program.emit(undefined, (path, text) => files.set(relative(folder, path), text));
  for (const [path, text] of files) {
    for (const [, file] of text.matchAll(/^import \w+ from "(\.[^"]+\.json)"/gm)) {
      const json = join(dirname(path), file!);
      // JSON is also the type of its value.
      const type = `declare const value: ${await readFile(join(ROOT, json), "utf8")};\nexport default value;\n`;
      await writeBelow(folder, `${json}.d.ts`, type);
    }
    await writeBelow(folder, path, text.replaceAll(/^(import \w+ from "\.[^"]+\.json)"/gm, '$1.js"'));
  }
  const resolveId = (id: string): string | undefined =>
    id.startsWith("@/") ? join(folder, id.slice(2).replace(/\.ts$/, ".d.ts")) : undefined;
  const paths = { "@/*": [join(folder, "*")] };
  const bundled = await rollup({
    input: join(folder, ENTRIES[0].replace(/\.ts$/, ".d.ts")),
    external: /^node:/,
    plugins: [
      { name: "fathom", resolveId },
      dts({ respectExternal: true, compilerOptions: { paths, skipLibCheck: true } }),
    ],
  });
  const { output: [{ code }] } = await bundled.generate({ format: "es" });
  await bundled.close();
  // The examples import the package.
  await writeBelow(target, "lib/mod.d.ts", code.replaceAll(/^( *\*.*")@\/lib\/[\w/]*mod\.ts"/gm, `$1${project.name}"`));
}

const BIN = `#!/usr/bin/env node
import process from "node:process";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(\`fathom: Cannot start as Node must be 22.15 or later: current value is \${process.versions.node}\`);
  process.exit(1);
}
// Imported here, as earlier versions cannot run it.
const { fathomProcess } = await import("../${CODE}/main.js");
await fathomProcess(process.argv.slice(2), { ownsProcess: true });
`;

/** Refuses versions of Node that are too old, and adds what later ones have. */
const NODE_POLYFILLS = `const version = globalThis.Deno || globalThis.Bun ? "" : process.versions.node;
const [major, minor] = version.split(".").map(Number);
if (version && (major < 22 || (major === 22 && minor < 15))) {
  throw new Error("Cannot import ${project.name} as Node must be 22.15 or later: current value is " + version);
}
${POLYFILLS}`;

/** The package.json. */
function packageFile(): Readonly<Record<string, unknown>> {
  const addresses = Object.values(project.imports);
  const optional = OPTIONAL.map((name) => {
    const [, version] = addresses.flatMap((address) => new RegExp(`^npm:/?${name}@([^/]+)`).exec(address) ?? []);
    return [name, version!] as const;
  });
  return {
    name: project.name,
    version: project.version,
    description: "Measures how much of its context a language model can use: benchmarks, statistics, reports",
    license: project.license,
    type: "module",
    engines: { node: ">=22.15" },
    // With "./" before it, npm warns and rewrites it.
    bin: { fathom: "bin/fathom.js" },
    keywords: ["llm", "long-context", "benchmark", "evaluation", "needle-in-a-haystack", "ruler"],
    exports: { ".": { types: "./lib/mod.d.ts", default: `./${CODE}/mod.js` }, "./package.json": "./package.json" },
    peerDependencies: Object.fromEntries(optional),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  };
}

if (import.meta.main) console.log(await packLibrary(join(ROOT, "dist")));
