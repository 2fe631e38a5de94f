import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { withPage } from "./_browser.ts";
import { findPageFaults } from "./_page_faults.ts";
import { findChromium, named } from "./_project.ts";
import { serveSamplePage } from "@/lib/cli/view_command.ts";
import { openMeasured, readScoredRun } from "@/lib/records/mod.ts";
import { openSamplePage } from "@/lib/reports/mod.ts";

const chromium = findChromium();
const missing = { "there is no Chromium": chromium === undefined };

/** Opens a page and waits until it can be used. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(address);
  await page.locator("body.is-ready").waitFor();
}

const countOf = (page: Page): Promise<string | null> => page.locator(".count").textContent();

Deno.test({
  name: named(
    "the page of a run filters, sorts, searches and links, shows marked prompts, and asks for nothing",
    missing,
  ),
  ignore: chromium === undefined,
  fn: async () => {
    const measured = (await openMeasured({ benchmark: "ruler", model: "gemma-3-270m" }))[0]!;
    // So few that the page holds every prompt.
    const run = { ...measured, replies: measured.replies.filter(({ length }) => length === 1024) } as typeof measured;
    const html = [...(await openSamplePage([run])).html()].join("");
    const file = await Deno.makeTempFile({ suffix: ".html" });
    await Deno.writeTextFile(file, html);
    const total = run.replies.length.toLocaleString("en-US");
    await withPage(chromium!, async ({ page, asked }) => {
      await open(page, `file://${file}`);
      equal(await countOf(page), `${total} of ${total} samples`);
      await page.selectOption("#task", "niah_multikey_1");
      const ofTask = run.replies.filter(({ task }) => task === "niah_multikey_1");
      await page.getByText(`${ofTask.length} of ${total} samples`).waitFor();
      // One task with a target: the overview has depths.
      await page.locator("#overview tbody a").first().click();
      await page.waitForURL(/#task=niah_multikey_1&length=1024&depth=\d$/);
      await page.goBack();
      await page.getByRole("link", { name: "Score" }).click();
      await page.getByRole("link", { name: "Score" }).click();
      await page.locator("#list [aria-sort=descending]", { hasText: "Score" }).waitFor();
      equal(await page.locator("#list .score").first().textContent(), "100");
      await page.keyboard.press("j");
      await page.locator("mark.target").first().waitFor();
      await page.keyboard.press("j");
      await page.locator("#list tbody tr:nth-child(2)[aria-current]").waitFor();
      equal(await page.locator("#list tr[aria-current]").count(), 1);
      const { record } = ofTask[0]!;
      await open(page, `file://${file}#s=niah_multikey_1/${record.length}/${record.index}`);
      equal(await page.locator("#detail h2").textContent(), "niah_multikey_1 at 1K, sample 0");
      const wanted = page.locator(".prompt pre mark.answer").first();
      equal(await wanted.textContent(), record.references[0]);
      const short = (await page.locator(".prompt pre.user").textContent())!.length;
      await page.getByRole("button", { name: "Whole prompt" }).click();
      ok((await page.locator(".prompt pre.user").textContent())!.length > 2 * short);
      await page.keyboard.press("Escape");
      await page.fill("#q", record.sample);
      await page.getByText(`1 of ${total} samples`).waitFor();
      deepEqual(asked.filter((url) => !url.startsWith(`file://${file}`) && !/^(?:about|blob):/.test(url)), []);
    }, true).finally(() => Deno.remove(file));
  },
});

Deno.test({
  name: named("the page has no faults on a phone and a desktop, light and dark, with and without scripts", missing),
  ignore: chromium === undefined,
  fn: async () => {
    const names = ["measured/gemma-3-270m-kv-f16/kv_cache", "measured/gemma-3-270m-kv-q4/kv_cache"];
    const runs = await Promise.all(names.map((name) => readScoredRun(name)));
    const total = runs[0]!.replies.length;
    const view = await openSamplePage(runs);
    const html = [...view.html()].join("");
    const file = await Deno.makeTempFile({ suffix: ".html" });
    await Deno.writeTextFile(file, html);
    await withPage(chromium!, async ({ page }) => {
      for (const width of [390, 1280]) {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          for (const hash of ["", "#s=niah_multikey_1/4096/1"]) {
            await open(page, `file://${file}${hash}`);
            if (hash !== "") await page.locator(".prompt pre").first().waitFor();
            deepEqual([width, colorScheme, hash, ...await findPageFaults(page, "svg")], [width, colorScheme, hash]);
          }
        }
      }
      equal(await page.locator(".diff del, .diff ins").count() > 2, true);
      await page.selectOption("#scores", "different");
      const counts = page.getByText(new RegExp(`^\\d+ of ${total} samples$`));
      await counts.and(page.locator(`:not(:text('${total} of ${total}'))`)).waitFor();
      const [differ] = (await countOf(page))!.split(" ");
      ok(Number(differ) > 0 && Number(differ) < total);
      const plain = await page.context().browser()!.newPage({ javaScriptEnabled: false });
      await plain.setViewportSize({ width: 390, height: 900 });
      await plain.goto(`file://${file}`);
      equal(await plain.locator("#plain tr").count(), 1 + Math.min(total, 50));
      match((await plain.locator("#plain").textContent())!, /Scripts are off/);
      equal(await plain.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
    }, true).finally(() => Deno.remove(file));
  },
});

Deno.test({
  name: named("a served page gets any prompt, and nothing of a hostile reply runs", missing),
  ignore: chromium === undefined,
  fn: async () => {
    const run = (await openMeasured({ benchmark: "cdme", model: "gemma-3-270m" }))[0]!;
    const traps = [
      "</script><script>document.title='ran'</script>",
      "<img src=x onerror=\"document.title='ran'\">",
      "right\u202etfel \u0000 javascript:alert(1)",
      "<b>".repeat(1_700_000),
    ];
    const replies = run.replies.map((reply, at) => {
      const text = traps[at % traps.length]!;
      return { ...reply, record: { ...reply.record, reply: { ...reply.record.reply, text } } };
    }) as typeof run.replies;
    const server = await serveSamplePage(await openSamplePage([{ ...run, replies }], { isServed: true }));
    try {
      await withPage(chromium!, async ({ page, asked }) => {
        await open(page, server.url);
        const title = await page.title();
        for (let at = 0; at < traps.length; at++) {
          await page.keyboard.press("j");
          await page.locator(".prompt pre mark").first().waitFor();
          const shown = await page.locator("#detail .replies pre").first().textContent();
          if (at < 2) equal(shown, traps[at]);
          if (at === 2) equal(shown, "right\\u{202e}tfel \\u{0} javascript:alert(1)");
          ok(shown!.length < 25_000);
        }
        equal(await page.title(), title);
        equal(await page.locator("main script, main img").count(), 0);
        deepEqual(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith("about:")), []);
        equal(asked.filter((url) => url.includes("/prompt/")).length, traps.length);
      });
    } finally {
      await server.close();
    }
  },
});
