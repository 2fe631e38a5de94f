import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { parse } from "yaml";
import { type DataRow, type Dataset, writeDataset } from "@/lib/exchange/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";

const ROWS: readonly DataRow[] = [
  {
    question: "Where?",
    answer: ["it's", 'a "b"'],
    messages: [{ role: "user", content: "hi" }],
    length: 8,
    depth: null,
  },
  { question: "在哪里？", answer: [], messages: [], length: 9, depth: 0.5 },
];

const DATASET: Omit<Dataset, "configs"> = {
  title: "A: set",
  tags: ["kvpress"],
  about: () => ["How it was made."],
};

async function readLines(path: string): Promise<unknown[]> {
  return (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** The header of the card of a data set. */
async function headerOf(folder: string): Promise<Record<string, unknown>> {
  const [, header = ""] = /^---\n(.*?)\n---\n/s.exec(await Deno.readTextFile(`${folder}/README.md`)) ?? [];
  return parse(header);
}

Deno.test("writeDataset() writes a file for each configuration, with lists and messages", async () => {
  await inFolder(async (folder) => {
    const configs = [{ name: "8", rows: ROWS }, { name: "16", rows: ROWS.slice(0, 1) }];
    equal(await writeDataset(folder, { ...DATASET, configs }), 3);
    deepEqual(await readLines(`${folder}/8/test.jsonl`), ROWS);
    deepEqual(await readLines(`${folder}/16/test.jsonl`), ROWS.slice(0, 1));
  });
});

Deno.test("writeDataset() writes a card with licence, files and the study", async () => {
  await inFolder(async (folder) => {
    const tasks = ["vt", { task: "vt", name: "far", hops: 6 }];
    const study = checkStudy({ tasks, lengths: [2048], samples: 7, seed: "s" });
    await writeDataset(folder, { ...DATASET, study, configs: [{ name: "8", rows: ROWS }] });
    deepEqual(checkStudy(parse(await Deno.readTextFile(`${folder}/study.yaml`)) as object), study);
    deepEqual(await headerOf(folder), {
      pretty_name: "A: set",
      license: "mit",
      tags: ["long-context", "fathom", "kvpress"],
      configs: [{ config_name: "8", data_files: [{ split: "test", path: "8/test.jsonl" }] }],
    });
    const card = await Deno.readTextFile(`${folder}/README.md`);
    match(card, /\| `8` \| 2 \| [^]*How it was made\./);
  });
});

Deno.test("writeDataset() states no licence for texts of the user's own, and places their paths beside the study", async () => {
  await inFolder(async (folder) => {
    const study = checkStudy({ tasks: ["qa_1"], squad: `${folder}/squad.json`, essays: "essays/" });
    await writeDataset(`${folder}/set`, { ...DATASET, study, configs: [{ name: "8", rows: ROWS }] });
    equal((await headerOf(`${folder}/set`))["license"], "unknown");
    const written = parse(await Deno.readTextFile(`${folder}/set/study.yaml`));
    equal(written.squad, `${folder}/squad.json`);
    match(written.essays, /^(\.\.\/)+.*essays$/);
  });
});

Deno.test("writeDataset() replaces its own card, and refuses to replace another README.md", async () => {
  await inFolder(async (folder) => {
    const dataset = { ...DATASET, configs: [{ name: "8", rows: ROWS }] };
    await writeDataset(folder, dataset);
    await writeDataset(folder, dataset);
    await Deno.writeTextFile(`${folder}/README.md`, "# My project\n");
    await rejects(writeDataset(folder, dataset), {
      name: "RangeError",
      message:
        `Cannot write the data set as its folder must be new or a data set of Fathom's: current value is "${folder}", whose README.md is not`,
    });
    equal(await Deno.readTextFile(`${folder}/README.md`), "# My project\n");
  });
});
