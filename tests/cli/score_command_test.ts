import { deepEqual, equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";

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

Deno.test("fathom score names the line that is wrong", async () => {
  await withFile(`${JSON.stringify(LINES[0])}\nnot json\n`, async (path) => {
    const { code, told } = await shell("score", "--task", "vt", path);
    equal(code, 2);
    match(told.join(), /line 2/);
  });
});

Deno.test("fathom score refuses a missing file, an unknown task and an empty file", async () => {
  equal((await shell("score", "--task", "vt", "/no/such/file")).code, 2);
  await withFile("", async (path) => {
    equal((await shell("score", "--task", "vt", path)).code, 2);
    match((await shell("score", "--task", "nope", path)).told.join(), /current value is "nope"/);
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
  const { code, told } = await shell("score", "--task", "vt", path);
  await Deno.remove(path);
  deepEqual([code, told], [2, [`fathom: Cannot read the file as it must be UTF-8 text: current value is "${path}"`]]);
});
