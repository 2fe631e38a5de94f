import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import {
  certificateFigure,
  certifiedCellTable,
  certifyRuns,
  recordedCertificate,
  runStudy,
  type StudyRun,
} from "@/lib/mod.ts";
import { certificateJunit, certificateMarkdown, certificatePage } from "@/lib/certify/mod.ts";
import { runCertificate } from "@/lib/certify/run_certificate.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";

const folder = await Deno.makeTempDir();
const STUDY = checkStudy({ tasks: ["niah_multikey_1", "niah_single_1"], lengths: [2048], samples: 40 });

async function run(profile: string, changes: Partial<typeof STUDY> = {}): Promise<StudyRun> {
  const name = `${profile}-${JSON.stringify(changes).length}`;
  return await runStudy({ ...STUDY, ...changes }, { name, model: simulatedModel(profile), folder });
}

const [ideal, mute] = [await run("ideal"), await run("mute")];

/** A run whose replies are changed. */
function replaced(run: StudyRun, change: (reply: ScoredReply, at: number) => object): StudyRun {
  return { ...run, replies: run.replies.map((reply, at) => ({ ...reply, ...change(reply, at) })) };
}

Deno.test("certifyRuns() judges recorded runs without a call", () => {
  const worse = certifyRuns(ideal, mute, { margin: 2, names: ["ideal", "mute"] });
  equal(worse.verdict, "worse");
  deepEqual([worse.state.pairs, worse.state.worse, worse.state.difference], [80, 80, -100]);
  match(worse.headline, /^mute loses more than 2 points against ideal: −100\.0 points \[/);
  match(worse.notes.join("\n"), /80 samples with the same text, 0 with another, .* not registered/);
  const better = certifyRuns(mute, ideal, { margin: 2, names: ["mute", "ideal"] });
  equal(better.verdict, "no worse");
  match(
    better.notes.join("\n"),
    /At the floor, where no loss can show: niah_multikey_1 at 2K, niah_single_1 at 2K/,
  );
});

const failing = (run: StudyRun, count: number): StudyRun =>
  replaced(run, (_, at) => (7 * at) % 80 < count ? { value: null, score: null, failed: true } : {});

Deno.test.each([
  ["nothing where all is well", ideal, mute, /^$/],
  [
    "missing scores that cannot change the verdict",
    ideal,
    failing(mute, 1),
    /^0\.6% of the scores are missing; "worse" stands whatever they are$/,
  ],
  [
    "missing scores that could",
    ideal,
    failing(mute, 74),
    /^46\.3% of the scores are missing; "worse" could change with what is unknown$/,
  ],
  ["nothing missing where there is no verdict", ideal, failing(mute, 76), /^$/],
  ["a base that has little to lose", replaced(ideal, () => ({ value: 0.045 })), mute, /^At the floor, /],
  ["no floor from 5% up", replaced(ideal, () => ({ value: 0.05 })), mute, /^$/],
] as [string, StudyRun, StudyRun, RegExp][])("a certificate notes %s", (_name, base, change, noted) => {
  const { notes } = certifyRuns(base, change, { margin: 2, names: ["a", "b"] });
  match(notes.filter((note) => !/not registered|calls failed/.test(note)).join("\n"), noted);
});

Deno.test("certifyRuns() refuses runs of other texts or few samples", async () => {
  const other = await run("ideal", { seed: "other" });
  throws(() => certifyRuns(ideal, other, { margin: 2, names: ["a", "b"] }), {
    name: "RangeError",
    message: /share at least 10 samples with the same text, and most: current value is 0 shared, 80 with another text/,
  });
  const few = await run("ideal", { samples: 2 });
  throws(() => certifyRuns(ideal, few, { margin: 2, names: ["a", "b"] }), /current value is 4 shared/);
});

Deno.test("a certificate is written as figure, table, page, Markdown and JUnit XML", async () => {
  const path = `${folder}/certificate`;
  await runCertificate(STUDY, {
    path,
    base: { name: "<base>", model: simulatedModel("longalpaca") },
    change: { name: "mute", model: simulatedModel("mute") },
    turns: false,
    aim: {
      ...{ margin: 5, errorChance: 0.025, method: "betting", samples: 400, differs: [], questions: 1, again: 0 },
      calibration: { low: 0, high: 100, samples: 2 },
    },
  });
  const certificate = await recordedCertificate(path);
  equal(certificate.origin, "simulated");
  match(await certificateFigure(certificate)!.svg(), /Simulated · \d+ pairs/);
  match(certifiedCellTable(certificate).markdown, /\| niah\\_multikey\\_1 \| 2K \| \d+ \|/);
  const page = await certificatePage(certificate, "fathom certify");
  match(page, /<h1>Worse<\/h1>\n<p>mute loses more than 5 points against \\u\{3c\}base&gt;/);
  ok(!/<script|https?:\/\/(?!www\.w3\.org)/.test(page));
  const junit = certificateJunit(certificate);
  match(junit, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="1" failures="1" errors="0" skipped="0"/);
  match(junit, /<failure message="mute loses more than 5 points against \\u\{3c\}base&gt;/);
  const markdown = certificateMarkdown(certificate, "fathom certify --margin 5");
  match(markdown, /^### ❌ mute loses more than 5 points against /);
  match(markdown, /```sh\nfathom certify --margin 5\n```/);
  for (const line of [certificate.registered!.sha256.slice(0, 16), certificate.samples.sha256.slice(0, 16)]) {
    ok(markdown.includes(line) && page.includes(line));
  }
});

globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
