import { deepEqual, equal } from "node:assert/strict";
import { relative, resolve } from "node:path";
import { withFolder } from "../_folder.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { readRun } from "@/lib/records/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

const ESSAY = "A road leads to the sea. It has no trees. ".repeat(200);

/** Opens the runs of a project from a folder in it, as a notebook or the shell does, and makes a sample again. */
const OPEN = `
import { openRuns } from "@/lib/jupyter/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";
const [project, ...folders] = Deno.args;
const small = checkStudy({ tasks: ["niah_single_2"], lengths: [512], samples: 1 });
for (const folder of folders) {
  Deno.chdir(project + "/" + folder);
  const options = { studies: "any", model: "", name: "x", display: () => Promise.resolve() };
  const [run] = await openRuns(small, { ...options, folder: project + "/results/runs", runs: "mine" });
  const [task] = run.opened.tasks;
  const { seed } = run.manifest.study;
  const { template } = run.manifest;
  const sample = task.sample({ length: 512, index: 0, seed, template, materials: run.opened.materials });
  console.log(folder, sample.sha256 === run.records[0].sha256, run.manifest.study.essays);
}
`;

async function openFrom(project: string, folders: readonly string[]): Promise<readonly string[]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", "--config", `${ROOT}/deno.json`, "-", project, ...folders],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(OPEN));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout).trimEnd().split("\n");
}

/** Records a run of a project whose essays lie beside it, as `fathom run --essays ../texts/road.txt` does. */
async function record(project: string, essays: string): Promise<string> {
  const study = checkStudy({ tasks: ["niah_single_2"], lengths: [512], samples: 1, essays });
  await runStudy(study, { name: "mine", model: simulatedModel("ideal"), folder: `${project}/results/runs` });
  const manifest = JSON.parse(await Deno.readTextFile(`${project}/results/runs/mine/manifest.json`));
  return manifest.study.essays;
}

Deno.test("a run with relative paths opens from the root of its project, notebooks/ and own/", async () => {
  const files = { "texts/road.txt": ESSAY, "project/notebooks/a": "", "project/own/deep/a": "" };
  await withFolder(files, async (folder) => {
    const project = `${folder}/project`;
    // As typed in the folder that the test runs in; the manifest has it as seen from the project.
    equal(await record(project, relative(resolve(), `${folder}/texts/road.txt`)), "../texts/road.txt");
    deepEqual(await openFrom(project, [".", "notebooks", "own/deep"]), [
      ". true ../texts/road.txt",
      "notebooks true ../../texts/road.txt",
      "own/deep true ../../../texts/road.txt",
    ]);
  });
});

Deno.test("a run of a folder without results/ has its paths relative to this project", async () => {
  await withFolder({ "texts/road.txt": ESSAY }, async (folder) => {
    const study = checkStudy({
      tasks: ["niah_single_2"],
      lengths: [512],
      samples: 1,
      essays: `${folder}/texts/road.txt`,
    });
    const tokenizer = "cl100k_base";
    await runStudy({ ...study, tokenizer }, { name: "mine", model: simulatedModel("ideal"), folder });
    const path = `${folder}/mine/manifest.json`;
    const manifest = JSON.parse(await Deno.readTextFile(path));
    deepEqual([manifest.study.essays, manifest.study.tokenizer], [`${folder}/texts/road.txt`, tokenizer]);
    const moved = { ...manifest.study, tokenizer: "../models/x.gguf", essays: "a.txt|b\\|c.txt", squad: "./q.json" };
    const benchmarks = { own: "../mine.ts" };
    await Deno.writeTextFile(path, JSON.stringify({ ...manifest, study: moved, benchmarks }));
    const known = [{ name: "own", families: [] }] as unknown as [];
    const read = (await readRun(`${folder}/mine`, { benchmarks: known })).manifest;
    const there = (each: string): string => relative(resolve(), `${ROOT}/${each}`);
    deepEqual([read.study.tokenizer, read.study.squad, read.benchmarks], [
      there("../models/x.gguf"),
      there("q.json"),
      { own: there("../mine.ts") },
    ]);
    equal(read.study.essays, `${there("a.txt")}|${there("b|c.txt").replace("|", "\\|")}`);
  });
});

Deno.test("a run of existing samples is resumed by any form of the path that names the same file", async () => {
  const line = JSON.stringify({ input: "One is 1. What is one?", outputs: ["1"] });
  await withFolder(
    { "512/data/niah_mine/validation.jsonl": `${line}\n${line.replace("One", "A")}\n` },
    async (folder) => {
      const path = relative(resolve(), `${folder}/512`);
      for (const [samples, samplesFile] of [[1, path], [2, `./${path}/`], [2, `${folder}/512`]] as const) {
        const study = checkStudy({ tasks: ["niah_mine"], lengths: [512], samples, samplesFile });
        const { summary } = await runStudy(study, {
          name: "files",
          model: simulatedModel("mute"),
          folder: `${folder}/runs`,
        });
        equal(summary.total, samples);
      }
    },
  );
});
