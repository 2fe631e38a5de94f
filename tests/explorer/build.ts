import project from "../../deno.json" with { type: "json" };
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type BuildResult, type Plugin, stop } from "esbuild";
import { parse } from "vega";
import { compile } from "vega-lite";
import { CHART_CONFIG, SPECS } from "./charts.ts";
import { ROOT, stagePackages } from "../package/_bundles.ts";

/** A script of a page, as it is committed, and the client that it is built from. */
export interface Script {
  readonly file: string;
  readonly client: string;
  /** Returns the constants of the client. */
  readonly define: () => Readonly<Record<string, string>>;
}

/** The script of the explorer's page. */
export const EXPLORER: Script = {
  file: "lib/reports/explorer/explorer.min.js",
  client: "lib/reports/explorer/client/main.ts",
  // The runtime reads trees alone, so expressions as text are left out.
  define: () => ({
    CHARTS: JSON.stringify(compileCharts(), (key, value) => /^(code|raw)$/.test(key) ? undefined : value),
  }),
};

/** All scripts: those of the explorer's page, of thresholds, and of the reports of notebooks. */
export const SCRIPTS: readonly Script[] = [EXPLORER, {
  file: "lib/reports/explorer/thresholds.min.js",
  client: "lib/reports/explorer/client/thresholds.ts",
  define: () => ({ STYLE: JSON.stringify(Deno.readTextFileSync(join(ROOT, "lib/reports/explorer/explorer.css"))) }),
}, {
  file: "lib/jupyter/templates/report/report.min.js",
  client: "lib/jupyter/client/main.ts",
  define: () => ({}),
}];

/** What the page needs of `node:crypto`: random streams are seeded by hashes, at once, as the browser's own function does not. */
const CRYPTO = `
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
export function createHash() {
  const hash = sha256.create();
  return {
    update(part) {
      hash.update(typeof part === "string" ? new TextEncoder().encode(part) : part);
      return this;
    },
    digest: () => bytesToHex(hash.digest()),
  };
}`;

/**
 * Resolves the project's modules, of which unused ones are dropped, and replaces those of Node by nothing: the pure rooms that the page
 * uses share doors with functions that read files, which it never calls. Hashes are computed.
 */
const WITHOUT_NODE: Plugin = {
  name: "without-node",
  setup(build): void {
    build.onResolve({ filter: /^@\// }, ({ path }) => ({ path: join(ROOT, path.slice(2)), sideEffects: false }));
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => (
      { path: join(resolveDir, path), sideEffects: false }
    ));
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "nothing", sideEffects: false }));
    const { absWorkingDir: resolveDir = ROOT } = build.initialOptions;
    build.onLoad({ filter: /^node:crypto$/, namespace: "nothing" }, () => ({ contents: CRYPTO, resolveDir }));
    build.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** Builds a script: its client with the packages that it imports, minified. */
export async function buildScript(script: Script): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), "explorer-"));
  try {
    const { "@/": _, ...imports } = project.imports;
    await stagePackages(stage, imports);
    const { outputFiles } = await bundleScript(script, stage);
    // One line: those that are left are in templates.
    return outputFiles[0]!.text.trim().replaceAll("\n", "\\n");
  } finally {
    await stop();
    await rm(stage, { recursive: true });
  }
}

/** Bundles the client of a script with the packages of a folder, {@linkcode stagePackages}. */
export function bundleScript(
  { client, define }: Script,
  stage: string,
): Promise<BuildResult<{ readonly write: false; readonly metafile: true }>> {
  return build({
    absWorkingDir: stage,
    nodePaths: [join(stage, "node_modules")],
    plugins: [WITHOUT_NODE],
    define: define(),
    entryPoints: [join(ROOT, client)],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    metafile: true,
    write: false,
  });
}

/** Compiles the charts to what Vega's runtime reads, with expressions as trees, as the policy of the page forbids `eval`. */
function compileCharts(): Readonly<Record<string, unknown>> {
  const charts = Object.entries(SPECS).map(([name, spec]) => {
    const compiled = compile(spec, { config: CHART_CONFIG }).spec;
    // A brush is no mark of the data, and has no name for screen readers.
    for (const mark of compiled.marks ?? []) if (mark.name?.startsWith("brush_")) mark.aria = false;
    return [name, parse(compiled, undefined, { ast: true })];
  });
  return Object.fromEntries(charts);
}

if (import.meta.main) {
  for (const script of SCRIPTS) {
    const text = await buildScript(script);
    await Deno.writeTextFile(join(ROOT, script.file), text);
    console.log(`${script.file}: ${text.length} characters`);
  }
}
