import { deepEqual, doesNotMatch, equal, match, rejects } from "node:assert/strict";
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

/** The one page of a few samples. */
async function samplePage(runs: readonly ScoredRun[], options: SamplePagesOptions = {}): Promise<string> {
  const pages = await Array.fromAsync(samplePages(runs, options));
  deepEqual(pages.map(({ path }) => path), ["view.html"]);
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

Deno.test("samplePages() parts more than 1,000 samples into pages of one task and length, with links among them and a list", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    // The same replies over and over, as more samples of their two tasks.
    const replies = Array.from({ length: 1600 }, (_, at) => {
      const reply = run.replies[at % 8]!;
      return { ...reply, record: { ...reply.record, sample: `${reply.record.sample}#${at}` } };
    });
    const pages = await Array.fromAsync(samplePages([{ ...run, replies }], { limit: 1500, file: "my view.html" }));
    const ofCell = replies.slice(0, 1500).filter(({ task, length }) =>
      task === "niah_single_1" && length === 512
    ).length;
    deepEqual(pages.map(({ path }) => path), [
      ...Array.from({ length: 8 }, (_, at) => `my view-pages/${at + 1}.html`),
      "my view.html",
    ]);
    const shown = pages.slice(0, 2).map(({ html }) => html.match(/<article/g)?.length);
    deepEqual(shown, [250, ofCell - 250]);
    match(pages[0]!.html, /<h1>mute: niah_single_1 at 512, page 1<\/h1>/);
    match(
      pages[1]!.html,
      /<a href="1\.html">Previous page<\/a> · <a href="..\/my%20view\.html">All pages<\/a> · <a href="3\.html">/,
    );
    doesNotMatch(pages[0]!.html, /Previous page/);
    doesNotMatch(pages[7]!.html, /Next page/);
    const list = pages[8]!.html;
    match(list, /1500 samples, those with the lowest scores; 100 more are not shown\./);
    match(
      list,
      /<td>niah_single_1 at 512<\/td><td>376<\/td><td>(<a href="my%20view-pages\/[12]\.html">[12]<\/a> ?){2}<\/td>/,
    );
    for (const { html } of pages) {
      match(
        html,
        /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">/,
      );
      doesNotMatch(html, /<script/);
    }
  });
});

Deno.test("samplePages() closes a page that long replies have filled", async () => {
  await withRuns(async (folder) => {
    const run = await readScoredRun("mute", { folder });
    const text = "<".repeat(20_000);
    const replies = Array.from({ length: 150 }, (_, at) => {
      const { record, ...reply } = run.replies[0]!;
      return { ...reply, record: { ...record, sample: `${record.sample}#${at}`, reply: { ...record.reply, text } } };
    }) as unknown as typeof run.replies;
    const pages = await Array.fromAsync(samplePages([{ ...run, replies }]));
    deepEqual(pages.map(({ path }) => path), ["view-pages/1.html", "view-pages/2.html", "view.html"]);
    deepEqual(pages.map(({ html }) => html.length < 9_000_000), [true, true, true]);
    match(pages[2]!.html, /<td>all tasks<\/td><td>150<\/td>/);
  });
});
