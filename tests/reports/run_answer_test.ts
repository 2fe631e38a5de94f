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
  deepEqual(answer.lines, [
    {
      label: "Effective length",
      text: "gemma-3-270m misses RULER's 85.6 even at 1K, so it has no effective length.",
    },
    {
      label: "Shortest to longest",
      text: "It loses 29.6 points [22.9, 35.5] from 1K to 16K (all 13 tasks, 1612 samples).",
    },
    {
      label: "Failures",
      text: "1282 of 1740 replies failed wholly or in part, most often by distractor (289) and copied (271).",
    },
  ]);
  deepEqual(answer.means.map(({ length, score }) => [length, Math.round(score)]), [
    [1024, 47],
    [2048, 39],
    [4096, 31],
    [8192, 28],
    [16384, 17],
  ]);
  const { rows } = await runFailures(run!);
  deepEqual(await runAnswer(run!, { failures: rows }), answer);
});

Deno.test("runAnswer() says that a simulated run is a control, and writes a minus sign", async () => {
  const [length, change, failures] = textsOf(await runAnswer(await ask("all", "ideal", 1)));
  match(
    length!,
    /^sim:ideal, a simulated control, reaches RULER's 85\.6 up to 8K, the longest asked \(not excluded: .* to >8K\)\.$/,
  );
  match(
    change!,
    /^No change is shown from 4K to 8K: it loses 0\.0 points \[−[\d.]+, [\d.]+\] \(all 13 tasks, 26 samples\)\.$/,
  );
  equal(failures, "None of 26 replies failed.");
});

Deno.test("runAnswer() of few scores says what is missing", async () => {
  const run = await ask(["vt", "cwe"], "mute", 1);
  match(textsOf(await runAnswer(run))[0]!, / misses RULER's 85\.6 even at 4K, so it has no effective length\.$/);
  deepEqual(textsOf(await runAnswer({ ...run, replies: run.replies.slice(0, 1) })), [
    "sim:mute, a simulated control, has no effective length, as only one length has a score.",
    "It scores 0.0%, about this text only, at 4K (vt, 1 sample).",
    "1 of 1 reply failed wholly or in part, most of them by empty (1).",
  ]);
  deepEqual(textsOf(await runAnswer({ ...run, replies: [] })).slice(0, 2), [
    "sim:mute, a simulated control, has no effective length, as no length has a score.",
    "There is no score to compare (no task, 0 samples).",
  ]);
});

Deno.test("runAnswer() counts failures without their classes if the study cannot be opened", async () => {
  const run = await ask(["vt"], "mute", 1);
  const study = { ...run.manifest.study, essays: "missing.txt" };
  const [, , failures] = textsOf(await runAnswer({ ...run, manifest: { ...run.manifest, study } }));
  match(failures!, /^2 of 2 replies failed wholly or in part; no class is known: Cannot .*missing\.txt/);
});

Deno.test("runAnswer() of many long replies classifies evenly spread ones", async () => {
  const run = await ask(["vt"], "mute", 4);
  const replies = run.replies.map((reply) => ({ ...reply, length: 3_000_000 }));
  const [, , failures] = textsOf(await runAnswer({ ...run, replies }));
  equal(failures, "4 of 4 replies failed wholly or in part, most of them by empty (4) (one of every 2 replies).");
});

Deno.test("runHeadline() gives the first two lines as one phrase", async () => {
  const whole = await ask("all", "ideal", 1);
  match(
    runHeadline(whole),
    /^reaches RULER's 85\.6 up to 8K, the longest asked \(not excluded: .* to >8K\)\. No change is shown from 4K to 8K: it loses 0\.0 points \[-[\d.]+, [\d.]+\] \(all 13 tasks, 26 samples\)$/,
  );
});
