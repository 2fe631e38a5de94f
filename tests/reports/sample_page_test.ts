import { deepEqual, doesNotMatch, equal, match, ok, rejects, throws } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { inflateRawSync } from "node:zlib";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { readScoredRun, type ScoredRun } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { openSamplePage, type PromptPart, type SamplePageOptions } from "@/lib/reports/mod.ts";

const study = checkStudy({ tasks: ["niah_single_1", "niah_single_2"], lengths: [512, 1024], samples: 2 });

async function withRuns(use: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    for (const profile of ["mute", "ideal"]) {
      await runStudy(study, { name: profile, model: simulatedModel(profile), folder });
    }
    await use(folder);
  });
}

/** Reads a compressed block of a page. */
function unpack(text: string): unknown {
  return JSON.parse(inflateRawSync(new Uint8Array(Uint8Array.fromBase64(text))).toString());
}

type Row = [number, number, number, number, number | null, string, string[], unknown[][], number];

/** Reads the rows and prompts of a page. */
async function readPage(
  runs: readonly ScoredRun[],
  options: SamplePageOptions = {},
): Promise<{ html: string; rows: Row[]; prompts: Map<number, PromptPart[]> }> {
  const html = [...(await openSamplePage(runs, options)).html()].join("");
  const rows = [...html.matchAll(/ class="rows">([^<]*)</g)].flatMap(([, text]) => unpack(text!) as Row[]);
  const prompts = [...html.matchAll(/ id="prompt-(\d+)">([^<]*)</g)].map(([, row, text]) =>
    [Number(row), unpack(text!) as PromptPart[]] as const
  );
  return { html, rows, prompts: new Map(prompts) };
}

Deno.test("openSamplePage() holds each sample with its reply, score, failure and depth, and the marked prompts", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const { html, rows, prompts } = await readPage([run]);
    deepEqual(rows.map((row) => row[5]), run.replies.map(({ record }) => record.sample));
    deepEqual(rows.map((row) => row[4]), run.replies.map(({ record }) => record.targetDepth));
    for (const [, , , , , , wanted, [answer]] of rows) {
      const [value, verdict, , text, lines, modes] = answer as [number, number, number, string, string[][], string[][]];
      deepEqual([value, verdict, text, modes[0]![0]], [0, 3, "", "empty"]);
      equal(wanted.length, 1);
      ok(lines.some(([what]) => what === "Score"));
    }
    equal(prompts.size, 8);
    const [part] = prompts.get(0)!;
    const target = part!.marks.filter(([, , kind]) => kind === "target");
    match(part!.text.slice(target[0]![0], target[0]![1]), /^One of the special magic/);
    match(html, /8 samples\. The prompts of 8 samples are in this page\./);
    doesNotMatch(html, / on\w+=/);
  });
});

Deno.test("openSamplePage() allows its own script alone, and without scripts shows the lowest scores", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const { policy } = await openSamplePage([run]);
    const { html } = await readPage([run]);
    const [, script] = /<script>([^]*?)<\/script>/.exec(html)!;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
    equal(
      policy,
      `default-src 'none'; script-src 'sha256-${
        new Uint8Array(digest).toBase64()
      }'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`,
    );
    ok(html.includes(`<meta http-equiv="Content-Security-Policy" content="${policy}">`));
    equal(html.match(/<tr><td>niah_single_\d at \w+, sample \d<\/td>/g)?.length, 8);
    match((await openSamplePage([run], { isServed: true })).policy, /; connect-src 'self';/);
    equal((await readPage([run], { isServed: true })).prompts.size, 0);
  });
});

Deno.test("openSamplePage() pairs two runs of the same samples, and keeps the lowest scores", async () => {
  await withRuns(async (folder) => {
    const runs = await Promise.all(["mute", "ideal"].map((name) => readScoredRun(name, { folder })));
    const { html, rows } = await readPage(runs, { limit: 3 });
    deepEqual(rows.map(([, , , , , , , answers]) => answers.map(([value]) => value)), [[0, 1], [0, 1], [0, 1]]);
    match(html, /3 samples, those with the lowest scores; 5 more are left out\./);
    match(html, /"models":\["sim:mute","sim:ideal"\]/);
  });
});

Deno.test("openSamplePage() refuses runs without a common sample, and no run at all", async () => {
  await withRuns(async (folder) => {
    const other = checkStudy({ ...study, seed: "7" });
    await runStudy(other, { name: "other", model: simulatedModel("mute"), folder });
    const runs = await Promise.all(["mute", "other"].map((name) => readScoredRun(name, { folder })));
    await rejects(
      openSamplePage(runs),
      /both runs must have asked the same ones: current value is none \(mute, other\)/,
    );
    await rejects(openSamplePage([]), /there must be one or two runs: current value is 0/);
  });
});

Deno.test("openSamplePage() limits the prompts that it makes again and holds, and states both", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const few = await readPage([run], { tokens: 1100 });
    ok(few.prompts.size > 0 && few.prompts.size < 8);
    match(
      few.html,
      /\d of 8 failures are classified \(more: --rebuild\)\. The prompts of \d samples are in this page\./,
    );
    // One of each task and length comes first.
    equal(
      new Set([...few.prompts.keys()].map((row) => `${few.rows[row]![0]} ${few.rows[row]![1]}`)).size,
      few.prompts.size,
    );
    const none = await readPage([run], { promptBytes: 0 });
    equal(none.prompts.size, 0);
    match(none.html, /8 samples\. The prompts of 0 samples are in this page\./);
  });
});

Deno.test("openSamplePage() shows no prompt that is not the recorded one, and says why", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const changed = run.replies.map((reply) => ({ ...reply, record: { ...reply.record, sha256: "0".repeat(64) } }));
    const { html, prompts } = await readPage([{ ...run, replies: changed }]);
    equal(prompts.size, 0);
    match(html, /8 samples\. 0 of 8 failures are classified/);
    match(html, /"reasons":\["","the recipe is the same and the text is not/);
    const study = { ...run.manifest.study, essays: `${folder}/gone.txt` };
    const page = await openSamplePage([{ ...run, manifest: { ...run.manifest, study } }]);
    match(page.prompt(0).why, /gone\.txt/);
    throws(() => page.prompt(8), /its row must be a whole number below 8: current value is 8/);
  });
});

const HOSTILE = [
  "</script><script>document.title='ran'</script>",
  "<img src=x onerror=\"document.title='ran'\">",
  "\u202egnorw\u2066 \u0000 \ud800",
];

Deno.test("openSamplePage() escapes hostile replies and cuts long ones", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const replies = run.replies.map(({ record, ...reply }, at) => {
      const text = HOSTILE[at] ?? "<".repeat(5_000_000);
      return { ...reply, task: HOSTILE[0]!, record: { ...record, reply: { ...record.reply, text } } };
    }) as unknown as ScoredRun["replies"];
    const { html, rows } = await readPage([{ ...run, replies }]);
    doesNotMatch(html, /<script>document|<img|\u202e|\0/);
    equal(html.match(/<script>/g)?.length, 1);
    const texts = rows.map(([, , , , , , , [answer]]) => answer![3] as string);
    deepEqual(texts.slice(0, 2), HOSTILE.slice(0, 2));
    equal(texts[2], HOSTILE[2]!.toWellFormed());
    match(texts[3]!, /^<{10000}… \(4980000 characters\) …<{10000}$/);
  });
});
