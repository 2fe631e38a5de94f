import { deepEqual, equal, match, ok } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";

const ASK = ["run", "--tasks", "niah_single_1,vt", "--lengths", "1K,2048", "--samples", "3"];

Deno.test("fathom report --json gives one object with rows of task, length, n, score, low, high and failed", async () => {
  await withRunName(async (name) => {
    await shell(...ASK, "--model", "sim:mute", "--name", name);
    const { code, out } = await shell("report", name, "--json");
    equal(code, 0);
    const { rows, origin, suite } = JSON.parse(out);
    deepEqual([origin, suite], ["simulated", "ruler-2, variant 2026"]);
    const row = rows.find((candidate: { task: string; length: number }) =>
      candidate.task === "vt" && candidate.length === 1024
    );
    const { task, length, n, score, low, failed, noAnswer } = row;
    deepEqual({ task, length, n, score, low, failed, noAnswer }, {
      task: "vt",
      length: 1024,
      n: 3,
      score: 0,
      // Three samples have no interval.
      low: null,
      failed: 0,
      noAnswer: 3,
    });
  });
});

Deno.test("fathom report writes figures that say the run is simulated", async () => {
  await withRunName(async (name) => {
    await shell(...ASK, "--model", "sim:yi-34b", "--name", name);
    const { err } = await shell("report", name);
    const paths = err.filter((line) => line.endsWith(".svg"));
    equal(paths.length, 2);
    for (const path of paths) match(await Deno.readTextFile(path), /[Ss]imulated/);
  });
});

const ASK_HARD = ["run", "--tasks", "niah_multikey_3,vt", "--lengths", "2048", "--samples", "4"];

Deno.test("fathom report failures prints failure classes by task and length, with example replies", async () => {
  await withRunName(async (name) => {
    equal((await shell(...ASK_HARD, "--model", "sim:longalpaca", "--name", name)).code, 0);
    const { code, out } = await shell("report", "failures", name);
    equal(code, 0);
    match(
      out,
      /^sim:longalpaca: [1-8] of 8 replies failed wholly or in part, most of them by .*\nSimulated · 8 replies\n/,
    );
    match(out, /\nvt +2K +4 +[0-4] /);
    match(out, /\n {2}wanted .+\n {2}reply {2}/);
    const report = JSON.parse((await shell("report", "failures", name, "--json")).out);
    deepEqual([report.run, report.model, report.origin], [name, "sim:longalpaca", "simulated"]);
    deepEqual(report.rows.map((row: { task: string; n: number }) => [row.task, row.n]).toSorted(), [
      ["niah_multikey_3", 4],
      ["vt", 4],
    ]);
    ok(report.replies.length > 0);
  });
});

/** Runs a test with a run of a reader that loses the tail. */
async function withTailLost(tasks: string, use: (name: string, figures: string) => Promise<void>): Promise<void> {
  const ask = ["run", "--tasks", tasks, "--lengths", "16K", "--samples", "40", "--model", "sim:lost-in-the-tail"];
  await withRunName(async (name, figures) => {
    equal((await shell(...ask, "--name", name)).code, 0);
    await use(name, figures);
  });
}

Deno.test("fathom report depths prints scores by depth and the thirds, and draws the heatmaps", async () => {
  await withTailLost("niah_multikey_1,vt", async (name, figures) => {
    const { code, out, err } = await shell("report", "depths", name);
    equal(code, 0);
    match(out, /^sim:lost-in-the-tail: score by the depth of the target\nSimulated /);
    match(out, /\nniah_multikey_1 +16K +100 \[/);
    match(
      out,
      /\nTargets in the last third of the context are lost more often than in the first and in the middle\n/,
    );
    deepEqual(err, ["vt is left out as it asks for 5 facts", `${figures}/depths.svg`]);
    ok((await Deno.readTextFile(`${figures}/depths.svg`)).includes("Simulated"));
  });
});

Deno.test("fathom report depths refuses a run without a task that has one target", async () => {
  await withTailLost("vt", async (name) => {
    const { code, err } = await shell("report", "depths", name);
    equal(code, 2);
    equal(
      err.at(-1),
      `fathom: Cannot report scores by depth as the run must have a scored task with one target: current value is "${name}"`,
    );
  });
});

Deno.test("fathom report limits prints the length at which each task falls through that accuracy", async () => {
  await withRunName(async (name) => {
    equal((await shell(...ASK, "--model", "sim:ideal", "--name", name)).code, 0);
    const { code, out } = await shell("report", "limits", name, "--level", "0.8");
    equal(code, 0);
    match(out, /effective context limits at 80%/);
    match(out, /\nvt +2048/);
    const { rows, level } = JSON.parse((await shell("report", "limits", name, "--level", "0.8", "--json")).out);
    deepEqual([level, rows.length, rows[0].limit, rows[0].isBeyond], [0.8, 2, 2048, true]);
  });
});

const ASK_ALL = ["run", "--tasks", "all", "--lengths", "1K,2K", "--samples", "1"];

Deno.test("fathom report of several runs ranks them, on request among the models of Table 3", async () => {
  await withRunName((one) =>
    withRunName(async (other) => {
      equal((await shell(...ASK_ALL, "--model", "sim:ideal", "--name", one)).code, 0);
      equal((await shell(...ASK_ALL, "--model", "sim:mixtral", "--lengths", "4K", "--name", other)).code, 0);
      const refused = await shell("report", one, other, "--published", "--lengths", "2K", "--no-figures");
      match(refused.out, /sim:ideal +simulated +– +>2K/);
      match(refused.out, /Not ranked, as these lengths are missing: sim:mixtral \(2K\); GPT-4 \(2K\)/);
      const { code, out, err } = await shell("report", other, "--published", "v3", "--json");
      equal(code, 0);
      const { runs, boards: [board] } = JSON.parse(out);
      deepEqual(runs, [{ run: other, name: "sim:mixtral", model: "sim:mixtral", origin: "simulated" }]);
      deepEqual([board.benchmark, board.lengths, board.rows.length, err], ["ruler", [4096], 18, []]);
      const row = board.rows.find(({ model }: { model: string }) => model === "sim:mixtral");
      deepEqual([row.claimedWindow, row.scores[0].n, row.average.ranks.length], [32768, 13, 2]);
      const none = await shell("report", `${one},${other}`);
      equal(none.code, 0);
      match(none.out, /There is no average, as no length was asked of all models\./);
      const folder = new URL(`../../results/reports/figures/${one}+${other}`, import.meta.url).pathname;
      ok(none.err.includes(`${folder}/leaderboard-ruler.svg`));
      await Deno.remove(folder, { recursive: true });
    })
  );
});

Deno.test("fathom report refuses runs that share nothing and flags that are for something else", async () => {
  const share = await shell("report", "measured/gemma-3-270m/ruler", "measured/gemma-3-270m/cdme");
  equal(share.code, 2);
  match(
    share.err.join(),
    /Cannot rank runs as they must share a task, asked with the same knobs: current value is mea/,
  );
  const apart = await shell("report", "failures", "measured/gemma-3-270m/ruler", "--published");
  match(apart.err.join(), /unknown option '--published'/);
  const edition = await shell("report", "measured/gemma-3-270m/ruler", "--published", "v2");
  match(edition.err.join(), /"v2" is unknown; .* --published must be one of v1, v3, repository/);
});

Deno.test("fathom report cost prints tokens, cache, time and money of a run, with --json as numbers", async () => {
  const paid = ["--price-in", "1", "--price-out", "2", "--price-cached", "0.1"];
  const { code, out } = await shell("report", "cost", "measured/gemma-3-270m/ruler", ...paid);
  equal(code, 0);
  match(out, /^Task +Length +Answered +Failed +Sent again +Prompt tokens +Cached \(%\) .*Price\n/m);
  match(out, /^all +all +[\d,]+ +0 +0 /m);
  const json = JSON.parse((await shell("report", "cost", "measured/gemma-3-270m/ruler", ...paid, "--json")).out);
  const { promptTokens, cachedTokens, completionTokens, price, rows } = json;
  const wanted = (promptTokens - cachedTokens) + 0.1 * cachedTokens + 2 * completionTokens;
  equal(price.toFixed(6), (wanted / 1e6).toFixed(6));
  equal(rows.length > 13, true);
});
