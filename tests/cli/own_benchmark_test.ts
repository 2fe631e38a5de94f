import { deepEqual, equal, match, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { shell, withRunName } from "./_shell.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { BENCHMARKS, checkStudy, openBenchmark, readRun, runStudy, simulatedModel, summarise } from "@/lib/mod.ts";

const EXAMPLE = new URL("../../docs/examples/word_at_depth.ts", import.meta.url);

/** Runs a test with a copy of the example outside the repository, and the name of a run that is gone afterwards. */
async function withCopy(use: (file: string, run: string) => Promise<void>): Promise<void> {
  await withRunName((run) =>
    inFolder(async (folder) => {
      await Deno.copyFile(EXAMPLE, `${folder}/mine.ts`);
      await use(`${folder}/mine.ts`, run);
    })
  );
}

/** Writes a benchmark file and tells how opening it fails. */
async function refuse(text: string): Promise<string> {
  return await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/wrong.ts`, text);
    const { code, err } = await shell("tasks", "--benchmark", `${folder}/wrong.ts`);
    equal(code, 2);
    equal(err.length, 1);
    return err[0]!.replace(folder, "");
  });
}

Deno.test("fathom run --benchmark asks the tasks of a file outside the repository, and reports scores, claims and figures", async () => {
  await withCopy(async (file, run) => {
    const asked = await shell(
      ...["run", "--benchmark", file, "--lengths", "512,2K", "--samples", "6", "--model", "sim:ideal", "--name", run],
    );
    equal(asked.code, 0, asked.err.join("\n"));
    match(asked.out, /word-at-depth-1: .*\n.*\n\nTask +512 +2K\n[- ]+\none_door +100\.0 .*\nsix_doors +100\.0 /);
    const { out } = await shell("report", run, "--json", "--benchmark", file);
    const { rows, claims, suite } = JSON.parse(out);
    equal(suite, "word-at-depth-1");
    deepEqual(rows.map(({ task, length, score }: Record<string, unknown>) => [task, length, score]).slice(0, 4), [
      ["one_door", 512, 100],
      ["one_door", 2048, 100],
      ["six_doors", 512, 100],
      ["six_doors", 2048, 100],
    ]);
    deepEqual(claims.map(({ id }: Record<string, unknown>) => id), ["W1"]);
    const { err } = await shell("report", run, "--benchmark", file);
    ok(err.filter((line) => line.endsWith(".svg")).length >= 2);
    match((await shell("show", run, "--task", "six_doors", "--benchmark", file)).out, /distractor "\w+" at/);
  });
});

Deno.test("fathom generate, tasks and report failures know the tasks of a file; lengths are exact", async () => {
  await withCopy(async (file, run) => {
    const { out } = await shell(
      ...["generate", "--benchmark", file, "--task", "all", "--length", "777", "--samples", "5", "--facts"],
    );
    const samples = out.trimEnd().split("\n").map((line) => JSON.parse(line));
    deepEqual([...new Set(samples.map(({ task }) => task))], ["one_door", "six_doors"]);
    for (const { length, facts, outputs, question } of samples) {
      match(question, /^Which word opens the \w+ door\? Answer with that word alone\.$/);
      ok(length <= 777 && length > 777 - 12, `${length}`);
      equal(facts.find(({ role }: { role: string }) => role === "target").value, outputs[0]);
    }
    match((await shell("tasks", "--benchmark", file)).out, /^Word at depth .*\n {2}one_door /);
    match((await shell("tasks", "one_door", "--benchmark", file)).out, /doors=1 +a whole number from 1 to 10/);
    const ask = ["run", "--benchmark", file, "--tasks", "six_doors", "--set", "doors=3", "--lengths", "512"];
    equal((await shell(...ask, "--samples", "3", "--model", "sim:mute", "--name", run)).code, 0);
    match((await shell("report", "failures", run, "--benchmark", file)).out, /six_doors +512 +3 +3 +empty 3/);
  });
});

Deno.test("fathom run --benchmark asks a real endpoint and resumes; without the flag the error names it", async () => {
  await using server = await serveSimulated({ profile: "mute" });
  await withCopy(async (file, run) => {
    const ask = ["run", "--benchmark", file, "--lengths", "512", "--model", "mute", "--base-url", server.url];
    equal((await shell(...ask, "--samples", "2", "--name", run)).code, 0);
    const { err } = await shell(...ask, "--samples", "3", "--name", run);
    ok(err.some((line) => line.startsWith("2 of 6 questions to ask")), err.join("\n"));
    const refused = await shell("report", run);
    deepEqual([refused.code, refused.err.length], [2, 1]);
    match(refused.err[0]!, /its benchmark must be given, by --benchmark \S+mine\.ts .*called "word-at-depth"$/);
  });
});

Deno.test("openBenchmark() gives a notebook the same scores as the shell", async () => {
  await withCopy(async (file) => {
    const folder = await Deno.makeTempDir();
    const benchmarks = [await openBenchmark(file), ...BENCHMARKS];
    const study = checkStudy({ tasks: "all", lengths: [512], samples: 4 });
    const run = await runStudy(study, {
      name: "own",
      model: simulatedModel("ideal"),
      folder,
      benchmarks,
    });
    deepEqual(summarise(run.replies).map(({ task, score }) => [task, score]), [["one_door", 100], ["six_doors", 100]]);
    deepEqual((await readRun("own", { folder, benchmarks })).manifest.benchmarks, { "word-at-depth": file });
    await Deno.remove(folder, { recursive: true });
  });
});

Deno.test.each([
  [
    "no default export",
    "export const benchmark = 1;",
    /its default export must be a benchmark .*current value is none$/,
  ],
  [
    "no families",
    'export default { name: "a", title: "A", source: "s", families: [], tasks: [] };',
    /families must be .*: current value is \[\]$/,
  ],
  [
    "a field that it has not",
    'export default { name: "a", title: "A", source: "s", claims: [] };',
    /"claims" is unknown/,
  ],
  ["no TypeScript", "export default {", /"\/wrong\.ts" as it must run as TypeScript: /],
  ["code that throws", 'throw new Error("broken"); export default 1;', /must run as TypeScript: broken$/],
  [
    "a task that is Fathom's",
    'import { BENCHMARKS } from "@/lib/mod.ts"; export default { ...BENCHMARKS[0], name: "mine" };',
    /its names must be none of Fathom's own: current value is "niah"$/,
  ],
] as [string, string, RegExp][])("fathom tasks --benchmark refuses %s in one line", async (_name, text, wanted) => {
  match(await refuse(text), wanted);
});

Deno.test("docs/own-benchmark.md builds the example, part by part", async () => {
  const page = await Deno.readTextFile(new URL("../own-benchmark.md", EXAMPLE));
  const parts = Array.from(page.matchAll(/```ts ignore\n([^]*?)\n```/g), ([, part]) => part!);
  const example = await Deno.readTextFile(EXAMPLE);
  for (const part of parts) ok(example.includes(part), part.slice(0, 60));
  equal(parts.join("").replaceAll(/\s/g, "").length, example.replaceAll(/\s/g, "").length);
  ok(example.split("\n").length <= 80);
});
