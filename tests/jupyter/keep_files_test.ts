import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { lineChart } from "@/lib/figures/mod.ts";
import { keepFigure, saveReplyRows } from "@/lib/jupyter/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { runStudy, type StudyRun } from "@/lib/asking/mod.ts";

async function withRun(use: (run: StudyRun, folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
    await use(await runStudy(study, { name: "rows", model: simulatedModel("ideal"), folder }), folder);
  });
}

Deno.test("saveReplyRows() writes a header and a row a reply, and says so", async () => {
  await withRun(async (run, folder) => {
    const path = `${folder}/rows.csv`;
    equal(await saveReplyRows(run, { path }), `${path}: 2 rows of 28 columns`);
    const lines = (await Deno.readTextFile(path)).split("\r\n");
    match(
      lines[0]!,
      /^run,sample,sha256,model,origin,suite,task,length,index,cluster,repeat,promptTokens,nativePromptTokens,/,
    );
    equal(lines.length, 4);
  });
});

Deno.test("saveReplyRows() refuses another ending, and writes nothing unasked", async () => {
  await withRun(async (run, folder) => {
    await rejects(saveReplyRows(run, { path: `${folder}/rows.xlsx` }), {
      name: "RangeError",
      message:
        `Cannot write the rows as the file name must end in .csv, .jsonl: current value is "${folder}/rows.xlsx"`,
    });
    equal(await saveReplyRows(run, { path: "" }), "No file was written: the path is empty.");
    deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["rows"]);
  });
});

Deno.test("keepFigure() saves a figure in the folder given, and returns it", async () => {
  const figure = lineChart([{ length: 4096, score: 90 }, { length: 8192, score: 80 }], {
    ...{ title: "Shorter is better", caption: "One task.", origin: "measured", n: 10, x: "length", y: "score" },
    ...{ xTitle: "Context length (tokens)", yTitle: "Score (%)" },
  });
  const folder = await Deno.makeTempDir();
  equal(await keepFigure(figure, "scores.svg", { folder }), figure);
  match(await Deno.readTextFile(`${folder}/scores.svg`), /Shorter is better/);
  await Deno.remove(folder, { recursive: true });
});
