import { deepEqual, doesNotMatch, equal, match, ok, rejects, throws } from "node:assert/strict";
import { inFolder } from "../../_folder.ts";
import { inflateRawSync } from "node:zlib";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { readScoredRun, type ScoredRun } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { type ExplorerOptions, openExplorer } from "@/lib/reports/mod.ts";
import { readPrompt, type StoredPart } from "@/lib/reports/explorer/codec.ts";
import type { ExplorerFacts, ExplorerRow } from "@/lib/reports/explorer/data.ts";

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
function unpack<Value>(text: string): Value {
  return JSON.parse(inflateRawSync(new Uint8Array(Uint8Array.fromBase64(text))).toString());
}

interface ReadPage {
  readonly html: string;
  readonly facts: ExplorerFacts;
  readonly rows: readonly ExplorerRow[];
  readonly prompts: ReadonlyMap<number, ReturnType<typeof readPrompt>>;
}

/** Reads the facts, rows and prompts of a page. */
async function readPage(runs: readonly ScoredRun[], options: ExplorerOptions = {}): Promise<ReadPage> {
  const html = [...(await openExplorer(runs, options)).html()].join("");
  const facts: ExplorerFacts = JSON.parse(/ id="facts">([^<]*)</.exec(html)![1]!);
  const blocks = (pattern: RegExp): string[][] => [...html.matchAll(pattern)].map((found) => [...found].slice(1));
  const rows = blocks(/ class="rows">([^<]*)</g).flatMap(([text]) => unpack<ExplorerRow[]>(text!));
  const prompts = blocks(/ class="prompts" data-rows="([\d ]+)">([^<]*)</g).flatMap(([rows, text]) => {
    const stored = unpack<Record<string, StoredPart[]>>(text!);
    return rows!.split(" ").map((at) => [Number(at), readPrompt(stored[at]!)] as const);
  });
  return { html, facts, rows, prompts: new Map(prompts) };
}

Deno.test("openExplorer() holds each sample with its question, reply, score, failure and depth, and the marked prompts", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const { html, facts, rows, prompts } = await readPage([run]);
    deepEqual(rows.map(({ id }) => id), run.replies.map(({ record }) => record.sample));
    deepEqual(rows.map(({ at }) => at), rows.map((_, at) => at));
    deepEqual(rows.map(({ depth }) => depth), run.replies.map(({ record }) => record.targetDepth));
    for (const { wanted, seed, question, answers: [answer] } of rows) {
      const { value, verdict, text, lines, modes } = answer!;
      deepEqual([value, verdict, text, modes[0]!.class], [0, "no answer", "", "empty"]);
      deepEqual([wanted.length, seed], [1, "42"]);
      match(question, /^What is the special magic number for .* mentioned in the provided text\?/);
      ok(lines.some(([what]) => what === "Score"));
    }
    deepEqual(facts.tasks.map(({ name, least }) => [name, least]), [["niah_single_1", 0], ["niah_single_2", 0]]);
    equal(facts.threshold, 85.6);
    deepEqual(facts.groups, [{ name: "mean of 2 tasks", tasks: ["niah_single_1", "niah_single_2"] }]);
    const [{ name, label, about, answer }] = facts.runs as [ExplorerFacts["runs"][0]];
    deepEqual([name, label], ["mute", "sim:mute"]);
    match(about, /^simulated, \w+-\d, variant 2026, seed 42, begun \d{4}-\d\d-\d\d$/i);
    match(answer.join("\n"), /effective length/);
    deepEqual(Array.from(prompts.values(), ({ isWhole }) => isWhole), Array(8).fill(true));
    const [part] = prompts.get(0)!.parts;
    const target = part!.marks.filter(([, , kind]) => kind === "target");
    match(part!.text.slice(target[0]![0], target[0]![1]), /^One of the special magic/);
    match(html, /8 samples; the prompts of 8 samples are in this page\./);
    doesNotMatch(html.replaceAll(/<script[^>]*>[^]*?<\/script>/g, ""), / on\w+=/);
  });
});

Deno.test("openExplorer() allows its own scripts alone, and without scripts shows the lowest scores", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const { policy } = await openExplorer([run]);
    const { html } = await readPage([run]);
    const [, starter] = /<script>([^]*?)<\/script>/.exec(html)!;
    const [, packed] = / id="program">([^<]*)</.exec(html)!;
    const hashes = [starter!, unpack<string>(packed!)].map(async (script) => {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
      return `'sha256-${new Uint8Array(digest).toBase64()}'`;
    });
    const scripts = `script-src ${(await Promise.all(hashes)).join(" ")}; style-src 'unsafe-inline'`;
    equal(policy, `default-src 'none'; ${scripts}; base-uri 'none'; form-action 'none'`);
    ok(html.includes(`<meta http-equiv="Content-Security-Policy" content="${policy}">`));
    equal(html.match(/<tr><td>niah_single_\d at \w+, sample \d<\/td>/g)?.length, 8);
    match((await openExplorer([run], { served: "prompts" })).policy, /; connect-src 'self';/);
    equal((await readPage([run], { served: "prompts" })).prompts.size, 0);
    equal((await readPage([run], { served: "live" })).rows.length, 0);
  });
});

Deno.test("openExplorer() joins the samples of runs", async () => {
  await withRuns(async (folder) => {
    const more = checkStudy({ ...study, samples: 3 });
    await runStudy(more, { name: "more", model: simulatedModel("ideal"), folder });
    const runs = await Promise.all(["mute", "ideal", "more"].map((name) => readScoredRun(name, { folder })));
    const { rows, facts } = await readPage(runs);
    const values = rows.map(({ answers }) => answers.map((answer) => answer?.value ?? null));
    deepEqual(values, [...Array(8).fill([0, 1, 1]), ...Array(4).fill([null, null, 1])]);
    deepEqual(facts.runs.map(({ label }) => label), ["mute", "ideal", "more"]);
  });
});

Deno.test("openExplorer() shows the scores alone of more than six runs, and refuses none and too many replies", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const { facts, rows, prompts } = await readPage(Array(7).fill(run));
    deepEqual([facts.isPivotOnly, facts.runs.length, prompts.size], [true, 7, 0]);
    const [{ wanted, answers }] = rows as [ExplorerRow];
    deepEqual([wanted, answers[6]!.text, answers[6]!.lines], [[""], "", []]);
    await rejects(openExplorer([]), /they must have from 1 to 100,000 replies: current value is 0\./);
    await rejects(
      openExplorer([{ ...run, replies: [] }]),
      /current value is 0\. Tables of any size: fathom export mute/,
    );
    const many = { ...run, replies: Array(100_001).fill(run.replies[0]) };
    await rejects(openExplorer([many]), /current value is 100,001\. .* duckdb -c/);
  });
});

Deno.test("openExplorer() limits the prompts that it makes again and holds, shortens most, and states both", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const few = await readPage([run], { tokens: 1100 });
    const { size } = few.prompts;
    ok(size > 0 && size < 8);
    match(few.facts.runs[0]!.answer.at(-1)!, new RegExp(`^${8 - size} of the failures are not classified\\.$`));
    // One of each task and length comes first.
    const cells = [...few.prompts.keys()].map((row) => `${few.rows[row]!.task} ${few.rows[row]!.length}`);
    equal(new Set(cells).size, size);
    const none = await readPage([run], { promptBytes: 0 });
    equal(none.prompts.size, 0);
    match(none.html, /8 samples; the prompts of 0 samples are in this page\./);
    const { prompts } = await readPage([run], { promptBytes: 12_000 });
    const short = [...prompts].filter(([, { isWhole }]) => !isWhole);
    ok(short.length > 0 && short.length < prompts.size, `${short.length} of ${prompts.size}`);
    const [row, { parts: [part] }] = short[0]!;
    const [full] = (await openExplorer([run])).prompt(row).parts!;
    deepEqual([part!.text.length, part!.kept.length > 1], [full!.text.length, true]);
    const targets = part!.marks.filter(([, , kind]) => kind === "target");
    ok(targets.length > 0);
    for (const [from, to] of targets) equal(part!.text.slice(from, to), full!.text.slice(from, to));
  });
});

Deno.test("openExplorer() shows no prompt that is not the recorded one, and says why", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const changed = run.replies.map((reply) => ({ ...reply, record: { ...reply.record, sha256: "0".repeat(64) } }));
    const { rows, prompts } = await readPage([{ ...run, replies: changed }]);
    equal(prompts.size, 0);
    match(rows[0]!.why, /^the recipe is the same and the text is not/);
    const study = { ...run.manifest.study, essays: `${folder}/gone.txt` };
    const page = await openExplorer([{ ...run, manifest: { ...run.manifest, study } }]);
    match(page.prompt(0).why, /gone\.txt/);
    throws(() => page.prompt(8), /its row must be a whole number below 8: current value is 8/);
  });
});

Deno.test("openExplorer() keeps the places of rows while a run goes on, and explains replies that came again", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const memory = { places: new Map<string, number>(), rebuilt: new Map() };
    const part = { ...run, replies: run.replies.filter((_, at) => at % 2 === 1) };
    const before = [...(await openExplorer([part], { memory, served: "live" })).rows()];
    const after = [...(await openExplorer([run], { memory, served: "live" })).rows()];
    deepEqual(after.slice(0, 4), before);
    deepEqual(after.map(({ at }) => at), [0, 1, 2, 3, 4, 5, 6, 7]);
    const [first, ...rest] = run.replies;
    const again = { ...first!.record, time: "2030-01-01T00:00:00.000Z" };
    const replies = [{ ...first!, record: again, value: 1 }, ...rest];
    const [changed] = [...(await openExplorer([{ ...run, replies }], { memory, served: "live" })).rows()].filter((
      row,
      at,
    ) => JSON.stringify(row) !== JSON.stringify(after[at]));
    deepEqual([changed!.id, changed!.answers[0]!.modes], [first!.record.sample, []]);
  });
});

const HOSTILE = [
  "</script><script>document.title='ran'</script>",
  "<img src=x onerror=\"document.title='ran'\">",
  "\u202egnorw\u2066 \u0000 \ud800",
];

Deno.test("openExplorer() escapes hostile names and replies, and cuts long ones", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const replies = run.replies.map(({ record, ...reply }, at) => {
      const text = HOSTILE[at] ?? "<".repeat(5_000_000);
      return { ...reply, task: HOSTILE[0]!, record: { ...record, reply: { ...record.reply, text } } };
    }) as unknown as ScoredRun["replies"];
    const manifest = { ...run.manifest, name: HOSTILE[1]!, model: `${HOSTILE[0]}__proto__` };
    const { html, rows } = await readPage([{ ...run, manifest, replies }]);
    doesNotMatch(html, /<script>document|<img|\u202e|\0/);
    equal(html.match(/<script>/g)?.length, 1);
    const texts = rows.map(({ answers: [answer] }) => answer!.text);
    deepEqual(texts.slice(0, 2), HOSTILE.slice(0, 2));
    equal(texts[2], HOSTILE[2]!.toWellFormed());
    match(texts[3]!, /^<{10000}… \(4980000 characters\) …<{10000}$/);
  });
});
