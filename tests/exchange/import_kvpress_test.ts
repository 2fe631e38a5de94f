import { deepEqual, equal, rejects } from "node:assert/strict";
import { shell } from "../cli/_shell.ts";
import { inFolder } from "../_folder.ts";
import { type ImportedRun, importRun } from "@/lib/exchange/mod.ts";
import { compareRuns } from "@/lib/reports/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";

type Row = Record<string, string | number | readonly string[]>;

const ASKED = "generate --tasks niah_multivalue,qa_1 --lengths 2K --samples 3 --format kvpress".split(" ");

/** Writes a data set and its rows as lines, which it returns. */
async function writeData(folder: string, ...flags: readonly string[]): Promise<readonly Row[]> {
  equal((await shell(...ASKED, ...flags, "--out", `${folder}/data/`)).code, 0);
  const { out } = await shell(...ASKED, ...flags);
  return out.trimEnd().split("\n").map((line) => JSON.parse(line));
}

interface Predictions {
  readonly press: string;
  readonly ratio: number;
  readonly columns: readonly string[];
  readonly predict: (answers: readonly string[], at: number) => string;
}

const COLUMNS = ["seed", "task", "sha256", "answer", "sample", "index", "length", "question", "predicted_answer"];

/** Writes what evaluate.py of kvpress does: the columns of the data without the context, lists as NumPy prints them. */
async function writeRun(folder: string, rows: readonly Row[], options: Partial<Predictions> = {}): Promise<void> {
  const { press = "no_press", ratio = 0, columns = COLUMNS, predict = (answers) => answers.join("\n") } = options;
  await Deno.mkdir(folder, { recursive: true });
  const cells = rows.map((row, at) => {
    const answers = row["answer"] as readonly string[];
    const printed = `[${answers.map((each) => each.includes("'") ? JSON.stringify(each) : `'${each}'`).join(" ")}]`;
    const all: Row = { ...row, answer: printed, "predicted_answer": predict(answers, at) };
    return columns.map((name) => all[name] as string | number);
  });
  await Deno.writeTextFile(
    `${folder}/predictions.csv`,
    [columns, ...cells].map((fields) => `${csvFormatRow(fields)}\n`).join(""),
  );
  await Deno.writeTextFile(
    `${folder}/config.yaml`,
    `dataset: ruler\ndata_dir: '2048'\nmodel: org/M-1B\ndevice: null\npress_name: ${press}\ncompression_ratio: ${ratio}\n` +
      "query_aware: false\nmodel_kwargs:\n  dtype: auto\nmax_new_tokens: null\ntarget_size: 64\nhidden_states_buffer_size: 128\nfp8: true\n",
  );
}

const half = { press: "knorm", ratio: 0.5, predict: (answers: readonly string[]) => answers[0]!.toUpperCase() };

function importFrom(folder: string, name: string): Promise<ImportedRun> {
  return importRun(`${folder}/${name}`, { folder: `${folder}/runs`, name });
}

Deno.test("importRun() makes a measured run of kvpress's predictions, with its press, prompts and facts", async () => {
  await inFolder(async (folder) => {
    const rows = await writeData(folder);
    await writeRun(`${folder}/half`, rows, half);
    const made = await importRun(`${folder}/half`, { folder: `${folder}/runs` });
    equal(made.name, "M-1B-knorm-0.5");
    const { manifest, replies } = await readScoredRun(made.name, { folder: `${folder}/runs` });
    deepEqual([manifest.model, manifest.origin, manifest.settings], ["org/M-1B + knorm 0.5", "measured", {
      ...{ press: "knorm", compressionRatio: 0.5, queryAware: false },
      ...{ targetSize: 64, hiddenStatesBufferSize: 128, fp8: true },
    }]);
    deepEqual(manifest.imported?.files.map(({ name }) => name), ["predictions.csv", "config.yaml"]);
    deepEqual(replies.map(({ record }) => record.sha256), rows.map(({ sha256 }) => sha256));
    // A fourth of four values, and one of the references of a question.
    deepEqual(replies.map(({ value }) => value), [0.25, 0.25, 0.25, 1, 1, 1]);
  });
});

Deno.test("importRun() makes runs of the full and the compressed cache that share their samples", async () => {
  await inFolder(async (folder) => {
    const rows = await writeData(folder, "--template-tokens", "20");
    await writeRun(`${folder}/full`, rows);
    await writeRun(`${folder}/half`, rows.slice(1), half);
    for (const name of ["full", "half"]) await importFrom(folder, name);
    const runs = await Promise.all(["full", "half"].map((name) => readScoredRun(name, { folder: `${folder}/runs` })));
    const { others, names } = await compareRuns(runs, { by: ["all", "third"] });
    deepEqual(names, ["org/M-1B", "org/M-1B + knorm 0.5"]);
    deepEqual([others[0]!.shared.samples.length, others[0]!.shared.changed], [5, 0]);
  });
});

Deno.test("importRun() explains what predictions of kvpress lack", async () => {
  await inFolder(async (folder) => {
    const rows = await writeData(folder);
    await writeRun(`${folder}/full`, rows);
    await writeRun(`${folder}/texts`, rows, { columns: ["task", "answer", "question", "predicted_answer"] });
    await writeRun(`${folder}/changed`, rows.map((row) => ({ ...row, sha256: "0".repeat(64) })));
    for (const press of ["knorm", "snapkv"]) await writeRun(`${folder}/many/${press}`, rows);
    const refusals = [
      [
        () => importFrom(folder, "texts"),
        /"sample" and "sha256" must be those of a row of fathom generate .* in line 2/,
      ],
      [
        () => importFrom(folder, "changed"),
        /"sha256" must be that of the sample made again, [0-9a-f]{64}, .* in line 2/,
      ],
      [() => importFrom(folder, "many"), /their folder must be of one run of kvpress: .* is 2 files/],
    ] as const;
    for (const [make, message] of refusals) await rejects(make, message);
    await Deno.writeTextFile(`${folder}/full/predictions.csv`, 'task,"predicted\n');
    await rejects(importFrom(folder, "full"), /must have its quotes in pairs/);
    await Deno.writeTextFile(`${folder}/full/predictions.csv`, "task,answer\nvt,1\n");
    await rejects(importFrom(folder, "full"), /"sample" and "sha256" must be those of a row/);
    deepEqual(await Array.fromAsync(Deno.readDir(`${folder}/runs`)).catch(() => []), []);
  });
});
