import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";

/** A part of the frozen file: what a reorganisation of the code must not change. */
export interface FrozenPart {
  readonly name: string;
  /** One fact a line. */
  lines(): Promise<readonly string[]>;
}

const ROOT = new URL("../../", import.meta.url).pathname;

/** Commands whose whole output is frozen. */
const TEXTS: readonly (readonly string[])[] = [
  ["tasks"],
  ["tasks", "niah"],
  ["tasks", "counting_stars"],
  ["tasks", "graphwalks_bfs"],
  ["plan", "data/studies/15-graphwalks.yaml"],
  ["plan", "data/studies/07-editions.yaml"],
  ["plan", "--tasks", "ruler", "--lengths", "4K,128K", "--samples", "50"],
  ["report", "measured/gemma-3-270m/ruler", "--no-figures"],
  ["report", "measured/gemma-3-270m/cdme", "--no-figures"],
  ["report", "measured/gemma-3-270m/ruler", "measured/smollm2-135m-instruct/ruler", "--no-figures"],
  ["report", "failures", "measured/smollm2-135m-instruct/ruler"],
  ["report", "limits", "measured/gemma-3-270m/ruler"],
];

/** The parts in the order of the file. */
export const PARTS: readonly FrozenPart[] = [
  { name: "golden samples", lines: hashGolden },
  { name: "verdicts on published numbers", lines: listPublishedVerdicts },
  { name: "scores and verdicts of measured runs", lines: listMeasuredScores },
  { name: "certificates", lines: hashCertificates },
  ...TEXTS.map((args): FrozenPart => ({ name: `fathom ${args.join(" ")}`, lines: () => runFathom(args) })),
];

/** Hashes of the files of golden samples and replies, whose own tests compare them with what is made today. */
async function hashGolden(): Promise<readonly string[]> {
  const folder = join(ROOT, "tests/data/golden_samples");
  const names = (await readdir(folder)).sort();
  return await Promise.all(names.map(async (name) => `${name} ${shortHash(await readFile(join(folder, name)))}`));
}

async function listPublishedVerdicts(): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name, paper } of BENCHMARKS) {
    for (const set of (await paper?.())?.claims ?? []) {
      for (const { id, verdict, observed } of await set.check()) {
        lines.push(`${name}, ${set.name}, ${id}: ${verdict}: ${observed}`);
      }
    }
  }
  return lines;
}

async function listMeasuredScores(): Promise<readonly string[]> {
  const folder = join(ROOT, "data/measured");
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".jsonl.gz"));
  const names = files.filter((path) => !/^(labels|certificates)/.test(path)).map((path) => path.slice(0, -9)).sort();
  const lines: string[] = [];
  for (const name of names) {
    const run = name.endsWith("/records") ? `data/measured/${dirname(name)}` : `measured/${name}`;
    const report = JSON.parse((await runFathom(["report", run, "--json"])).join("\n"));
    for (const { task, length, n, score, low, high, failed } of report.rows) {
      lines.push(`${name} ${task} ${length}: ${score} [${low}, ${high}] of ${n}, ${failed} failed`);
    }
    for (const { id, verdict, observed } of report.claims) lines.push(`${name} ${id}: ${verdict}: ${observed}`);
  }
  return lines;
}

/** Hashes of the recorded certificates' files. */
async function hashCertificates(): Promise<readonly string[]> {
  const folder = join(ROOT, "data/measured/certificates");
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".json")).sort();
  return await Promise.all(paths.map(async (path) => `${path} ${shortHash(await readFile(join(folder, path)))}`));
}

/** The lines that a command prints. */
async function runFathom(args: readonly string[]): Promise<readonly string[]> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", "lib/cli/main.ts", ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(`fathom ${args.join(" ")} failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trimEnd().split("\n").map((line) => line.trimEnd());
}

function shortHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
