import { deepEqual, equal, match } from "node:assert/strict";
import { inFolder, withFolder } from "../_folder.ts";
import { shell, withRunName } from "./_shell.ts";

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(path);
}

/** Lines of a prediction file: what was replied, the right answers, and `others`. */
function lines(...rows: readonly (readonly [string, readonly string[], object?])[]): string {
  return rows.map(([pred, outputs, others = {}], index) =>
    `${JSON.stringify({ index, pred, input: "…", outputs, others, truncation: -1, length: 4096 })}\n`
  ).join("");
}

const VT = lines(
  ["ABCDE, FGHIJ", ["ABCDE", "FGHIJ"]],
  ['she said "KLMNO"\u0007\u000b end \n', ["KLMNO", "PQRST"]],
  [" \t\n", ["AAAAA"]],
  ["é ", ["BBBBB"], { id: "x-9" }],
);
const OTHERS = {
  "qa_1.jsonl": lines(["It was France.", ["France", "Normandy"]]),
  "cwe.jsonl": lines(["1. gelato\r\n2. parody", ["gelato", "parody", "usable"]]),
};
// What evaluate.py of NVIDIA/RULER at c3f5e3b, with pandas 3.1.1, writes for these files.
const SUMMARY = "0,1,2,3\nTasks,vt,cwe,qa_1\nScore,37.5,66.67,100.0\nNulls,1/4,0/1,0/1\n";
const SUBMISSION =
  'Task,ID,Prediction\nvt,0,"ABCDE, FGHIJ"\nvt,1,"she said ""KLMNO""\n\n end"\nvt,2,\nvt,x-9,é\ncwe,0,"1. gelato\n\n2. parody"\nqa_1,0,It was France.\n';

Deno.test("fathom score takes RULER's folder, parts of a task too, and writes what evaluate.py writes", async () => {
  const [first, ...rest] = VT.split(/(?<=\n)/);
  const parts = { "vt-0.jsonl": first!, "vt-1.jsonl": rest.join(""), "notes.jsonl": "{}" };
  for (const vt of [{ "vt.jsonl": VT }, parts]) {
    await withFolder({ ...vt, ...OTHERS }, async (folder) => {
      const { code, out, err } = await shell("score", folder, "--out", `${folder}/scored`);
      equal(code, 0, err.join());
      equal(
        out,
        "vt                37.50  (n = 4, empty predictions 1/4)\ncwe               66.67  (n = 1, empty predictions 0/1)\n" +
          "qa_1             100.00  (n = 1, empty predictions 0/1)\nmean of 3 tasks   68.06\n",
      );
      equal(await read(`${folder}/scored/summary.csv`), SUMMARY);
      equal(await read(`${folder}/scored/submission.csv`), SUBMISSION);
    });
  }
});

Deno.test("fathom score takes the folders of several lengths, the shortest first, and not the data beside them", async () => {
  const files = { "8192/pred/vt.jsonl": VT, "4096/pred/vt.jsonl": VT, "4096/data/vt/validation.jsonl": '{"index": 0}' };
  await withFolder(files, async (folder) => {
    const { out } = await shell("score", folder, "--json");
    const rows = out.trimEnd().split("\n").map((line) => JSON.parse(line));
    deepEqual(rows.map((row) => [row.folder, row.task, row.score, row.nulls]), [
      ["4096/pred", "vt", 37.5, "1/4"],
      ["8192/pred", "vt", 37.5, "1/4"],
    ]);
    await shell("score", folder, "--out", folder);
    match(await read(`${folder}/8192/pred/summary-vt.csv`), /^0,1\nTasks,vt\nScore,37\.5\n/);
  });
});

const RULER_FORMAT = ["--format", "ruler", "--out"];

Deno.test("fathom score refuses a folder without predictions, --task with a folder, and --out with a file", async () => {
  await withFolder({ "read.me": "", "vt.jsonl": VT }, async (folder) => {
    for (
      const [args, said] of [
        [[folder, "--task", "vt"], /Cannot score a folder with --task .* current value is vt$/],
        [[`${folder}/vt.jsonl`, "--out", "x"], /Cannot use --out as the path must be a folder/],
      ] as [string[], RegExp][]
    ) {
      const { code, err } = await shell("score", ...args);
      deepEqual([code, said.test(err.join())], [2, true], err.join());
    }
    await Deno.remove(`${folder}/vt.jsonl`);
    const { code, err } = await shell("score", folder);
    equal(code, 2);
    match(err.join(), /must hold files named after their tasks, such as vt\.jsonl/);
  });
});

Deno.test("fathom export --format ruler writes a run's predictions and scores, which fathom score gives again", async () => {
  await withRunName(async (name) => {
    const ask = ["run", "--tasks", "niah_single_1,vt", "--lengths", "1K,2K", "--samples", "2", "--model", "sim:yi-34b"];
    await shell(...ask, "--name", name);
    await withFolder({}, async (folder) => {
      const { code, out, err } = await shell("export", name, ...RULER_FORMAT, folder);
      equal(code, 0, err.join());
      equal(out, `${folder}/1024/pred/summary.csv\n${folder}/2048/pred/summary.csv\n`);
      const [line] = (await read(`${folder}/1024/pred/vt.jsonl`)).split("\n");
      const generated = JSON.parse((await shell("generate", "--task", "vt", "--length", "1K")).out);
      const { index, pred, input, outputs, others, truncation, length } = JSON.parse(line!);
      deepEqual([index, outputs, others, truncation, length], [
        0,
        generated.outputs,
        { origin: "simulated" },
        -1,
        generated.length,
      ]);
      equal(input, generated.input + generated.answer_prefix);
      equal(typeof pred, "string");
      const written = await read(`${folder}/2048/pred/summary.csv`);
      await shell("score", folder, "--out", `${folder}/again`);
      equal(await read(`${folder}/again/2048/pred/summary.csv`), written);
      equal(
        await read(`${folder}/again/2048/pred/submission.csv`),
        await read(`${folder}/2048/pred/submission.csv`),
      );
    });
  });
});

Deno.test("fathom export --format ruler scores whole replies, as RULER's code does, or first answers if asked", async () => {
  await withFolder({}, async (folder) => {
    const run = "measured/gemma-3-270m/ruler";
    await shell("export", run, ...RULER_FORMAT, `${folder}/whole`);
    await shell("export", run, ...RULER_FORMAT, `${folder}/first`, "--scored", "first");
    const [whole, first] = await Promise.all(
      ["whole", "first"].map((part) => read(`${folder}/${part}/4096/pred/summary.csv`)),
    );
    // What evaluate.py gives for the whole replies of niah_multivalue, vt and fwe.
    match(whole!, /^Score,72\.0,100\.0,40\.0,56\.0,28\.0,0\.0,30\.0,25\.0,0\.8,2\.8,26\.67,16\.0,4\.0$/m);
    equal(whole === first, false);
  });
});

Deno.test("fathom export --format ruler refuses a run without a task of RULER's", async () => {
  await withRunName(async (name) => {
    const ask = ["run", "--tasks", "cdme_zh", "--lengths", "1000", "--samples", "1", "--model", "sim:ideal"];
    await shell(...ask, "--name", name);
    const { code, err } = await shell("export", name, ...RULER_FORMAT, "/nowhere");
    equal(code, 2);
    match(err.join(), /must have an answered task of RULER's, such as vt: current value is cdme_zh$/);
  });
});

Deno.test("fathom generate --out FOLDER/ lays samples out as RULER's prepare.py does", async () => {
  await withFolder({}, async (folder) => {
    const ask = ["generate", "--task", "niah_single_1,vt", "--length", "512,2K", "--samples", "2"];
    const { code, err } = await shell(...ask, "--template-tokens", "20", "--out", `${folder}/`);
    equal(code, 0);
    match(err[0]!, /^vt does not fit 512 tokens: it needs at least \d+, and is left out there$/);
    equal(err.at(-1), `${folder}/: 3 files`);
    const row = JSON.parse((await read(`${folder}/2048/data/vt/validation.jsonl`)).split("\n")[1]!);
    equal(row.index, 1);
    equal(row.length_w_model_temp - row.length, 20);
    equal(row.length_w_model_temp <= 2048 && row.length_w_model_temp > 2000, true);
    const inOne = await shell(...ask, "--out", `${folder}/one.jsonl`);
    match(inOne.err[0]!, /^vt does not fit 512 tokens/);
    equal(inOne.err.at(-1), `${folder}/one.jsonl: 6 lines`);
    const refused = await shell(...ask, "--format", "reference", "--out", `${folder}/one.jsonl`);
    equal(refused.code, 2);
    match(refused.err.join(), /--out must be a folder, with \/ at its end/);
  });
});

Deno.test("fathom run --samples-file asks RULER's files as they are, resumes, and refuses knobs and a study", async () => {
  await withFolder({}, async (folder) => {
    await shell("generate", "--task", "vt,qa_1", "--length", "1K,2K", "--samples", "2", "--out", `${folder}/`);
    await withRunName(async (name) => {
      const ask = ["run", "--samples-file", folder, "--model", "sim:ideal", "--name", name];
      const { code, out, err } = await shell(...ask, "--lengths", "1K");
      equal(code, 0, err.join());
      match(out, /sim:ideal on ruler-file: score by task and length/);
      match(err.join("\n"), /^\S+: 4 of 4 answered/m);
      match((await shell(...ask)).err.find((line) => line.includes("to ask"))!, /^4 of 8 questions to ask/);
      match((await shell("show", name, "--task", "vt", "--length", "1K")).out, /the text is the one that was asked/);
      equal((await shell("export", name, ...RULER_FORMAT, `${folder}/out`)).code, 0);
      const line = (await read(`${folder}/out/1024/pred/vt.jsonl`)).split("\n")[0]!;
      const given = JSON.parse((await read(`${folder}/1024/data/vt/validation.jsonl`)).split("\n")[0]!);
      equal(JSON.parse(line).input, given.input + given.answer_prefix);
      for (const other of [["--set", "hops=2"], ["--study", "data/studies/ruler.yaml"]]) {
        const { code, err } = await shell(...ask, ...other);
        equal(code, 2);
        match(err.join(), /Cannot ask the samples as --samples-file must be used without (--study|knobs)/);
      }
    });
  });
});

const [gemma, smol] = ["measured/gemma-3-270m/cdme", "measured/smollm2-135m-instruct/cdme"];

Deno.test("fathom export prints the replies of several runs as JSON lines, each with its run", async () => {
  const { code, out } = await shell("export", gemma, smol);
  equal(code, 0);
  const rows = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  deepEqual([...new Set(rows.map(({ run }) => run))], [gemma, smol]);
  deepEqual(rows.filter(({ score }) => !(score === null || score >= 0 && score <= 1)), []);
  equal(rows.every(({ settings }) => typeof JSON.parse(settings) === "object"), true);
});

Deno.test("fathom export --format scores writes a row for each task and length, and --out names the file", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/scores.csv`;
  const { code, out, err } = await shell("export", gemma, "--format", "scores", "--out", path);
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\r\n");
  deepEqual([code, out, err], [0, "", [`${path}: ${lines.length - 1} scores of 1 run`]]);
  equal(lines[0], "run,model,origin,task,length,n,score,low,high,failed,noAnswer");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("fathom export --format inspect writes a log per task, and the code that scores them", async () => {
  await inFolder(async (folder) => {
    const { code, out } = await shell("export", gemma, "--format", "inspect", "--out", folder);
    equal(code, 0);
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    const logs = out.trimEnd().split("\n").map((path) => path.slice(folder.length + 1)).sort();
    deepEqual(names, [...logs, "fathom_scores.py", "fathom_task.py"].sort());
    deepEqual(logs.map((name) => /_(cdme-\w+)_\w+\.eval$/.exec(name)?.[1]).sort(), ["cdme-en", "cdme-zh"]);
    await shell("export", gemma, smol, "--format", "inspect", "--out", `${folder}/both`);
    equal((await Array.fromAsync(Deno.readDir(`${folder}/both/${gemma}`))).length, 2);
  });
  equal((await shell("export", "--format", "inspect", "--out", "logs")).code, 2);
  equal((await shell("export", gemma, "--format", "inspect")).code, 2);
});
