import { deepEqual, equal, match } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { runStudy, type StudyRun } from "@/lib/asking/mod.ts";
import { openMeasured } from "@/lib/records/mod.ts";
import { type RunAnswer, runAnswer, runFailures, runHeadline } from "@/lib/reports/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";

async function ask(tasks: readonly string[] | string, profile: string, samples: number): Promise<StudyRun> {
  return await inFolder(async (folder) => {
    const study = checkStudy({ tasks, lengths: [4096, 8192], samples });
    return await runStudy(study, { name: "answer", model: simulatedModel(profile), folder });
  });
}

function textsOf({ lines }: RunAnswer): readonly string[] {
  return lines.map(({ text }) => text);
}

Deno.test("runAnswer() of a measured run has its effective length, its loss and its most frequent failures", async () => {
  const [run] = await openMeasured({ benchmark: "ruler", model: "gemma-3-270m" });
  const answer = await runAnswer(run!);
  deepEqual(answer.lines.map(({ label }) => label), ["Effective length", "Shortest to longest", "Failures"]);
  deepEqual(textsOf(answer), [
    "gemma-3-270m misses RULER's 85.6 even at 1K, so it has no effective length.",
    "It loses 29.6 points [22.9, 35.5] from 1K to 16K (all 13 tasks, 1612 samples).",
    "1282 of 1740 replies failed wholly or in part, most often by distractor (289) and copied (271).",
  ]);
  deepEqual(answer.means.map(({ score }) => Math.round(score)), [47, 39, 31, 28, 17]);
  deepEqual(await runAnswer(run!, { failures: (await runFailures(run!)).rows }), answer);
});

Deno.test("runAnswer() says that a simulated run is a control, and where no change is shown", async () => {
  const run = await ask("all", "ideal", 1);
  const [length, change, failures] = textsOf(await runAnswer(run));
  const reaches = "reaches RULER's 85\\.6 up to 8K, the longest asked \\(not excluded: .* to >8K\\)";
  match(length!, new RegExp(`^sim:ideal, a simulated control, ${reaches}\\.$`));
  match(
    change!,
    /^No change is shown from 4K to 8K: it loses 0\.0 points \[−[\d.]+, [\d.]+\] \(all 13 tasks, 26 samples\)\.$/,
  );
  equal(failures, "None of 26 replies failed.");
  match(runHeadline(run), new RegExp(`^${reaches}\\. No change is shown from 4K to 8K: .* \\[-[\\d.]+, .*samples\\)$`));
});

Deno.test("runAnswer() of few scores says what is missing", async () => {
  const run = await ask(["vt", "cwe"], "mute", 1);
  match(textsOf(await runAnswer(run))[0]!, / misses RULER's 85\.6 even at 4K, so it has no effective length\.$/);
  deepEqual(textsOf(await runAnswer({ ...run, replies: run.replies.slice(0, 1) })), [
    "sim:mute, a simulated control, has no effective length, as only one length has a score.",
    "It scores 0.0%, about this text only, at 4K (vt, 1 sample).",
    "1 of 1 reply failed wholly or in part, most of them by empty (1).",
  ]);
  const [none] = textsOf(await runAnswer({ ...run, replies: [] }));
  equal(none, "sim:mute, a simulated control, has no effective length, as no length has a score.");
});

Deno.test("runAnswer() classifies evenly spread failures of many tokens, and none if the study cannot be opened", async () => {
  const run = await ask(["vt"], "mute", 4);
  const replies = run.replies.map((reply) => ({ ...reply, length: 10_000_000 }));
  const spread = "4 of 4 replies failed wholly or in part, most of them by empty (4) (one of every 2 replies).";
  equal(textsOf(await runAnswer({ ...run, replies }))[2], spread);
  const study = { ...run.manifest.study, essays: "missing.txt" };
  const [, , failures] = textsOf(await runAnswer({ ...run, manifest: { ...run.manifest, study } }));
  match(failures!, /^8 of 8 replies failed wholly or in part; no class is known: Cannot .*missing\.txt/);
});
