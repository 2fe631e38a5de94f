import { deepEqual, equal, match, ok } from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { shell, withRunName } from "./_shell.ts";
import { fathom } from "@/lib/cli/main.ts";

/** Runs a test with a run of a reader that fails often. */
async function withRun(use: (name: string) => Promise<void>): Promise<void> {
  const ask = ["run", "--tasks", "niah_multikey_1,vt", "--lengths", "2048", "--samples", "12"];
  await withRunName(async (name) => {
    equal((await shell(...ask, "--model", "sim:longalpaca", "--name", name)).code, 0);
    await use(name);
  });
}

Deno.test("fathom show shows the sample named: recipe, hash, text around the needle, reply, score and why", async () => {
  await withRun(async (name) => {
    const { code, out, err } = await shell(
      ...["show", name, "--task", "niah_multikey_1", "--length", "2K", "--index", "3", "--characters", "30"],
    );
    deepEqual([code, err], [0, []]);
    match(
      out,
      /^niah_multikey_1 at 2K, sample 3, asked of sim:longalpaca \(simulated\)\n\nQuestion +What is the special magic number for /,
    );
    match(out, /\nRebuilt +the text is the one that was asked \(SHA-256 [0-9a-f]{12}…\)\n/);
    match(out, /\nScore +\d+ of 100: found [01] of 1/);
    match(
      out,
      /\ntarget "[^"]+" at \d+\.\d% of the context, \d+ tokens before it\n {2}before +….{0,60}\n {2}planted +One of/,
    );
    equal(out.match(/^distractor /gm)?.length, 3);
  });
});

Deno.test("fathom show without a sample shows the reply with the lowest score, and --facts limits its facts", async () => {
  await withRun(async (name) => {
    const { out } = await shell("show", name, "--task", "vt", "--facts", "2");
    match(out, /\nFailure /);
    equal(out.match(/^target /gm)?.length, 2);
    match(out, /\nand \d+ more planted facts: --facts \d+ prints all\n$/);
  });
});

Deno.test("fathom show --prompt prints the prompt as it was sent, and --json everything", async () => {
  await withRun(async (name) => {
    const place = ["show", name, "--task", "niah_multikey_1", "--index", "0"];
    const shown = JSON.parse((await shell(...place, "--json")).out);
    deepEqual([shown.run, shown.model, shown.origin, shown.isSame], [name, "sim:longalpaca", "simulated", true]);
    equal(shown.facts[0].role, "target");
    const { user, answerPrefix = "" } = shown.sample.prompt;
    equal(
      shown.sample.question,
      `What is the special magic number for ${shown.facts[0].key} mentioned in the provided text?`,
    );
    const { out } = await shell(...place, "--prompt");
    equal(out, `${user}${answerPrefix}\n`);
    ok(out.includes(shown.facts[0].before + shown.facts[0].text + shown.facts[0].after));
  });
});

Deno.test("fathom show --prompt marked and short mark facts and answers, message by message; a terminal has colours", async () => {
  await withRun(async (name) => {
    const place = ["show", name, "--task", "niah_multikey_1", "--index", "0", "--prompt"];
    const marked = (await shell(...place, "marked")).out;
    match(marked, /^--- user, \d+ characters\n/);
    match(marked, /\[target: One of the special magic [^\]]+\]\[answer: \d+\]\[target: \.\]/);
    equal(marked.match(/\[distractor: /g)?.length, 3);
    match(marked, /\n--- answer prefix, \d+ characters\n/);
    const short = (await shell(...place, "short", "--characters", "20")).out;
    ok(short.length < marked.length / 4);
    match(short, /\n… \d+ characters …\n.{0,21}\[target: /);
    const wrong = await shell(...place, "half");
    deepEqual([wrong.code, wrong.err.length], [2, 1]);
    match(wrong.err[0]!, /whole, marked, short/);
    const coloured = await colouredShell(...place);
    equal(stripVTControlCharacters(coloured), (await shell(...place)).out);
    ok(coloured.includes("\u001b[32mOne of the special magic"));
  });
});

/** Runs a command as on a terminal with colours. */
async function colouredShell(...args: readonly string[]): Promise<string> {
  let out = "";
  await fathom(args, {
    write: (text) => Promise.resolve(void (out += text)),
    ...{ print: () => {}, note: () => {}, redraw: () => {} },
    style: { columns: 80, colours: true, noteColours: true },
  });
  return out;
}

Deno.test("fathom show escapes the control characters of a reply", async () => {
  await withRun(async (name) => {
    const path = `${RUNS_FOLDER}/${name}/records.jsonl`;
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) => JSON.parse(line));
    const err = lines.map((record) => ({ ...record, reply: { ...record.reply, text: "\u001b[2J\nno" } }));
    await Deno.writeTextFile(path, err.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const { out } = await shell("show", name, "--task", "vt");
    ok(out.includes("Reply           \\u{1b}[2J\\nno"));
    equal(out.includes("\u001b"), false);
  });
});

Deno.test("fathom show says that a sample has changed since it was asked", async () => {
  await withRun(async (name) => {
    const path = `${RUNS_FOLDER}/${name}/records.jsonl`;
    const records = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, records.replaceAll(/"sha256":"[0-9a-f]{64}"/g, `"sha256":"${"0".repeat(64)}"`));
    const { code, err, out } = await shell("show", name, "--task", "vt");
    equal(code, 0);
    match(err[0]!, /its records were changed since the run ended/);
    match(err[1]!, /: not the recorded text, as the recipe is the same and the text is not/);
    match(out, /\nRebuilt +no: the recipe is the same/);
  });
});

Deno.test("fathom show refuses an unknown index or run in one line", async () => {
  await withRun(async (name) => {
    const { code, out, err } = await shell("show", name, "--index", "12");
    deepEqual([code, out, err.length], [2, "", 1]);
    match(err[0]!, /^fathom: Cannot pick a reply as its index must be one of 0, 1, .*: current value is 12$/);
    const missing = await shell("show", "worse");
    equal(missing.code, 2);
    match(missing.err[0]!, /^fathom: "worse" is unknown.* its name must be that of a recorded run \(/);
    match((await shell("show")).err[0]!, /missing required argument 'run'/);
  });
});
