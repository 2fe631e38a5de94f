import { deepEqual, equal, match } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { shell } from "./_shell.ts";
import { openVerifier } from "@/lib/exchange/mod.ts";

const ASKED = ["generate", "--task", "vt,qa_1", "--length", "1K", "--samples", "2"];

async function namesBelow(folder: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const names = await Promise.all(
    entries.map(async ({ name, isDirectory }) =>
      isDirectory ? (await namesBelow(`${folder}/${name}`)).map((each) => `${name}/${each}`) : [name]
    ),
  );
  return names.flat().sort();
}

async function rowsOf(path: string): Promise<Record<string, unknown>[]> {
  return (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) => JSON.parse(line));
}

Deno.test("fathom generate --format lm-eval writes a task for each task and length, and one group", async () => {
  await inFolder(async (folder) => {
    equal((await shell(...ASKED, "--format", "lm-eval", "--out", folder)).code, 0);
    deepEqual(await namesBelow(folder), [
      "data/1024/qa_1.jsonl",
      "data/1024/vt.jsonl",
      "fathom.yaml",
      "fathom_qa_1_1024.yaml",
      "fathom_scores.py",
      "fathom_tasks.py",
      "fathom_vt_1024.yaml",
    ]);
    equal(
      await Deno.readTextFile(`${folder}/fathom.yaml`),
      "group: fathom\ntask:\n  - fathom_vt_1024\n  - fathom_qa_1_1024\n",
    );
    match(
      await Deno.readTextFile(`${folder}/fathom_qa_1_1024.yaml`),
      /process_results: !function fathom_tasks\.any_found/,
    );
    const [row] = await rowsOf(`${folder}/data/1024/vt.jsonl`);
    deepEqual(Object.keys(row!), [
      ...["task", "max_length", "index", "input", "answer_prefix", "outputs", "sample", "sha256"],
    ]);
  });
});

Deno.test("fathom generate --format inspect writes one data set and a task that scores it", async () => {
  await inFolder(async (folder) => {
    equal((await shell(...ASKED, "--format", "inspect", "--out", folder)).code, 0);
    deepEqual(await namesBelow(folder), ["fathom_scores.py", "fathom_task.py", "samples.jsonl"]);
    const rows = await rowsOf(`${folder}/samples.jsonl`);
    deepEqual(rows.map(({ id }) => id), ["vt-1024-0", "vt-1024-1", "qa_1-1024-0", "qa_1-1024-1"]);
    deepEqual(Object.keys(rows[0]!), ["id", "input", "target", "metadata"]);
  });
});

const ANY_SCORER = ["generate", "--task", "counting_stars_reasoning_en", "--length", "2K"];

Deno.test("tasks with any scorer are written, with the facts that the scoring server needs", async () => {
  await inFolder(async (folder) => {
    equal((await shell(...ANY_SCORER, "--format", "inspect", "--out", `${folder}/i`)).code, 0);
    const [{ metadata }] = await rowsOf(`${folder}/i/samples.jsonl`) as [{ metadata: Record<string, unknown> }];
    equal(metadata["scoring"], metadata["scorer"]);
    equal(Array.isArray(metadata["distractors"]), true);
    equal((await shell(...ANY_SCORER, "--format", "lm-eval", "--out", `${folder}/l`)).code, 0);
    const [row] = await rowsOf(`${folder}/l/data/2048/counting_stars_reasoning_en.jsonl`);
    deepEqual([row!["scorer"], row!["distractors"]], [metadata["scorer"], metadata["distractors"]]);
    const task = await Deno.readTextFile(`${folder}/l/fathom_counting_stars_reasoning_en_2048.yaml`);
    match(task, /process_results: !function fathom_tasks\.server_score/);
  });
});

Deno.test("fathom generate --format gym prints lines that the scoring server scores", async () => {
  const { code, out } = await shell(...ASKED, "--format", "gym");
  equal(code, 0);
  const row = JSON.parse(out.split("\n")[0]!);
  deepEqual(Object.keys(row), ["responses_create_params", "verifier_metadata"]);
  equal(row.responses_create_params.input[0].role, "user");
  const { verify } = await openVerifier();
  const output = [{ type: "message", content: [{ text: row.verifier_metadata.references.join(", ") }] }];
  equal((await verify({ ...row, response: { output } })).reward, 1);
});

Deno.test("a form with scores refuses a missing folder", async () => {
  match(
    (await shell(...ASKED, "--format", "lm-eval")).err[0]!,
    /--out must name a folder: current value is none/,
  );
});
