import { equal, match, ok } from "node:assert/strict";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { shell, withRunName } from "./_shell.ts";

const ASK = "run --adaptive --tasks niah_single_1,niah_single_2 --lengths 512,1K,2K --samples 60".split(" ");

async function countRecords(name: string): Promise<number> {
  return (await Deno.readTextFile(`${RUNS_FOLDER}/${name}/records.jsonl`)).trimEnd().split("\n").length;
}

Deno.test("fathom run --adaptive asks a perfect reader at the longest length only, and nothing when run again", async () => {
  await withRunName(async (name) => {
    const first = await shell(...ASK, "--name", name);
    equal(first.code, 0);
    match(first.out, /Effective length by a mean of 85\.6 \(\d+ of 360 samples asked\): >2K, settled/);
    match(first.out, /\n2K +\d+ +100\.0 \[\d\d\.\d, 100\.0\] +85\.6 +passes\n/);
    match(first.out, /\n512 +0 +– +85\.6 +not needed\n/);
    ok(first.err.some((line) => line.startsWith("at most 360 of 360 questions to ask")));
    const records = await countRecords(name);
    ok(records <= 120);
    const again = await shell(...ASK, "--name", name);
    equal(again.out, first.out);
    equal(await countRecords(name), records);
  });
});

Deno.test("fathom run --adaptive --share compares with the shortest length", async () => {
  await withRunName(async (name) => {
    const { out } = await shell(...ASK, "--share", "0.5", "--rule", "contiguous", "--name", name);
    match(out, /Effective length by a mean of 0\.5 of that at the shortest \(\d+ of 360 samples asked\): >2K, settled/);
  });
});

Deno.test.each(
  [
    [["--threshold", "90"], /^fathom: Cannot use --threshold as --adaptive must be given too: current value is "90"$/],
    [["--adaptive", "--threshold", "90", "--share", "0.8"], /as --threshold must not be given: current value is 90$/],
    [
      ["--adaptive", "--tasks", "vt", "--lengths", "512,1K"],
      /every task must fit every length, and vt needs \d+ tokens/,
    ],
    [["--adaptive", "--share", "1.5"], /It must be a number from 0 to 1/],
  ] as const,
)("fathom run %j says in one line what is wrong", async (flags, message) => {
  for (const dry of [[], ["--dry-run"]]) {
    const { code, out, err } = await shell("run", ...flags, ...dry, "--name", `test-${crypto.randomUUID()}`);
    equal(code, 2);
    equal(out, "");
    match(err.at(-1)!, message);
  }
});
