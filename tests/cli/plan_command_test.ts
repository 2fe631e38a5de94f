import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";

Deno.test("fathom plan --samples prints the interval to expect and the difference that so many find", async () => {
  const { code, out } = await shell("plan", "--samples", "10", "--score", "50");
  equal(code, 0);
  match(out, /^Precision of 10 samples of each task at a score of 50\nComputed /);
  match(out, /one task +28\.8 +– +– +– +–\n/);
  match(out, /the mean of 13 tasks +8\.5 +17\.8 +17\.6 +14\.9 +11\.5\n/);
});

Deno.test.each(
  [
    [[], /as a study, a model, --lengths or --samples must be given: current value is none of them$/],
    [["--samples", "5", "--score", "x"], /must be a number from 0 to 100/],
    [["--samples", "5", "--tasks", "vt"], /--tasks must be a number of tasks/],
  ] as const,
)("fathom plan %j names in one line what is wrong", async (flags, message) => {
  const { code, out, err } = await shell("plan", ...flags);
  deepEqual([code, out], [2, ""]);
  match(err.at(-1)!, message);
});

/** A model that no other test asks: the pace of a recorded run of it would be taken. */
const MODEL = "planned-alone";

Deno.test("fathom plan with a study prints tokens, price, time and window before anything is asked", async () => {
  const asked = ["--tasks", "vt", "--lengths", "1K,4K", "--samples", "2", "--base-url", "http://127.0.0.1:9"];
  const paid = ["--price-in", "100", "--price-out", "1000", "--tokens-per-minute", "6000", "--no-preflight"];
  const { code, out } = await shell("plan", "--model", MODEL, ...asked, ...paid);
  equal(code, 0);
  match(
    out,
    /^Plan for planned-alone\nComputed · 4 questions\n\nPrompt tokens +1K +4K +all\n[- ]+\nvt +1,\d\d\d +8,\d\d\d +(9|10),\d\d\d\n/,
  );
  match(out, /\nquestions +2 +2 +4\n/);
  match(out, /\nanswers, at most +60 +60 +120\n/);
  match(out, /\nprice, at most +0\.2\d +0\.8\d +1\.1\d\n/);
  match(out, /\ntime +\d\d s +1 min +2 min\n/);
  match(out, /The longest prompt and its answer need 4,0\d\d tokens\n/);
  match(out, / Time: at most 6,000 tokens a minute\.\n/);
  match(out, /with 2 samples a score is about these 2 texts only/);
});

Deno.test("fathom plan --json gives the total and a row for each task and length", async () => {
  const asked = `--lengths 1K --samples 1 --model ${MODEL} --base-url http://127.0.0.1:9 --no-preflight`.split(" ");
  const paid = ["--price-in", "1", "--price-cached", "0.1", "--tokens-per-minute", "6000"];
  const { out } = await shell("plan", "--tasks", "vt,fwe", ...asked, ...paid, "--json");
  const { total, rows, pace, isExact } = JSON.parse(out);
  equal(pace, "at most 6,000 tokens a minute");
  equal(isExact && rows.length === 2 && total.price > 0 && total.seconds > 0, true);
  equal(rows[0].promptTokens + rows[1].promptTokens, total.promptTokens);
});

Deno.test("fathom plan --samples-at asks fewer samples at a length, and a run of it is whole with them", async () => {
  const asked = ["--tasks", "vt", "--lengths", "1K,2K", "--samples", "3", "--samples-at", "2K=1"];
  match((await shell("plan", ...asked)).out, /\nquestions +3 +1 +4\n/);
  await withRunName(async (name) => {
    const run = await shell("run", ...asked, "--model", "sim:ideal", "--name", name, "--json");
    deepEqual([run.code, JSON.parse(run.out).summary.answered], [0, 4]);
    const { runs } = JSON.parse((await shell("report", "--json")).out);
    const { questions, isDone } = runs.find(({ run }: { run: string }) => run === name);
    deepEqual([questions, isDone], [4, true]);
    // Asked in full later, the run widens.
    const whole = asked.slice(0, -2);
    const again = await shell("run", ...whole, "--model", "sim:ideal", "--name", name, "--json");
    deepEqual([again.code, JSON.parse(again.out).summary.answered, JSON.parse(again.out).summary.asked], [0, 6, 2]);
    match((await shell("report", name)).out, /3 of each task at each length, numbers 0 to 2/);
  });
});
