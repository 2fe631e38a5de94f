import { deepEqual, equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { importRun } from "@/lib/exchange/mod.ts";

async function withFile(text: string, use: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  await Deno.writeTextFile(path, text);
  await use(path).finally(() => Deno.remove(path));
}

const LINES = [
  { index: 0, pred: "VAR ABCDE and FGHIJ", outputs: ["ABCDE", "FGHIJ"], others: {}, truncation: -1, length: 4096 },
  { index: 1, pred: "abcde", outputs: ["ABCDE", "FGHIJ"], others: {}, truncation: -1, length: 4096 },
  { index: 2, pred: "\t\n", outputs: ["ABCDE"], others: {}, truncation: -1, length: 4096 },
];

Deno.test("fathom score gives RULER's score and the number of empty predictions", async () => {
  await withFile(LINES.map((line) => JSON.stringify(line)).join("\n"), async (path) => {
    // (1 + 0.5 + 0) / 3 = 50 per cent; one prediction is empty.
    equal((await shell("score", "--task", "vt", path)).out, "vt: 50.00 (n = 3, empty predictions 1/3)\n");
    const { score, nulls, n } = JSON.parse((await shell("score", "--task", "vt", path, "--json")).out);
    deepEqual({ score, nulls, n }, { score: 50, nulls: "1/3", n: 3 });
  });
});

Deno.test("fathom score and import take the task that a line names, unless --task or no scorer is known of it", async () => {
  const each = { pred: "ab", input: "?", index: 0 };
  const tasks = [["vt", ["AB", "CD"]], ["qa_1", ["ab", "cd"]], ["strange", ["ef"]]];
  const lines = tasks.map(([task, outputs]) => ({ ...each, task, outputs }));
  await withFile(lines.map((each) => JSON.stringify(each)).join("\n"), async (path) => {
    match((await shell("score", path)).err.join(), /"\S*" is unknown/);
    equal((await shell("score", path, "--task", "vt")).out, "vt: 33.33 (n = 3, empty predictions 0/3)\n");
    const folder = path.replace(".jsonl", "");
    await Deno.mkdir(folder);
    await Deno.writeTextFile(`${folder}/mine.jsonl`, lines.slice(0, 2).map((each) => JSON.stringify(each)).join("\n"));
    const scores = ["vt: 50.00 (n = 1, empty predictions 0/1)", "qa_1: 100.00 (n = 1, empty predictions 0/1)"];
    equal((await shell("score", `${folder}/mine.jsonl`)).out, scores.map((each) => `${each}\n`).join(""));
    const run = { folder: `${folder}/runs`, model: "m", length: 512 };
    const { manifest } = await importRun(`${folder}/mine.jsonl`, run);
    deepEqual(Object.keys(manifest.tasks).sort(), ["qa_1", "vt"]);
    match((await shell("score", folder)).out, /^vt .*50\.00 .*\nqa_1 .*100\.00 .*\nmean of 2 tasks/);
    await Deno.remove(folder, { recursive: true });
  });
});

const NEEDLE = "小明最喜欢的实习地点就是上海人工智能实验室。";

Deno.test("fathom score scores predictions for CDME by edit distance, cut where asked, and by keyword", async () => {
  const said = [{ pred: NEEDLE, outputs: [NEEDLE] }, { pred: `${NEEDLE}\n希望这能帮到你！`, outputs: [NEEDLE] }];
  await withFile(said.map((line) => JSON.stringify(line)).join("\n"), async (path) => {
    // 22 of 30 characters are right.
    equal((await shell("score", "--task", "cdme_zh", path)).out, "cdme_zh: 86.67 (n = 2, empty predictions 0/2)\n");
    match((await shell("score", "--task", "cdme_zh", "--set", "trim=on", path)).out, /^cdme_zh: 100\.00 /);
    const [{ distance }] = JSON.parse((await shell("score", "--task", "cdme_zh", "--json", path)).out).scores;
    equal(distance, 0);
  });
  await withFile(JSON.stringify({ pred: "是 Jack", outputs: ["叫Jack。", "Jack"] }), async (path) => {
    match((await shell("score", "--task", "cdme_multi_zh", path)).out, /^cdme_multi_zh: 100\.00 /);
  });
});

Deno.test("fathom score refuses a missing file, an unknown task and an empty file", async () => {
  equal((await shell("score", "--task", "vt", "/no/such/file")).code, 2);
  await withFile("", async (path) => {
    equal((await shell("score", "--task", "vt", path)).code, 2);
    match((await shell("score", "--task", "nope", path)).err.join(), /"nope" is unknown/);
  });
});

Deno.test("fathom score refuses predictions that are not UTF-8", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(
    path,
    new Uint8Array([
      ...new TextEncoder().encode('{"pred":"caf'),
      0xe9,
      ...new TextEncoder().encode('","outputs":["caf"]}\n'),
    ]),
  );
  const { code, err } = await shell("score", "--task", "vt", path);
  await Deno.remove(path);
  deepEqual([code, err], [2, [`fathom: Cannot read the file as it must be UTF-8 text: current value is "${path}"`]]);
});

Deno.test("fathom score scores what fathom generate writes of every task of Counting-Stars", async () => {
  for (const kind of ["search", "reasoning", "sum", "linked"]) {
    const task = ["--task", `counting_stars_${kind}_en`];
    const { out } = await shell("generate", ...task, "--set", "stars=4", "--length", "2K");
    const { outputs, distractors = [] } = JSON.parse(out);
    equal(distractors.length, ["reasoning", "linked"].includes(kind) ? outputs.length : 0);
    const [counts, total] = kind === "sum" ? [outputs.slice(0, -1), outputs.at(-1)] : [outputs, 0];
    const pred = `{"little_penguin": [${counts.join(", ")}], "total": ${total}}`;
    await withFile(JSON.stringify({ ...JSON.parse(out), pred }), async (path) => {
      match((await shell("score", ...task, path)).out, /: 100\.00 \(n = 1,/);
    });
  }
});
