import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import {
  certificateFigure,
  certifiedCellTable,
  certifyRuns,
  recordedCertificate,
  runStudy,
  type StudyRun,
} from "@/lib/mod.ts";
import { signedPoints } from "@/lib/certify/judge.ts";
import { certificateJunit, certificateMarkdown, certificatePage, certificateTable } from "@/lib/certify/mod.ts";
import { runCertificate } from "@/lib/certify/run_certificate.ts";
import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
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

Deno.test("certifyRuns() counts replies that the output budget cut as they are, and finds no loss hidden by those of the base", () => {
  const cut = (text: string): StudyRun =>
    replaced(mute, ({ record }) => ({
      record: { ...record, reply: { ...record.reply, kind: "answer", text, finishReason: "length" } },
    }));
  const looped = certifyRuns(ideal, cut("a) a) a) a) a) a)"), { margin: 2, names: ["ideal", "looped"] });
  deepEqual([looped.verdict, looped.change.truncated, looped.bounds], ["worse", 0, null]);
  const wrong = certifyRuns(ideal, cut("The number is the"), { margin: 2, names: ["ideal", "cut"] });
  deepEqual([wrong.verdict, wrong.change.truncated, wrong.bounds], ["worse", 80, null]);
  match(
    wrong.notes.join("\n"),
    /cut: 0 of 80 calls failed, .* 80 of 80 replies were cut by the output budget and count as they are/,
  );
  const gained = certifyRuns(cut("The number is the"), ideal, { margin: 2, names: ["cut", "ideal"] });
  deepEqual([gained.verdict, gained.bounds?.forChange], ["not enough data", "no worse"]);
  match(gained.headline, /as missing replies and those of cut that the output budget cut could change the verdict/);
});

const counting = (run: StudyRun, promptTokens: number): StudyRun =>
  replaced(run, ({ record }) => ({ record: { ...record, reply: { ...record.reply, promptTokens } } }));
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
    /^46\.3% of the scores are missing; "worse" stands if at most \d\d% of them count/,
  ],
  ["nothing missing where there is no verdict", ideal, failing(mute, 76), /^$/],
  [
    "a server that counts more",
    counting(ideal, 1000),
    counting(mute, 1100),
    /^b counts 10\.0% more tokens in the same prompts: lengths are in the tokens of a$/,
  ],
  ["a server that counts fewer", counting(ideal, 1000), counting(mute, 900), /^b counts 10\.0% fewer tokens /],
  ["a base that has little to lose", replaced(ideal, () => ({ value: 0.045 })), mute, /^At the floor, /],
  ["no floor from 5% up", replaced(ideal, () => ({ value: 0.05 })), mute, /^$/],
  ["no difference of counts up to 1%", counting(ideal, 1000), counting(mute, 1009), /^$/],
] as [string, StudyRun, StudyRun, RegExp][])("a certificate notes %s", (_name, base, change, noted) => {
  const { notes } = certifyRuns(base, change, { margin: 2, names: ["a", "b"] });
  match(notes.filter((note) => !/not registered|calls failed/.test(note)).join("\n"), noted);
});

Deno.test("certifyRuns() finds no verdict where nothing differs in few samples, and a second run of the base that differs", () => {
  const same = certifyRuns(ideal, ideal, { margin: 2, names: ["one", "two"] });
  deepEqual([same.verdict, same.state.difference], ["not enough data", 0]);
  const unstable = certifyRuns(ideal, ideal, { margin: 2, names: ["one", "two"], again: mute });
  equal(unstable.verdict, "unstable");
  match(unstable.headline, /^one is not stable enough: asked twice, it differs from itself by −100\.0 points/);
});

Deno.test("certifyRuns() notes a server that counts more or fewer tokens in the same prompts", () => {
  const counting = (tokens: number | undefined): StudyRun => ({
    ...ideal,
    replies: ideal.replies.map((reply) => ({
      ...reply,
      record: { ...reply.record, reply: { ...reply.record.reply, promptTokens: tokens } as never },
    })),
  });
  const notesOf = (base?: number, change?: number): string =>
    certifyRuns(counting(base), counting(change), { margin: 2, names: ["f16", "q8"] }).notes.join("\n");
  match(notesOf(1000, 1053), /q8 counts 5\.3% more tokens in the same prompts: lengths are in the tokens of f16/);
  match(notesOf(1000, 900), /q8 counts 10\.0% fewer tokens in the same prompts/);
  for (const [base, change] of [[1000, 1000], [1000, 1009], [1000, 991], [1000, undefined], [undefined, undefined]]) {
    ok(!notesOf(base, change).includes("tokens in the same prompts"), `${base} and ${change}`);
  }
});

Deno.test("certifyRuns() notes a base whose scores flip when it is asked twice", () => {
  const flipped = (share: number): StudyRun => ({
    ...ideal,
    replies: ideal.replies.map((reply, at) => at < share * ideal.replies.length ? { ...reply, value: 0 } : reply),
  });
  const notesOf = (again: StudyRun): string =>
    certifyRuns(ideal, ideal, { margin: 30, names: ["f16", "q8"], again }).notes.join("\n");
  match(notesOf(flipped(0.1)), /f16 scores 10% of samples differently when asked twice: /);
  ok(!notesOf(flipped(0.01)).includes("asked twice"));
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
  match(certificateTable([certificate], "One").markdown, /\| mute \| .* \| 5 \| Worse \| -\d+\.\d .*\| 0 of 2 \|/);
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

Deno.test("signedPoints() has a sign, and none for zero", () => {
  deepEqual([1.25, -1.25, -0.04, 0].map(signedPoints), ["+1.3", "−1.3", "0.0", "0.0"]);
});

globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
