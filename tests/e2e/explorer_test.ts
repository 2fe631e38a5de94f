import { deepEqual, equal, match, ok } from "node:assert/strict";
import { withPage } from "./_browser.ts";
import { openPage, waitForCount, writePage } from "./_explorer.ts";
import { findChromium, testWith } from "./_project.ts";
import { serveExplorer } from "@/lib/cli/serve_explorer.ts";
import { openMeasured, readScoredRun } from "@/lib/records/mod.ts";

const tools = { chromium: findChromium() };

testWith(
  tools,
  "three clicks lead from the answer of a run to the prompt of a lost needle, and the address back",
  async ({ chromium }) => {
    const measured = (await openMeasured({ benchmark: "ruler", model: "gemma-3-270m" }))[0]!;
    // So few that the page holds every prompt.
    const run = { ...measured, replies: measured.replies.filter(({ length }) => length <= 2048) };
    const file = await writePage([run]);
    const total = run.replies.length.toLocaleString("en-US");
    const lost = run.replies.filter(({ task, length, value }) =>
      task === "niah_multikey_1" && length === 1024 && value === 0
    );
    await withPage(chromium, async ({ page, asked }) => {
      await openPage(page, `file://${file}`);
      await waitForCount(page, `${total} of ${total}`);
      match((await page.getByRole("region", { name: "Answers" }).textContent())!, /misses RULER's 85\.6 even at 1K/);
      // The first click: the cell of a task and length.
      await page.locator(".by-task svg path[aria-label^='niah_multikey_1, 1K']").click();
      const ofCell = run.replies.filter(({ task, length }) => task === "niah_multikey_1" && length === 1024);
      await waitForCount(page, `${ofCell.length} of ${total}`);
      // The second: the lowest scores first.
      await page.getByRole("columnheader", { name: "Score" }).getByRole("link").click();
      await page.locator(".list [aria-sort=ascending]", { hasText: "Score" }).waitFor();
      // The third: the first sample.
      await page.locator(".list tbody tr").first().click();
      const detail = page.getByRole("region", { name: "Sample", exact: true });
      await detail.getByRole("heading", { level: 2 }).waitFor();
      const { record } = lost[0]!;
      equal(
        await detail.getByRole("heading", { level: 2 }).textContent(),
        `niah_multikey_1 at 1K, sample ${record.index}`,
      );
      match((await detail.locator("pre.question").textContent())!, /^What is the special magic number for .*\?/);
      equal(await detail.locator("pre mark.answer").first().textContent(), record.references[0]);
      ok(await detail.locator("pre mark.target").count() > 0);
      const short = (await detail.locator("pre.user").textContent())!.length;
      await detail.getByRole("button", { name: "Whole prompt" }).click();
      await detail.getByRole("button", { name: "Whole prompt", pressed: true }).waitFor();
      ok((await detail.locator("pre.user").textContent())!.length > 2 * short);
      const address = page.url();
      await openPage(page, address);
      await detail.locator("pre.user").waitFor();
      await waitForCount(page, `${ofCell.length} of ${total}`);
      await page.keyboard.press("Escape");
      await detail.getByRole("heading", { level: 2 }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "All samples" }).click();
      await page.getByLabel("Search").fill(record.references[0]!);
      await waitForCount(page, `1 of ${total}`);
      deepEqual(asked.filter((url) => !url.startsWith(`file://${file}`) && !/^(?:about|blob):/.test(url)), []);
    }, true).finally(() => Deno.remove(file));
  },
);

/** Texts that would run, ask the network, widen the page or change its order if anything let them. */
const HOSTILE = [
  "</script><script>document.title='ran'</script>",
  "<img src=x onerror=\"document.title='ran'\">",
  "<a href=\"javascript:document.title='ran'\">open</a> javascript:alert(1)",
  "right\u202etfel \u0000 \u2028 \u2066 \ud800",
  "x".repeat(200_000),
  "__proto__",
];

testWith(
  tools,
  "hostile replies, models, tasks and files are text in a served page, which stays within its window",
  async ({ chromium }) => {
    const measured = await readScoredRun("measured/gemma-3-270m/cdme");
    const replies = measured.replies.slice(0, 60).map((reply, at) => {
      const text = HOSTILE[at % HOSTILE.length]!;
      const [task, references] = [HOSTILE[at % 6 === 5 ? 5 : at % 3]!, [HOSTILE[(at + 1) % 4]!]];
      const record = { ...reply.record, task, references, reply: { ...reply.record.reply, text } };
      return { ...reply, task, record } as typeof reply;
    });
    const manifest = { ...measured.manifest, model: HOSTILE[0]!, name: HOSTILE[1]! };
    const file = await writePage([{ ...measured, manifest, replies }, { ...measured, replies }]);
    const server = await serveExplorer(["measured/gemma-3-270m/cdme"], { flags: {}, port: 0 });
    try {
      await withPage(chromium, async ({ page, asked }) => {
        await openPage(page, `file://${file}`);
        const title = await page.title();
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          for (let at = 0; at < HOSTILE.length; at++) {
            await openPage(page, `file://${file}#s=${at}`);
            const shown = (await page.locator(".detail .replies pre").first().textContent())!;
            if (at < 3 || at === 5) equal(shown, HOSTILE[at]);
            if (at === 3) equal(shown, "right\\u{202e}tfel \\u{0} \\u{2028} \\u{2066} \ufffd");
            ok(shown.length < 25_000);
            equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, `${width} ${at}`);
          }
        }
        for (const link of await page.locator("a").all()) match((await link.getAttribute("href"))!, /^#/);
        equal(await page.title(), title);
        equal(await page.locator("main script, main img, main iframe").count(), 0);
        await openPage(page, `${server.url}#s=1`);
        await page.locator(".detail mark.answer").first().waitFor();
        const own = asked.filter((url) => !url.startsWith("about:") && !url.startsWith(`file://${file}`));
        deepEqual(own.map((url) => url.replace(server.url, "").replace(/#.*/, "")), ["", "prompt/1"]);
      });
    } finally {
      await server.close();
      await Deno.remove(file);
    }
  },
);
