import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { inFolder, withFolder as withFiles } from "../_folder.ts";
import { recordRun, smallHeader, smallPlan, withFolder } from "../asking/_fakes.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { checkStudy, openMaterials, openModel, openStudy, readStudyFile } from "@/lib/studies/mod.ts";
import { describeRuns, readRun, repairRun, verifyRun } from "@/lib/records/mod.ts";
import { importRun } from "@/lib/exchange/mod.ts";
import { openStore } from "@/lib/records/store.ts";
import { openTokenizer } from "@/lib/studies/tokenizers.ts";
import { openVerdicts } from "@/lib/asking/verdicts.ts";

/** Whatever reads a file that somebody else may have made. */
const READERS: readonly (readonly [what: string, read: (path: string) => unknown])[] = [
  ["a study", (path) => readStudyFile(path)],
  ["a file of models", (path) => openModel({ model: "mine", models: path, baseUrl: "http://127.0.0.1:1" })],
  ["a tokenizer.json", (path) => openTokenizer(path)],
  ["a .gguf file", (path) => openTokenizer(`${path}.gguf`)],
  ["essays", (path) => openMaterials({ essays: `${path}.txt` })],
  ["a folder of essays", (path) => openMaterials({ essays: path.replace(/\/[^/]*$/, "") })],
  ["a SQuAD file", (path) => openMaterials({ squad: path })],
  ["a HotpotQA file", (path) => openMaterials({ hotpotqa: path })],
  ["a file of samples", (path) => openStudy(checkStudy({ samplesFile: `${path}.jsonl`, lengths: [4096] }))],
  ["a chat template", (path) => chatTemplate(`${path}.jinja`)],
  ["an import", (path) => importRun(`${path}.jsonl`, { folder: "no/such/folder" })],
];

const DEVICE = /pipe or a device|must be a file or folder/;

for (const [what, read] of READERS) {
  Deno.test(`${what} that is a pipe is refused and not waited for`, async () => {
    await inFolder(async (folder) => {
      for (const ending of ["", ".gguf", ".txt", ".jsonl", ".jinja"]) await pipe(`${folder}/pipe${ending}`);
      await rejects(async () => await read(`${folder}/pipe`), (error: Error) => {
        ok(error instanceof RangeError || error instanceof SyntaxError, error.stack);
        match(error.message, /^Cannot /);
        match(error.message, DEVICE);
        return true;
      });
    });
  });
}

async function pipe(path: string): Promise<void> {
  ok((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
}

Deno.test("a study may not be larger than a person writes", async () => {
  await inFolder(async (folder) => {
    const file = await Deno.create(`${folder}/study.yaml`);
    await file.truncate(2 ** 30);
    file.close();
    await rejects(readStudyFile(`${folder}/study.yaml`), {
      name: "RangeError",
      message:
        `Cannot read the study as it must be a YAML file: current value is "${folder}/study.yaml" (it has 1073741824 bytes, more than 16777216)`,
    });
  });
});

Deno.test("YAML that expands without bounds is refused with the name of its file", async () => {
  const bomb = Array.from(
    { length: 9 },
    (_, at) => `a${at}: &a${at} [${Array(9).fill(at === 0 ? "x" : `*a${at - 1}`).join(", ")}]`,
  );
  await withFiles({ "bomb.yaml": bomb.join("\n"), "deep.yaml": "[".repeat(100_000) }, async (folder) => {
    for (const name of ["bomb.yaml", "deep.yaml"]) {
      await rejects(readStudyFile(`${folder}/${name}`), (error: Error) => {
        equal(error.name, "SyntaxError");
        ok(error.message.startsWith(`Cannot read the study in "${folder}/${name}" as `), error.message);
        return true;
      });
    }
  });
});

/** Records a run, puts something into its folder, and hands it over with a file that must stay as it is. */
async function withLink(
  at: string,
  use: (options: { readonly folder: string }, link: string) => Promise<void>,
  make: (link: string, target: string) => Promise<void> = (link, target) => Deno.symlink(target, link),
): Promise<void> {
  await withFolder(async (folder) => {
    await recordRun(`${folder}/runs`, { name: "theirs" });
    const link = `${folder}/runs/theirs/${at}`;
    const target = `${folder}/target`;
    await Deno.mkdir(target.replace(/$/, "-folder"));
    await Deno.writeTextFile(target, "precious");
    await Deno.mkdir(link.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.remove(link).catch(() => {});
    await make(link, at === "figures" || at === "batches" ? `${target}-folder` : target);
    await use({ folder: `${folder}/runs` }, link);
    equal(await Deno.readTextFile(target), "precious");
    deepEqual(await Array.fromAsync(Deno.readDir(`${target}-folder`)), []);
  });
}

const PLACES = [
  "view.html",
  "manifest.json.new",
  "records.jsonl",
  "figures",
  "figures/scores.svg",
  "batches/1.json.new",
];

for (const place of PLACES) {
  Deno.test(`a run with a link at ${place} is refused by name, wherever it is opened, and nothing is written`, async () => {
    await withLink(place, async (options, link) => {
      const message =
        `Cannot use the run in "${options.folder}/theirs" as its folder must hold only regular files and ` +
        `folders: current value is a symbolic link, "${link}"; remove it to use the run`;
      const refusal = { name: "RangeError", message };
      await rejects(readRun("theirs", options), refusal);
      await rejects(readRun(`${options.folder}/theirs`), refusal);
      await rejects(verifyRun("theirs", options), refusal);
      await rejects(repairRun("theirs", options), refusal);
      await rejects(openStore("theirs", smallHeader(), options), refusal);
      deepEqual(await describeRuns(options), { runs: [], unreadable: [{ run: "theirs", problem: message }] });
      const judge = { by: "judge", model: { name: "a", settings: {} } } as unknown as Parameters<
        typeof openVerdicts
      >[1];
      await rejects(openVerdicts(`${options.folder}/theirs/judge-a.jsonl`, judge), refusal);
    });
  });
}

Deno.test("a run whose manifest or records are a pipe is listed as unreadable, and the others as before", async () => {
  for (const place of ["manifest.json", "records.jsonl"]) {
    await withLink(place, async (options) => {
      await recordRun(options.folder, { name: "whole" });
      const { runs, unreadable } = await describeRuns(options);
      deepEqual(runs.map(({ run }) => run), ["whole"]);
      match(unreadable[0]!.problem, /current value is a pipe or a device, ".*theirs\/(manifest\.json|records\.jsonl)"/);
    }, pipe);
  }
});

Deno.test("a run whose folder is itself a link is read and resumed", async () => {
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/scratch`);
    await Deno.symlink(`${folder}/scratch`, `${folder}/run`);
    for (const samples of [2, 3]) await recordRun(folder, { plan: smallPlan({ samples }) });
    equal((await readRun("run", { folder })).records.length, 12);
  });
});
