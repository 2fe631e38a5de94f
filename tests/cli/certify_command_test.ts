import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withCertificates, withRunName } from "./_shell.ts";
import { CERTIFICATES_FOLDER } from "@/lib/certify/design.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

const TASKS = "--tasks niah_multikey_1,niah_single_2 --lengths 2048 --calibrate 4 --between 0-100".split(" ");

/** Returns the last line of the notes. */
async function lastLine(...args: readonly string[]): Promise<readonly [code: number, line: string]> {
  const { code, err } = await shell("certify", ...args);
  return [code, err.at(-1) ?? ""];
}

Deno.test("fathom certify ends with 0 for no worse, 1 for worse, and writes its files", async () => {
  await withCertificates(1, async (name) => {
    const path = `${CERTIFICATES_FOLDER}/${name}`;
    const arms = ["--base", "before=sim:longalpaca", "--change", "after=sim:ideal", "--margin", "5"];
    const { code, out, err } = await shell("certify", ...arms, ...TASKS, "--name", name!, "--markdown", `${path}.md`);
    equal(code, 0);
    match(out, /\nVerdict +No worse\n/);
    match(err.at(-1)!, /^after loses less than 5 points against before: /);
    const files = (await Array.fromAsync(Deno.readDir(path))).map((entry) => entry.name).sort();
    deepEqual(files, [
      ...["again", "base", "calibration", "certificate.json", "change"],
      ...["junit.xml", "report.html", "summary.md"],
    ]);
    match(await Deno.readTextFile(`${path}.md`), /^### ✅ after loses less than 5 points against before/);
    match(
      await Deno.readTextFile(`${path}/summary.md`),
      /fathom certify --base before=sim:longalpaca --change after=sim:ideal/,
    );
    await Deno.remove(`${path}.md`);
    // Again without a call: the verdict is read from the records.
    const again = JSON.parse((await shell("certify", ...arms, ...TASKS, "--name", name!, "--json")).out);
    deepEqual([again.verdict, again.origin], ["no worse", "simulated"]);
  });
  await withCertificates(1, async (name) => {
    const arms = ["--base", "before=sim:ideal", "--change", "after=sim:mute", "--margin", "2"];
    const [code, line] = await lastLine(...arms, ...TASKS, "--name", name!);
    equal(code, 1);
    match(line, /^fathom: after loses more than 2 points against before: −100\.0 points \[/);
  });
});

Deno.test("fathom certify ends with 3 where the pairs do not decide", async () => {
  await withCertificates(1, async (name) => {
    const arms = ["--base", "one=sim:ideal", "--change", "two=sim:ideal", "--self", "--margin", "1"];
    const [code, line] = await lastLine(...arms, ...TASKS, "--max-samples", "20", "--name", name!);
    equal(code, 3);
    match(line, /^fathom: Not enough data on two against one: 0\.0 points \[.*\] on 20 pairs$/);
  });
});

Deno.test("fathom certify ends with 3 at a loss that is not shown to be beyond the margin, and with 0 if that is accepted", async () => {
  const hard = "--tasks niah_multikey_2,vt --lengths 4096 --calibrate 4 --between 0-100 --no-turn --max-samples 60";
  const arms = ["--base", "one=sim:ideal", "--change", "two=sim:longalpaca", ...hard.split(" ")];
  await withCertificates(1, async (name) => {
    const [code, line] = await lastLine(...arms, "--margin", "80", "--name", name!);
    equal(code, 3);
    match(line, /^fathom: two loses against one, not shown to be more than 80 points: −64\.7 points \[−8/);
    equal((await lastLine(...arms, "--margin", "80", "--name", name!, "--accept-within"))[0], 0);
  });
  // An estimate beyond the margin is not accepted.
  await withCertificates(1, async (name) => {
    equal((await lastLine(...arms, "--margin", "60", "--name", name!, "--accept-within"))[0], 3);
  });
});

Deno.test("fathom certify takes names and models with a slash or a colon", async () => {
  const name = "org-after-q4-against-org-before-f16";
  const arms = ["--base", "org/before:f16=sim:longalpaca", "--change", "org/after:q4=sim:ideal", "--margin", "20"];
  try {
    const [code, line] = await lastLine(...arms, ...TASKS);
    deepEqual(
      [code, line.startsWith("org/after:q4 loses less than 20 points against org/before:f16: ")],
      [0, true],
      line,
    );
    equal((await Deno.stat(`${CERTIFICATES_FOLDER}/${name}`)).isDirectory, true);
  } finally {
    await Deno.remove(`${CERTIFICATES_FOLDER}/${name}`, { recursive: true });
  }
});

Deno.test("fathom certify judges two recorded runs without a call", async () => {
  await withRunName(async (before) => {
    await withRunName(async (after) => {
      const ask = ["run", "--tasks", "niah_single_1,niah_multikey_1", "--lengths", "2048", "--samples", "30"];
      equal((await shell(...ask, "--model", "sim:ideal", "--name", before)).code, 0);
      equal((await shell(...ask, "--model", "sim:mute", "--name", after)).code, 0);
      const runs = ["--base-run", before, "--change-run", after];
      const { code, out, err: notes } = await shell("certify", ...runs, "--margin", "2");
      equal(code, 1);
      match(out, /\nRegistered +no: recorded runs\n/);
      match(notes.join("\n"), /Recorded runs: 60 samples with the same text, 0 with another, 0 in one run alone/);
      // A loss stays one where its files cannot be written, and nothing else passes.
      const unwritten = ["--margin", "2", "--json", "--junit", RUNS_FOLDER];
      const worse = await shell("certify", ...runs, ...unwritten);
      deepEqual([worse.code, JSON.parse(worse.out).verdict], [1, "worse"]);
      match(worse.err.join("\n"), /^The result cannot be written: Cannot open ".+" as .+: it is a folder$/m);
      const better = await shell("certify", "--base-run", after, "--change-run", before, ...unwritten);
      deepEqual([better.code, JSON.parse(better.out).verdict], [3, "not enough data"]);
      match(JSON.parse(better.out).headline, /^Cannot open ".+" as the system must permit it: it is a folder$/);
      const records = `${RUNS_FOLDER}/${after}/records.jsonl`;
      const text = await Deno.readTextFile(records);
      await Deno.writeTextFile(records, text.replace(/"text":"/, '"text":"Edited '));
      const edited = await shell("certify", ...runs, "--margin", "2", "--json");
      match(
        JSON.parse(edited.out).notes[0],
        /: Warning: this is not the run that was recorded, as its records were changed/,
      );
      deepEqual(await lastLine("--base-run", before, "--change-run", before, "--margin", "2"), [
        2,
        `fathom: Cannot certify a run against itself as --change-run must be another run, or --self must be given: current value is "${before}"`,
      ]);
    });
  });
});

Deno.test("fathom certify refuses wrong use with what was expected", async () => {
  const sims = ["--base", "a=sim:ideal", "--change", "b=sim:mute"];
  const cases: readonly (readonly [args: readonly string[], line: RegExp])[] = [
    [sims, /--margin must be the loss that is allowed, in points: current value is none/],
    [[...sims, "--margin", "0"], /It must be a number from 0\.001 to 99\.999\./],
    [[...sims, "--margin", "100"], /from 0\.001 to 99\.999/],
    [
      ["--base", "a=sim:ideal", "--margin", "2"],
      /--base and --change must both name a server.*current value is no change/,
    ],
    [["--base-run", "x", "--margin", "2"], /--base-run and --change-run must both be given: current value is x alone/],
    [
      ["--base", "a=sim:ideal", "--change", "b=sim:ideal", "--margin", "2"],
      /must be two servers or models, or --self must be given: current value is sim:ideal at this machine for both/,
    ],
    [["--base", "a=sim:ideal", "--change", "a=sim:mute", "--margin", "2"], /must have names of their own/],
    [[...sims, "--margin", "2", "--name", "../x"], /^fathom: Cannot name the run as its name must be/],
    [[...sims, "--margin", "2", "--between", "90-20"], /two percentages, such as 20-90/],
    [["--base-run", "no-such-run", "--change-run", "none", "--margin", "2"], /no-such-run/],
  ];
  for (const [args, line] of cases) {
    const [code, last] = await lastLine(...args);
    deepEqual([code, args], [2, args], last);
    match(last, line);
  }
});
