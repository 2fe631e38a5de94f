import { deepEqual, equal, match, ok } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { shell, withRunName } from "./_shell.ts";

const CDME = "measured/smollm2-135m-instruct/cdme";
const LM_EVAL = new URL("../data/imported/lm-eval", import.meta.url).pathname;

Deno.test("fathom import makes a run that report, show and export open", async () => {
  await withRunName(async (name) => {
    const { code, out, told } = await shell("import", LM_EVAL, "--name", name);
    deepEqual([code, out], [0, `${name}\n`]);
    deepEqual(told.slice(0, 2), [
      "all 12 scores agree with lm-evaluation-harness 0.4.13",
      "not known: how long replies took; why the model stopped; the model's own count of tokens",
    ]);
    match(told[2]!, /: 12 replies of sim:longalpaca \(simulated\), from lm-evaluation-harness 0\.4\.13$/);
    const report = await shell("report", name, "--no-figures");
    match(report.out, /Imported from +lm-evaluation-harness 0\.4\.13, 3 files/);
    match((await shell("show", name, "--task", "vt")).out, /the text is the one that was asked/);
    equal((await shell("export", name)).out.trimEnd().split("\n").length, 12);
    const again = await shell("import", LM_EVAL, "--name", name);
    deepEqual([again.code, again.told.length], [2, 1]);
    match(again.told[0]!, /its name must be free; --name gives it another/);
  });
});

Deno.test("fathom export --format bundle writes what fathom import opens, and prints the hash of the file", async () => {
  await withFolder({}, async (folder) => {
    await withRunName(async (name) => {
      const made = await shell("export", CDME, "--format", "bundle", "--out", `${folder}/a.zip`);
      equal(made.code, 0);
      const content = await Deno.readFile(`${folder}/a.zip`);
      const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", content)).toHex();
      equal(made.out, `${sha256}  ${folder}/a.zip\n`);
      const { code, told } = await shell("import", `${folder}/a.zip`, "--name", name);
      equal(code, 0);
      match(told.at(-1)!, /\(measured\), from a bundle whose hashes match$/);
      const scores = async (run: string): Promise<string> =>
        (await shell("export", run, "--format", "scores")).out.replaceAll(`"run":"${run}"`, "");
      equal(await scores(name), await scores(CDME));
    });
  });
});

Deno.test("fathom export --format bundle takes one run, and needs --out", async () => {
  for (const args of [["one", "two", "--out", "a.zip"], ["one"]]) {
    const { code, told } = await shell("export", "--format", "bundle", ...args);
    deepEqual([code, told.length], [2, 1]);
  }
});

Deno.test("fathom report --leaderboard writes a row for each model", async () => {
  await withFolder({}, async (folder) => {
    const runs = ["measured/gemma-3-270m/ruler", "measured/smollm2-135m-instruct/ruler"];
    const { code } = await shell("report", ...runs, "--no-figures", "--leaderboard", `${folder}/board.csv`);
    equal(code, 0);
    const [header, ...rows] = (await Deno.readTextFile(`${folder}/board.csv`)).trimEnd().split("\r\n");
    match(
      header!,
      /^benchmark,mean,rank,bestRank,worstRank,model,origin,.*,score1024,low1024,high1024,n1024,score2048,/,
    );
    deepEqual(rows.map((row) => row.split(",").filter((_, at) => [0, 2, 5].includes(at))), [
      ["ruler", "1", "gemma-3-270m"],
      ["ruler", "2", "smollm2-135m-instruct"],
    ]);
    const refused = await shell("report", "failures", runs[0]!, "--leaderboard", `${folder}/board.csv`);
    ok(refused.code === 2 && /--leaderboard/.test(refused.told[0]!));
  });
});
