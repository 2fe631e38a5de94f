import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
import { readScoredRun, type ScoredRun } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { samplePages, type SamplePagesOptions } from "@/lib/reports/mod.ts";
import { markText } from "@/lib/reports/sample_page.ts";

const study = checkStudy({ tasks: ["niah_single_1", "niah_single_2"], lengths: [512, 1024], samples: 2 });

async function withRuns(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const profile of ["mute", "ideal"]) {
      await runStudy(study, { name: profile, model: simulatedModel(profile), folder });
    }
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the only page. */
async function samplePage(runs: readonly ScoredRun[], options: SamplePagesOptions = {}): Promise<string> {
  const pages = await Array.fromAsync(samplePages(runs, options));
  equal(pages.length, 1);
  return pages[0]!.html;
}

Deno.test("samplePages() shows each sample with its reply, score, failure and the text around its facts, and filters for each", async () => {
  await withRuns(async (folder) => {
    const page = await samplePage([await readScoredRun("mute", { folder })]);
    equal(page.match(/<article/g)?.length, 8);
    equal(page.match(/<span class="score wrong">0<\/span>/g)?.length, 8);
    match(
      page,
      /<label>Task <select id="task"><option selected>any<\/option><option value="0">niah_single_1<\/option>/,
    );
    match(
      page,
      /main:has\(#length option\[value="1"\]:checked\) article:not\(\[data-length="1"\]\) \{ display: none; \}/,
    );
    match(page, /target &quot;[^&]+&quot; at [\d.]+%/);
    match(page, /<th scope="row">Failure<\/th><td>empty/);
    // All failed alike, so there is nothing to choose.
    doesNotMatch(page, /id="failure0"/);
    doesNotMatch(page, /<script/);
  });
});

Deno.test("samplePages() shows two runs of the same samples side by side, and only as many as are asked for", async () => {
  await withRuns(async (folder) => {
    const runs = await Promise.all(["mute", "ideal"].map((name) => readScoredRun(name, { folder })));
    const page = await samplePage(runs, { limit: 3 });
    equal(page.match(/<article/g)?.length, 3);
    match(page, /3 samples, those with the lowest scores; 5 more are not shown/);
    match(page, /<h2>sim:mute<\/h2>[\s\S]*<h2>sim:ideal<\/h2>/);
    equal((await samplePage(runs)).match(/<option value="0">different<\/option>/g)?.length ?? 0, 0);
  });
});

Deno.test("samplePages() refuses runs without a common sample, and no run at all", async () => {
  await withRuns(async (folder) => {
    const other = checkStudy({ ...study, seed: "7" });
    await runStudy(other, { name: "other", model: simulatedModel("mute"), folder });
    const runs = await Promise.all(["mute", "other"].map((name) => readScoredRun(name, { folder })));
    await rejects(samplePage(runs), /both runs must have asked the same ones: current value is none \(mute, other\)/);
    await rejects(samplePage([]), /there must be one or two runs: current value is 0/);
  });
});

Deno.test("markText() marks what was found and what was said instead, and escapes everything", () => {
  equal(
    markText("It is <b>42</b>, not 421 & ABC.", { found: ["42", ""], instead: ["421", "abc"] }),
    'It is &lt;b&gt;<mark class="found">42</mark>&lt;/b&gt;, not <mark class="instead">421</mark> &amp; <mark class="instead">ABC</mark>.',
  );
  equal(markText("<script>", { found: [], instead: ["x"] }), "&lt;script&gt;");
});

/** Returns a run with many replies: those of a run repeatedly, as more samples of its tasks. */
function enlarge(run: ScoredRun, count: number, text?: string): ScoredRun {
  const replies = Array.from({ length: count }, (_, at) => {
    const { record, ...reply } = run.replies[at % run.replies.length]!;
    const changed = text === undefined ? record.reply : { ...record.reply, text };
    return { ...reply, record: { ...record, sample: `${record.sample}#${at}`, reply: changed } };
  });
  return { ...run, replies: replies as unknown as ScoredRun["replies"] };
}

Deno.test("samplePages() shows at most 1,000 samples unless more are asked for", async () => {
  await withRuns(async (folder) => {
    const page = await samplePage([enlarge(await readScoredRun("mute", { folder }), 1100)]);
    equal(page.match(/<article/g)?.length, 1000);
    match(page, /1000 samples, those with the lowest scores; 100 more are not shown\./);
    match(page, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">/);
    doesNotMatch(page, /<script|<a /);
  });
});

Deno.test("samplePages() parts many samples into linked pages", async () => {
  await withRuns(async (folder) => {
    const run = enlarge(await readScoredRun("mute", { folder }), 2100);
    const pages = await Array.fromAsync(samplePages([run], { limit: 2050, file: "my view.html" }));
    deepEqual(pages.map(({ file }) => file), ["my view.html", "my view-2.html", "my view-3.html"]);
    deepEqual(pages.map(({ html }) => html.match(/<article/g)?.length), [1000, 1000, 50]);
    const links = pages.map(({ html }) => [...new Set(html.match(/<a [^>]*>[^<]+/g))]);
    deepEqual(links, [
      ['<a href="my%20view-2.html">Next page'],
      ['<a href="my%20view.html">Previous page', '<a href="my%20view-3.html">Next page'],
      ['<a href="my%20view-2.html">Previous page'],
    ]);
    match(
      pages[2]!.html,
      /2050 samples, those with the lowest scores; 50 more are not shown\. Page 3 has 50 of them\./,
    );
  });
});

Deno.test("samplePages() begins another page when long replies have filled one", async () => {
  await withRuns(async (folder) => {
    const run = enlarge(await readScoredRun("mute", { folder }), 150, "<".repeat(20_000));
    const pages = await Array.fromAsync(samplePages([run]));
    ok(pages.length > 1 && pages.every(({ html }) => html.length < 9_000_000));
    equal(pages.reduce((sum, { html }) => sum + html.match(/<article/g)!.length, 0), 150);
  });
});
