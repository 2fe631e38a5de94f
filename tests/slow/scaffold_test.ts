import { equal, match } from "node:assert/strict";
import { listTests } from "../_part.ts";
import { inFolder } from "../_folder.ts";

/** Folders that are made on this machine, and no part of a copy of the project. */
const MADE = [".git", ".venv", ".jupyter", ".npm", "dist", "node_modules", "own", "weights"];

/** What a test file reads if a new suite is among its cases. */
const READS_SUITES = /\b(?:BENCHMARKS|listFamilies|findFamily|namedTasks|AUDITS|FILES)\b/;

/**
 * Left out: tests that take minutes and start kernels, endpoints and servers; what `record` and `check-suite` have run; and the room
 * that is left in the project, which is no matter of a scaffold, as its price is checked.
 */
const LEFT_OUT =
  /^(?:slow|proofs|e2e|jupyter|models|package|audit|data)\/|^benchmarks\/(?:laws|price)_test\.ts$|^house\/(?:size|contributing)_test\.ts$/;

/** The tests that a suite can break: those that read the suites, pages and the house, with the checks of `deno task ok`. */
function listTouched(): readonly string[] {
  return listTests(".").filter((path) =>
    !LEFT_OUT.test(path) &&
    (/^(?:house|docs)\//.test(path) || READS_SUITES.test(Deno.readTextFileSync(`tests/${path}`)))
  );
}

/** Runs a command in a folder and returns what it prints; it must succeed. */
async function run(cwd: string, command: string, args: readonly string[]): Promise<string> {
  const output = await new Deno.Command(command, { args: [...args], cwd, env: { NO_COLOR: "1" } }).output();
  const text = [output.stdout, output.stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
  equal(output.code, 0, `${command} ${args.join(" ")}\n${text.slice(Math.max(0, text.indexOf(" ERRORS ")))}`);
  return text;
}

Deno.test("a suite of `deno task new-benchmark` passes the checks untouched", { timeout: 600_000 }, async () => {
  await inFolder(async (folder) => {
    const kept = [...Deno.readDirSync(".")].map(({ name }) => name).filter((name) => !MADE.includes(name));
    await run(".", "cp", ["-r", ...kept, folder]);
    const deno = (...args: string[]): Promise<string> => run(folder, Deno.execPath(), args);
    const written = await deno("task", "new-benchmark", "box_office");
    await deno("task", "record");
    match(await deno("task", "check-suite", "box_office"), /^cost of box_office: tasks \d+ of 460/m);
    await deno("check", "--quiet", ...written.match(/^(?:lib|tests)\/\S+\.ts/gm)!);
    const tests = listTouched().map((path) => `tests/${path}`);
    await deno("test", "--no-check", "--quiet", "-A", "--preload", "tests/_seed_properties.ts", ...tests);
  });
});
