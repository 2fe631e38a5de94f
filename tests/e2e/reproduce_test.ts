import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { findReady, makeProject, named, type TestProject } from "./_project.ts";
import { parseNotebook } from "@/lib/jupyter/notebook.ts";
import { type Progress, reproduceNotebook } from "@/lib/jupyter/reproduce.ts";

const jupyter = await findReady("run");
const missing = { "Jupyter is not set up; deno task setup does it": jupyter === undefined };

/** Where a test runs: each starts Jupyter, a kernel too, which takes seconds, so `deno task test` keeps to the two that tell most. */
type Where = "test" | "slow" | "both";

function test(name: string, where: Where, run: (project: TestProject) => Promise<void>): void {
  Deno.test({
    name: named(name, missing),
    ignore: jupyter === undefined || where === cases("slow", "test"),
    fn: async () => {
      if (jupyter === undefined) return;
      const project = await makeProject(jupyter, { "01-tiny": "tiny", "02-failing": "failing" });
      await run(project).finally(project.remove);
    },
  });
}

function read(project: TestProject, path: string): Promise<string> {
  return Deno.readTextFile(`${project.folder}/${path}`);
}

/** A report without the minute it was made in, which alone may differ between two of them. */
function withoutMinute(page: string): string {
  match(page, MINUTE);
  return page.replace(MINUTE, "");
}

const MINUTE = /\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/;

test(
  "reproduceNotebook() writes every output back, in a form that a second run leaves byte for byte",
  "both",
  async (project) => {
    const { folder, jupyter } = project;
    const progress: Progress[] = [];
    const ended = await reproduceNotebook("01-tiny", { folder, jupyter, onProgress: (step) => progress.push(step) });
    equal(ended.failure, undefined);
    const text = await read(project, "notebooks/01-tiny.ipynb");
    const { cells, metadata } = parseNotebook(text);
    deepEqual(cells.map((cell) => cell.executionCount), [null, 1, 2, 3, 4, 5, 6, 7, 8]);
    deepEqual(cells.map((cell) => cell.outputs.length), [0, 0, 0, 0, 1, 1, 1, 2, 0]);
    match(JSON.stringify(cells[4]?.outputs), /3 of 3 steps/);
    equal(cells[7]?.outputs[0]?.["text"], "3 samples of sim:ideal\n");
    deepEqual(Object.keys(metadata["language_info"] ?? {}).includes("version"), false);
    equal(Object(metadata["language_info"])["name"], "typescript");

    // Notes are at least 0.2 seconds apart, so a busy machine leaves some out.
    ok(progress.some(({ note }) => /^\d of 3 steps$/.test(note)), "progress has what the cell at hand shows");
    deepEqual(progress.at(-1)?.done, 8);

    if (!cases(false, true)) return;
    const page = withoutMinute(await read(project, ended.report));
    await reproduceNotebook("01-tiny", { folder, jupyter });
    equal(await read(project, "notebooks/01-tiny.ipynb"), text);
    equal(withoutMinute(await read(project, ended.report)), page);
  },
);

const FAILS =
  "reproduceNotebook() names the cell that fails, of a run with other parameters too, and changes no notebook";

test(FAILS, "test", async (project) => {
  const { folder, jupyter } = project;
  const before = await read(project, "notebooks/02-failing.ipynb");
  const ended = await reproduceNotebook("02-failing", { folder, jupyter, parameters: { samples: "4" } });
  // The injected cell stands before that of the claim.
  deepEqual(ended.failure, { cell: 5, line: "// The claim.", error: "AssertionError: 4 samples are few" });
  equal(await read(project, "notebooks/02-failing.ipynb"), before);
  equal(ended.report, "results/reports/02-failing.samples=4.failed.html");
  const page = await read(project, ended.report);
  match(page, /4 samples are few/);
  match(page, /Figures go to \.\.\/results\/reports\/02-failing\.samples=4\n/);
});

test("reproduceNotebook() says which kernel trouble stopped it", "slow", async (project) => {
  const { folder, jupyter } = project;
  await Deno.writeTextFile(`${folder}/.jupyter/kernels/deno/kernel.json`, '{"argv":["false"],"display_name":"Deno"}');
  await rejects(reproduceNotebook("01-tiny", { folder, jupyter }), {
    message: /^Cannot run the notebook as Jupyter must run it: current value is "RuntimeError: Kernel died/,
  });
});
