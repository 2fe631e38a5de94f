import { deepEqual, equal, match } from "node:assert/strict";
import { fathom } from "@/lib/cli/main.ts";
import { shell, withRunName } from "./_shell.ts";
import { RUNS_FOLDER } from "@/lib/studies/manifest.ts";

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

Deno.test("fathom compare prints a leaderboard, paired differences, and the failure modes that changed", async () => {
  await withRuns(["ideal", "longalpaca", "mute"], async (ideal, longalpaca, mute) => {
    const { code, out, told } = await shell("compare", ideal!, longalpaca!, `${RUNS_FOLDER}/${mute}`);
    deepEqual([code, told], [0, []]);
    match(out, /^Against sim:ideal: 1 of 2 runs lower, 0 higher, 1 undecided\n/);
    match(out, /\nsetting profile +"ideal" +"longalpaca" +"mute"\n/);
    match(out, /\nall samples +– +24 +100\.0 +0\.0 +-100\.0 \[/);
    match(out, /\n24 samples with the same text in both runs, 0 with another text, 0 in one run alone\.\n/);
    match(out, /\nright +empty +24 +niah_/);
  });
});

Deno.test("fathom compare --samples shows what one run alone got right, --csv and --json everything", async () => {
  await withRuns(["ideal", "mute"], async (ideal, mute) => {
    const { out } = await shell("compare", mute!, ideal!, "--samples");
    match(
      out,
      /\n0 right in sim:mute alone, 24 in sim:ideal alone\n[^]*\nniah_multikey_1, 2K, 0 +sim:ideal +\d+ /,
    );
    const csv = (await shell("compare", mute!, ideal!, "--csv")).out.split("\r\n");
    match(
      csv[0]!,
      /^baseline,baselineOrigin,run,runOrigin,sample,sha256,task,length,index,repeat,depth,baselineScore,runScore,/,
    );
    equal(csv.length, 24 + 2);
    const { baseline, board, runs } = JSON.parse((await shell("compare", mute!, ideal!, "--json")).out);
    deepEqual([baseline, board[0].name, runs[0].shared, runs[0].rows[0].difference], [
      "sim:mute",
      "sim:ideal",
      24,
      100,
    ]);
  });
});

Deno.test("fathom compare --fail-if-worse ends with 1 where a run lost more, with 0 where it did not or samples cannot decide", async () => {
  await withRuns(["ideal", "mute", "gpt-4"], async (ideal, mute, gpt4) => {
    const lost = await shell("compare", ideal!, gpt4!, mute!, "--fail-if-worse", "2");
    equal(lost.code, 1);
    match(
      lost.told[0]!,
      /^sim:gpt-4 less sim:ideal is .*: too few to decide whether the loss is more than 2; this many /,
    );
    match(
      lost.told[1]!,
      /^fathom: sim:mute less sim:ideal is -100\.0 points \[.*\] on 24 samples: a loss of more than 2, with 95% confidence$/,
    );
    const gained = await shell("compare", mute!, ideal!, "--fail-if-worse", "2");
    deepEqual([gained.code, gained.told.length], [0, 1]);
    match(gained.told[0]!, /no loss of more than 2, with 95% confidence$/);
  });
});

Deno.test("fathom compare refuses one run, no such run, and runs that share no sample, with a code that is not 1", async () => {
  await withRuns(["ideal"], async (ideal) => {
    const told = async (...args: readonly string[]) => {
      const { code, told } = await shell("compare", ...args, "--fail-if-worse", "0");
      equal(code, 2);
      return told.at(-1)!;
    };
    match(await told(ideal!), /^fathom: Cannot compare runs as there must be at least two: current value is test-/);
    match(
      await told(ideal!, "no/such"),
      /as a path must be that of a folder with a manifest\.json: current value is "no\/such"$/,
    );
    await withRunName(async (name) => {
      await shell(...ASK, "--seed", "7", "--model", "sim:mute", "--name", name);
      match(
        await told(ideal!, name),
        /must be samples with the same text in .* \(24 have another text, as these differ: seed\): current value is 0$/,
      );
    });
  });
});

Deno.test("fathom compare ends with 3 where something else goes wrong, so that a build does not take it for a loss", async () => {
  await withRuns(["ideal"], async (ideal) => {
    const full = {
      write: () => Promise.reject(new Error("the disk is full")),
      print: () => {},
      note: () => {},
      redraw: () => {},
    };
    equal(await fathom(["compare", ideal!, ideal!], full), 3);
  });
});
