import { deepEqual, equal, match, ok } from "node:assert/strict";
import { withPage } from "../e2e/_browser.ts";
import { openPage, waitForCount, writePage } from "../e2e/_explorer.ts";
import { findPageFaults } from "../e2e/_page_faults.ts";
import { findChromium, testWith } from "../e2e/_project.ts";
import { withModel } from "../cli/_patient_model.ts";
import { spawn, withRunName } from "../cli/_shell.ts";
import { readScoredRun } from "@/lib/records/mod.ts";

const tools = { chromium: findChromium() };

testWith(
  tools,
  "the page of two runs has no faults on a phone and a desktop, light and dark, with and without scripts",
  async ({ chromium }) => {
    const names = ["measured/gemma-3-270m-kv-f16/kv_cache", "measured/gemma-3-270m-kv-q4/kv_cache"];
    const runs = await Promise.all(names.map((name) => readScoredRun(name)));
    const total = runs[0]!.replies.length;
    const file = await writePage(runs);
    await withPage(chromium, async ({ page }) => {
      for (const width of [390, 1280]) {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          for (const hash of ["", "#s=4", "#table=by-task"]) {
            await openPage(page, `file://${file}${hash}`);
            if (hash === "#s=4") await page.locator(".detail mark.target").first().waitFor();
            if (hash !== "#s=4") {
              for (const panel of await page.locator(".more summary").all()) await panel.click();
              await page.locator(".by-depth svg").waitFor();
            }
            deepEqual([width, colorScheme, hash, ...await findPageFaults(page, "svg")], [width, colorScheme, hash]);
          }
        }
      }
      await openPage(page, `file://${file}#s=4`);
      ok(await page.locator(".detail :is(del, ins)").count() > 2);
      await openPage(page, `file://${file}`);
      await page.getByLabel("Sort by").selectOption({ label: "Disagreement ↓" });
      await page.locator(".list tbody tr").first().click();
      const scores = page.locator(".detail .replies .score");
      deepEqual((await scores.allTextContents()).map((text) => text.trim()).toSorted(), ["0", "100"]);
      await page.getByLabel("Scores", { exact: true }).selectOption({ index: 1 });
      const count = await page.getByText(new RegExp(`^\\d+ of ${total} samples$`)).textContent();
      ok(Number(count!.split(" ")[0]) < total, count!);
      const plain = await page.context().browser()!.newPage({ javaScriptEnabled: false });
      await plain.setViewportSize({ width: 390, height: 900 });
      await plain.goto(`file://${file}`);
      equal(await plain.locator("#plain tr").count(), 50);
      match((await plain.locator("#plain").textContent())!, /Scripts are off/);
      equal(await plain.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
    }, true).finally(() => Deno.remove(file));
  },
);

testWith(tools, "the page of a run that goes on gets its replies, and shows its end", async ({ chromium }) => {
  await withRunName(async (name) => {
    await withModel(async ({ url, answer }) => {
      const asked = "run --tasks niah_single_1 --lengths 512,1024 --samples 3 --concurrency 1 --no-preflight --live";
      const model = ["--model", "any", "--base-url", url, "--name", name];
      const running = spawn([...asked.split(" "), ...model], undefined, { OPENAI_API_KEY: "none" });
      const noted = running.stderr.pipeThrough(new TextDecoderStream()).getReader();
      let err = "";
      while (!/Live page: \S+\/\n/.test(err)) err += (await noted.read()).value!;
      await withPage(chromium, async ({ page }) => {
        await page.goto(/Live page: (\S+)/.exec(err)![1]!);
        await page.getByText("No reply is recorded yet").waitFor();
        answer(2);
        await waitForCount(page, "2 of 2");
        await page.locator(".live", { hasText: /2 of 6 replies, about .* left/ }).waitFor();
        await page.locator(".list tbody tr").first().click();
        await page.locator(".detail mark.target").first().waitFor();
        answer(4);
        await page.getByText("The run has ended.").waitFor();
        equal(await page.locator(".list tbody tr").count(), 6);
        match((await page.locator(".answers").textContent())!, /6 of 6 replies failed/);
      });
      for (let read = await noted.read(); !read.done; read = await noted.read()) err += read.value;
      await running.stdout.cancel();
      equal((await running.status).code, 0, err);
    });
  });
});
