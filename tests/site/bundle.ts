import project from "../../deno.json" with { type: "json" };
import { rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build, type Plugin, stop } from "esbuild";
import { licences, POLYFILLS, ROOT, stagePackages, writeBelow } from "../package/_bundles.ts";

/** Packages that run in the browser. */
const PACKAGES = ["@noble/hashes/", "fastest-levenshtein", "js-tiktoken/", "lit-html", "seedrandom"] as const;

/**
 * Bundles code for browsers: the page that makes samples, and the maker alone, with a chunk for each encoding.
 *
 * @param folder Where the code goes.
 * @returns The files of `lib` in it.
 */
export async function bundleForBrowsers(folder: string): Promise<readonly string[]> {
  const stage = join(folder, "stage");
  await stagePackages(stage, Object.fromEntries(PACKAGES.map((name) => [name, project.imports[name]])));
  const polyfills = join(stage, "polyfills.js");
  await writeFile(polyfills, POLYFILLS);
  const { metafile } = await build({
    absWorkingDir: stage,
    nodePaths: [join(stage, "node_modules")],
    entryPoints: ["make_page.ts", "samples.ts"].map((name) => join(ROOT, "tests/site", name)),
    outdir: folder,
    inject: [polyfills],
    plugins: [FOR_BROWSERS],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
  });
  await stop();
  await writeBelow(folder, "THIRD-PARTY-LICENSES.txt", await licences(stage, metafile));
  await rm(stage, { recursive: true });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return used.map((path) => relative(ROOT, join(stage, path))).filter((path) => path.startsWith("lib/"));
}

/** The project's own code, without what the bundle does not use. */
const OWN = ["lib/", "tests/site/"].map((folder) => join(ROOT, folder));

/** Leaves out what the bundle does not use, and has `browser_node.ts` in place of Node's modules. */
const FOR_BROWSERS: Plugin = {
  name: "for browsers",
  setup({ onLoad, onResolve }): void {
    onResolve({ filter: /./ }, ({ path, importer, kind }) => {
      const isOwn = OWN.some((folder) => importer.startsWith(folder));
      if (!isOwn || PACKAGES.some((name) => path.startsWith(name))) return undefined;
      // Papers, and readers of the user's own files.
      if (kind === "dynamic-import") return { path, external: true };
      if (!/^[@.]\.?\//.test(path)) return { path: "node", namespace: "node", sideEffects: false };
      const file = path.startsWith("@/") ? join(ROOT, path.slice(2)) : join(dirname(importer), path);
      // Samples need no more than this of the room that asks models.
      return { path: file.replace("lib/models/mod.ts", "lib/models/json.ts"), sideEffects: false };
    });
    const contents = `module.exports = require("${join(ROOT, "tests/site/browser_node.ts")}");`;
    onLoad({ filter: /./, namespace: "node" }, () => ({ contents, resolveDir: ROOT }));
  },
};
