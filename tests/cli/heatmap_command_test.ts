import { deepEqual, equal, match } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { shell, withRunName } from "./_shell.ts";

const HEADER = "dataset,version,metric,mode";

async function listFiles(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("fathom heatmap draws each model of each summary into a file of its own, and prints overall scores", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/a.csv`,
      `${HEADER},internlm-chat-20b,org/gpt 4\nCDME_Length1000Depth0,x,score,gen,100,80\nCDME_Length1000Depth100,x,score,gen,50,-\n` +
        "ceval,x,acc,gen,60,70\n",
    );
    await Deno.writeTextFile(
      `${folder}/b.csv`,
      `${HEADER},internlm-chat-20b,idle\nCDME_Length2000Depth0,x,score,gen,25,-\n`,
    );
    const out = `${folder}/figures`;
    const paths = `${folder}/a.csv,${folder}/b.csv`;
    const done = await shell("heatmap", "--path", paths, "--dataset-length", "200K", "--out", out);
    equal(done.code, 0);
    deepEqual(await listFiles(out), ["a-internlm-chat-20b.svg", "a-org-gpt-4.svg", "b-internlm-chat-20b.svg"]);
    deepEqual(done.out.split("\n").map((line) => line.replace(/^.*figures\//, "")), [
      "a-internlm-chat-20b.svg: Overall Score for internlm-chat-20b: 75.00",
      "a-org-gpt-4.svg: Overall Score for org/gpt 4: 80.00",
      "b-internlm-chat-20b.svg: Overall Score for internlm-chat-20b: 25.00",
      "",
    ]);
    deepEqual(done.err, [
      `${folder}/a.csv: skipped 1 row without a length and depth: ceval`,
      `${folder}/b.csv: idle has no score`,
    ]);
    match(await Deno.readTextFile(`${out}/a-org-gpt-4.svg`), /org\/gpt 4 200K Context Performance/);
  });
});

Deno.test("fathom heatmap draws a recorded run, and fathom report draws it too", async () => {
  await withRunName(async (name, figures) => {
    await inFolder(async (folder) => {
      const ask = ["--tasks", "cdme_zh,vt", "--set", "depths=3", "--lengths", "1000,2000", "--samples", "6"];
      equal((await shell("run", ...ask, "--model", "sim:ideal", "--name", name)).code, 0);
      const { code, out } = await shell("heatmap", "--run", name, "--out", folder);
      equal(code, 0);
      match(out, /depth-cdme_zh\.svg: Overall Score for sim:ideal on cdme_zh: 100\.00\n$/);
      const svg = await Deno.readTextFile(`${folder}/depth-cdme_zh.svg`);
      match(svg, /Simulated · n = 2 a cell/);
      const drawn = await shell("heatmap", "--run", name);
      match(drawn.out, /^(.*): Overall Score/);
      deepEqual(await listFiles(figures), ["depth-cdme_zh.svg"]);
      equal((await shell("report", name)).code, 0);
      deepEqual(await listFiles(figures), ["depth-cdme_zh.svg", "score-by-length.svg", "score-by-task.svg"]);
    });
  });
});

Deno.test.each(
  [
    ["neither path nor run", [], /as one of --path and --run must be given$/],
    ["both", ["--path", "a.csv", "--run", "first"], /as one of --path and --run must be given$/],
    ["a file that is not there", ["--path", "no.csv"], /current value is "no\.csv" \(there is nothing of that name\)$/],
    ["a file that is no summary", ["--path", "README.md"], /^fathom: Cannot read README\.md as /],
    ["another format", ["--path", "a.csv", "--format", "pdf"], /It must be svg, png or svg,png/],
    ["a run that is not there", ["--run", "no-such-run"], /its name must be that of a recorded run/],
  ] as [string, string[], RegExp][],
)("fathom heatmap refuses %s in one line, with exit code 2", async (_name, args, message) => {
  const { code, out, err } = await shell("heatmap", ...args);
  deepEqual([code, out, err.length], [2, "", 1]);
  match(err[0]!, message);
});

Deno.test("fathom heatmap without permission for PNG names the task that has it", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.csv`, `${HEADER},m\nCDME_Length1000Depth0,x,score,gen,100\n`);
    const root = new URL("../../", import.meta.url).pathname;
    const main = `${root}lib/cli/main.ts`;
    const flags = ["heatmap", "--path", `${folder}/a.csv`, "--out", folder, "--format", "png"];
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--allow-read",
        "--allow-write",
        "--allow-env",
        "--config",
        `${root}deno.json`,
        main,
        ...flags,
      ],
      env: { NO_COLOR: "1" },
    }).output();
    equal(code, 2);
    match(new TextDecoder().decode(stderr), /run `deno task heatmap` with the same flags/);
  });
});
