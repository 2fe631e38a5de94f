import { deepEqual, equal, match, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { shell, withRunName } from "./_shell.ts";

const HEADER = "dataset,version,metric,mode";

async function listFiles(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("fathom figure draws each model of each summary into a file of its own, and prints overall scores", async () => {
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
    const done = await shell("figure", "--path", paths, "--dataset-length", "200K", "--out", out);
    equal(done.code, 0);
    deepEqual(await listFiles(out), ["a-internlm-chat-20b.svg", "a-org-gpt-4.svg", "b-internlm-chat-20b.svg"]);
    deepEqual(done.out.split("\n").map((line) => line.replace(/^.*figures\//, "")), [
      "a-internlm-chat-20b.svg: Overall Score for internlm-chat-20b: 75.00",
      "a-org-gpt-4.svg: Overall Score for org/gpt 4: 80.00",
      "b-internlm-chat-20b.svg: Overall Score for internlm-chat-20b: 25.00",
      "",
    ]);
    deepEqual(done.err, [
      `${folder}/a.csv: skipped 1 row without a length and depth, such as ceval`,
      `${folder}/b.csv: idle has no score`,
    ]);
    match(await Deno.readTextFile(`${out}/a-org-gpt-4.svg`), /org\/gpt 4 200K Context Performance/);
  });
});

Deno.test("fathom figure names the maps of two summaries of one name apart", async () => {
  await inFolder(async (folder) => {
    const paths = ["a", "b"].map((part) => `${folder}/${part}/summary.csv`);
    for (const path of paths) {
      await Deno.mkdir(path.replace("/summary.csv", ""));
      await Deno.writeTextFile(path, `${HEADER},m\nCDME_Length1000Depth0,x,score,gen,100\n`);
    }
    equal((await shell("figure", "--path", ...paths, "--out", folder)).code, 0);
    deepEqual(await listFiles(folder), ["a", "b", "summary-m-2.svg", "summary-m.svg"]);
  });
});

Deno.test("fathom figure draws the maps by depth of a run, and fathom report draws them too", async () => {
  await withRunName(async (name, figures) => {
    await inFolder(async (folder) => {
      const ask = ["--tasks", "cdme_zh,vt", "--set", "depths=3", "--lengths", "1000,2000", "--samples", "6"];
      equal((await shell("run", ...ask, "--model", "sim:ideal", "--name", name)).code, 0);
      const { code, out } = await shell("figure", name, "--kind", "depth", "--out", folder);
      equal(code, 0);
      match(out, /depth-cdme_zh\.svg: sim:ideal on cdme_zh 2K Context Performance: .*\n$/);
      const svg = await Deno.readTextFile(`${folder}/depth-cdme_zh.svg`);
      match(svg, /Simulated · n = 2 a cell/);
      equal((await shell("figure", name, "--kind", "depth")).code, 0);
      deepEqual(await listFiles(figures), ["depth-cdme_zh.svg"]);
      equal((await shell("report", name)).code, 0);
      deepEqual(await listFiles(figures), ["depth-cdme_zh.svg", "score-by-length.svg", "score-by-task.svg"]);
    });
  });
});

/** Runs a test with two runs, of which the second was asked fewer tasks. */
async function withTwoRuns(use: (first: string, second: string) => Promise<void>): Promise<void> {
  const ask = async (name: string, tasks: string, model: string): Promise<void> => {
    const flags = ["--lengths", "1K,2K", "--samples", "6", "--model", model, "--name", name];
    equal((await shell("run", "--tasks", tasks, ...flags)).code, 0);
  };
  await withRunName((first) =>
    withRunName(async (second) => {
      await ask(first, "niah_single_1,niah_multikey_1,cwe", "sim:gpt-4");
      await ask(second, "niah_multikey_1,cwe", "sim:command-r");
      await use(first, second);
    })
  );
}

Deno.test("fathom figure draws several runs for a paper: a PDF of that width, and its texts beside it", async () => {
  await withTwoRuns(async (first, second) => {
    await inFolder(async (folder) => {
      const path = `${folder}/scores.pdf`;
      const { code, out, err } = await shell("figure", first, second, "--width", "8.5cm", "--out", path);
      deepEqual([code, out, err], [0, `${path}: Score by length, mean of 2 tasks\n`, []]);
      deepEqual(await listFiles(folder), ["scores.pdf", "scores.txt"]);
      const pdf = new TextDecoder("latin1").decode(await Deno.readFile(path));
      const [, width] = /\/MediaBox \[0 0 ([\d.]+) [\d.]+\]/.exec(pdf)!;
      ok(Math.abs(Number(width) - 8.5 / 2.54 * 72) < 0.01, width);
      match(pdf, /\/FontFile2/);
      match(
        await Deno.readTextFile(`${folder}/scores.txt`),
        /^Score by length, mean of 2 tasks\nSimulated · n = 12 samples a point/,
      );
    });
  });
});

Deno.test("fathom figure draws the chart alone for a paper: a line for each run, and no title, origin or caption", async () => {
  await withTwoRuns(async (first, second) => {
    await inFolder(async (folder) => {
      const paper = ["--width", "3.25in", "--font", "Times", "--font-size", "7"];
      equal((await shell("figure", first, second, ...paper, "--out", folder)).code, 0);
      const svg = await Deno.readTextFile(`${folder}/length.svg`);
      const texts = Array.from(svg.matchAll(/<text[^>]*>([^<]*)/g), ([, text]) => text!);
      for (const name of ["sim:gpt-4", "sim:command-r", "Context length (tokens)"]) ok(texts.includes(name), name);
      ok(texts.every((text) => !/Simulated|mean of|samples/.test(text)), texts.join());
      match(
        svg,
        /<svg [^>]*font-family="Times"[^>]* width="234pt"[^>]*><title>Score by length, mean of 2 tasks<\/title><desc>Simulated · /,
      );
      const maps = await shell("figure", first, second, "--kind", "map", ...paper, "--out", `${folder}/map.svg`);
      equal(maps.code, 0);
      deepEqual(
        (await listFiles(folder)).filter((name) => name.startsWith("map")),
        [first, second].flatMap((run) => [`map-${run}-map.svg`, `map-${run}-map.txt`]).sort(),
      );
    });
  });
});

Deno.test.each(
  [
    ["neither runs nor summaries", [], /as either runs or --path must be given$/],
    ["both", ["first", "--path", "a.csv"], /as either runs or --path must be given$/],
    ["a file that is not there", ["--path", "no.csv"], /current value is "no\.csv" \(there is nothing of that name\)$/],
    ["a file that is no summary", ["--path", "README.md"], /^fathom: Cannot read README\.md as /],
    ["a run that is not there", ["no-such-run"], /its name must be that of a recorded run/],
    ["a font without a width", ["first", "--font", "Times"], /Cannot use --font as --width must give the width for/],
    ["a width without its unit", ["first", "--width", "8.5"], /It must be a size with its unit, such as 8\.5cm/],
    ["a size that nobody reads", ["first", "--font-size", "1"], /It must be a number from 4 to 24/],
  ] as [string, string[], RegExp][],
)("fathom figure refuses %s in one line, with exit code 2", async (_name, args, message) => {
  const { code, out, err } = await shell("figure", ...args);
  deepEqual([code, out, err.length], [2, "", 1]);
  match(err[0]!, message);
});

Deno.test("fathom figure without permission for PNG names the task that has it", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.csv`, `${HEADER},m\nCDME_Length1000Depth0,x,score,gen,100\n`);
    const root = new URL("../../", import.meta.url).pathname;
    const main = `${root}lib/cli/main.ts`;
    const flags = ["figure", "--path", `${folder}/a.csv`, "--out", folder, "--format", "png"];
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ..."run --no-prompt --allow-read --allow-write --allow-env --config".split(" "),
        `${root}deno.json`,
        main,
        ...flags,
      ],
      env: { NO_COLOR: "1" },
    }).output();
    equal(code, 2);
    match(new TextDecoder().decode(stderr), /run `deno task figure` with these flags/);
  });
});
