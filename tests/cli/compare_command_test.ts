import { deepEqual, equal, match } from "node:assert/strict";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { shell, withRunName } from "./_shell.ts";

const ASK = ["run", "--tasks", "niah_multikey_1,niah_single_1", "--lengths", "2048", "--samples", "12"];

/** Runs a test with a run of each of some simulated readers. */
async function withRuns(
  profiles: readonly string[],
  use: (...names: readonly string[]) => Promise<void>,
): Promise<void> {
  const [profile, ...rest] = profiles;
  if (profile === undefined) return await use();
  await withRunName(async (name) => {
    equal((await shell(...ASK, "--model", `sim:${profile}`, "--name", name)).code, 0);
    await withRuns(rest, (...names) => use(name, ...names));
  });
}

Deno.test("fathom compare prints a finding, paired differences, and the failure modes that changed", async () => {
  await withRuns(["ideal", "longalpaca", "mute"], async (ideal, longalpaca, mute) => {
    const { code, out, err } = await shell("compare", ideal!, longalpaca!, `${RUNS_FOLDER}/${mute}`);
    deepEqual([code, err], [0, []]);
    match(
      out,
      /^Against sim:ideal: sim:longalpaca shows no loss \(−4\.2 points .*\); sim:mute costs 100\.0 points \[76\.5, 100\.0\]\.\n/,
    );
    match(out, /\nsetting profile +"ideal" +"longalpaca" +"mute"\n/);
    match(out, /\nall samples +– +24 +100\.0 +0\.0 +-100\.0 \[/);
    match(out, /\n24 samples with the same text in both runs, 0 with another text, 0 in one run alone\.\n/);
    match(out, /\nright +empty +24 +niah_/);
  });
});

Deno.test("fathom compare --json prints the finding and the rows of each run", async () => {
  await withRuns(["ideal", "mute"], async (ideal, mute) => {
    const { baseline, finding, runs } = JSON.parse((await shell("compare", mute!, ideal!, "--json")).out);
    deepEqual([baseline, runs[0].run, runs[0].shared, runs[0].rows[0].difference], ["sim:mute", "sim:ideal", 24, 100]);
    match(finding, /^Against sim:mute: sim:ideal gains 100\.0 points/);
  });
});

Deno.test("fathom compare refuses one run, no such run, and runs that share no sample", async () => {
  await withRuns(["ideal"], async (ideal) => {
    const refusalOf = async (...args: readonly string[]) => {
      const { code, err } = await shell("compare", ...args);
      equal(code, 2);
      return err.at(-1)!;
    };
    match(
      await refusalOf(ideal!),
      /^fathom: Cannot compare runs as there must be at least two: current value is test-/,
    );
    match(
      await refusalOf(ideal!, "no/such"),
      /as a path must be that of a folder with a manifest\.json: current value is "no\/such"$/,
    );
    await withRunName(async (name) => {
      await shell(...ASK, "--seed", "7", "--model", "sim:mute", "--name", name);
      const missing = /samples with the same text in .* \(24 have another text, as these differ: seed\)/;
      match(await refusalOf(ideal!, name, "--json"), new RegExp(`must be ${missing.source}: current value is 0$`));
      const { code, out, err: notes } = await shell("compare", ideal!, name);
      equal(code, 0);
      match(notes.at(-1)!, new RegExp(`^There are no ${missing.source}: means of independent samples are compared$`));
      match(out, /on other texts: means of independent samples/);
      match(out, /seed +"42" +"7"/);
    });
  });
});
