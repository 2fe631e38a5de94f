import { deepEqual, equal } from "node:assert/strict";
import type { Locator } from "playwright-core";
import { withPage } from "./_browser.ts";
import { findChromium, named } from "./_project.ts";
import { openMeasured } from "@/lib/records/mod.ts";
import { samplePages } from "@/lib/reports/mod.ts";

const chromium = findChromium();

Deno.test({
  name: named("the page of a run's samples filters without a script, and asks for nothing", {
    "there is no Chromium": chromium === undefined,
  }),
  ignore: chromium === undefined,
  fn: async () => {
    const run = (await openMeasured({ benchmark: "cdme", model: "gemma-3-270m" }))[0]!;
    const file = await Deno.makeTempFile({ suffix: ".html" });
    // A reply that would run, if anything could.
    const trap = "<img src=x onerror=\"document.title='ran'\"><script>document.title='ran'</script>";
    const replies = run.replies.map((reply) => ({
      ...reply,
      record: { ...reply.record, reply: { ...reply.record.reply, text: trap } },
    })) as typeof run.replies;
    const [whole] = await Array.fromAsync(samplePages([{ ...run, replies }]));
    await Deno.writeTextFile(file, whole!.html);
    const lengths = [...new Set(replies.map(({ length }) => length))];
    await withPage(chromium!, async ({ page, asked }) => {
      await page.goto(`file://${file}`);
      const shown = () => page.locator("article:visible").count();
      equal(await shown(), replies.length);
      await page.selectOption("#length", "0");
      equal(await shown(), replies.filter(({ length }) => length === lengths[0]).length);
      await page.click("button[type=reset]");
      equal(await shown(), replies.length);
      await page.locator("summary").first().click();
      equal(await page.title(), run.manifest.name);
      equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
      deepEqual(asked.filter((url) => !url.startsWith(`file://${file}`)), []);
    }, true).finally(() => Deno.remove(file));
  },
});

Deno.test({
  name: named("a list of pages leads to the samples of each task and length, and from page to page", {
    "there is no Chromium": chromium === undefined,
  }),
  ignore: chromium === undefined,
  fn: async () => {
    const run = (await openMeasured({ benchmark: "cdme", model: "gemma-3-270m" }))[0]!;
    const replies = Array.from({ length: 1001 }, (_, at) => {
      const reply = run.replies[at % run.replies.length]!;
      return { ...reply, record: { ...reply.record, sample: `${reply.record.sample}#${at}` } };
    });
    const folder = await Deno.makeTempDir();
    let count = 0;
    for await (const { path, html } of samplePages([{ ...run, replies }], { limit: 1001, file: "all samples.html" })) {
      await Deno.mkdir(`${folder}/all samples-pages`, { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, html);
      count++;
    }
    await withPage(chromium!, async ({ page, asked }) => {
      await page.goto(`file://${folder}/all%20samples.html`);
      equal(await page.locator("td a").count(), count - 1);
      await follow(page.locator("td a").first());
      let shown = await page.locator("article:visible").count();
      while (await page.getByText("Next page").count() > 0) {
        await follow(page.getByText("Next page"));
        shown += await page.locator("article:visible").count();
      }
      equal(shown, replies.length);
      await follow(page.getByText("All pages"));
      equal(await page.title(), run.manifest.name);
      deepEqual(asked.filter((url) => !url.startsWith(`file://${folder}/`)), []);
    }, true).finally(() => Deno.remove(folder, { recursive: true }));
  },
});

/** Clicks on a link and waits until the page that it leads to is whole, which a click alone does not. */
async function follow(link: Locator): Promise<void> {
  const href = await link.evaluate((found) => (found as unknown as { href: string }).href);
  await link.click();
  await link.page().waitForURL(href, { waitUntil: "load" });
}
