import { deepEqual, equal } from "node:assert/strict";
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
