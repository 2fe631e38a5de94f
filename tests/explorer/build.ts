import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin, stop } from "esbuild";
import { stagePackages } from "@/tests/package/package.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The script of the explorer's page, as it is committed. */
export const SCRIPT = join(ROOT, "lib/reports/explorer/explorer.min.js");

/**
 * Resolves the project's modules, of which unused ones are dropped, and replaces those of Node by nothing: the pure rooms that the page
 * uses share doors with functions that read files, which it never calls.
 */
const WITHOUT_NODE: Plugin = {
  name: "without-node",
  setup(build) {
    build.onResolve({ filter: /^@\// }, ({ path }) => ({ path: join(ROOT, path.slice(2)), sideEffects: false }));
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => (
      { path: join(resolveDir, path), sideEffects: false }
    ));
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "nothing", sideEffects: false }));
    build.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** Returns the script of the explorer's page: its client with the packages that it imports, minified. */
export async function buildExplorer(): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), "explorer-"));
  try {
    await stagePackages(stage);
    const { outputFiles } = await build({
      absWorkingDir: stage,
      nodePaths: [join(stage, "node_modules")],
      plugins: [WITHOUT_NODE],
      entryPoints: [join(ROOT, "lib/reports/explorer/client/main.ts")],
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      charset: "ascii",
      legalComments: "none",
      write: false,
    });
    return outputFiles[0]!.text;
  } finally {
    await stop();
    await rm(stage, { recursive: true });
  }
}

if (import.meta.main) {
  const script = await buildExplorer();
  await Deno.writeTextFile(SCRIPT, script);
  console.log(`${SCRIPT}: ${script.length} characters`);
}
