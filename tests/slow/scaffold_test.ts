import { equal, match } from "node:assert/strict";
import { inFolder } from "../_folder.ts";

/** Folders that are made on this machine, and no part of a copy of the project. */
const MADE = [".git", ".venv", ".jupyter", ".npm", "dist", "node_modules", "own", "weights"];

/**
 * Parts of `deno task test` that a suite can break; the checks of `deno task ok` are in that of the house. Of the others, the audit is
 * in check-suite, the types are checked below, and kernels, endpoints and commands (jupyter, e2e, cli, models) take too long.
 */
const PARTS = ["docs", "house", "ruler", "runs", "statistics", "suites", "text"];

/** Runs a command in a folder and returns what it prints; it must succeed. */
async function run(cwd: string, command: string, args: readonly string[]): Promise<string> {
  const output = await new Deno.Command(command, { args: [...args], cwd, env: { NO_COLOR: "1" } }).output();
  const text = [output.stdout, output.stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
  equal(output.code, 0, `${command} ${args.join(" ")}\n${text}`);
  return text;
}

/** Gives the copy room for one suite: how much is left in the project is no matter of the scaffold, whose price is checked. */
async function makeRoom(folder: string): Promise<void> {
  const path = `${folder}/tests/house/limits.json`;
  const { rooms, ...limits } = JSON.parse(await Deno.readTextFile(path));
  rooms["lib/benchmarks"] += 500;
  await Deno.writeTextFile(
    path,
    JSON.stringify({ ...limits, rooms, lib: limits.lib + 500, tests: limits.tests + 500 }),
  );
}

Deno.test("a suite of `deno task new-benchmark` passes the checks untouched", { timeout: 600_000 }, async () => {
  await inFolder(async (folder) => {
    const kept = [...Deno.readDirSync(".")].map(({ name }) => name).filter((name) => !MADE.includes(name));
    await run(".", "cp", ["-r", ...kept, folder]);
    await makeRoom(folder);
    const deno = (...args: string[]): Promise<string> => run(folder, Deno.execPath(), args);
    const written = await deno("task", "new-benchmark", "lost_keys");
    const files = written.match(/^(?:lib|tests)\/\S+\.ts/gm)!;
    await deno("task", "record");
    match(await deno("task", "check-suite", "lost_keys"), /cost of lost_keys: tasks \d+ of 460/);
    await deno("check", "--quiet", ...files);
    const flags = ["--no-check", "--quiet", "--parallel", "--preload", "tests/_seed_properties.ts", "-A"];
    await deno("test", ...flags, "tests/data/golden_samples_test.ts", ...PARTS.map((part) => `tests/parts/${part}.ts`));
  });
});
