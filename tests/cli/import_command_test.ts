import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";

const LM_EVAL = new URL("../data/imported/lm-eval", import.meta.url).pathname;

Deno.test("fathom import makes a run that report, show and export open", async () => {
  await withRunName(async (name) => {
    const { code, out, err } = await shell("import", LM_EVAL, "--name", name);
    deepEqual([code, out], [0, `${name}\n`]);
    match(
      err[0]!,
      /^Warning: prompts differ by over 10% from the lengths that the files name: vt at 1K: 715 to 717 tokens/,
    );
    deepEqual(err.slice(1, 3), [
      "all 12 scores agree with lm-evaluation-harness 0.4.13",
      "not known: how long replies took; why the model stopped; the model's own count of tokens",
    ]);
    match(err[3]!, /: 12 replies of sim:longalpaca \(simulated\), from lm-evaluation-harness 0\.4\.13$/);
    const report = await shell("report", name, "--no-figures");
    match(report.out, /Imported from +lm-evaluation-harness 0\.4\.13, 3 files/);
    match((await shell("show", name, "--task", "vt")).out, /the text is the one that was asked/);
    equal((await shell("export", name)).out.trimEnd().split("\n").length, 12);
    const again = await shell("import", LM_EVAL, "--name", name);
    deepEqual([again.code, again.err.length], [2, 1]);
    match(again.err[0]!, /its name must be free; --name gives it another/);
  });
});
