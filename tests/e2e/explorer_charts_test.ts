import { equal, match } from "node:assert/strict";
import { withPage } from "./_browser.ts";
import { openPage, waitForCount, writePage } from "./_explorer.ts";
import { findChromium, testWith } from "./_project.ts";
import { readScoredRun } from "@/lib/records/mod.ts";

const tools = { chromium: findChromium() };

testWith(
  tools,
  "a brush, a legend, bars and cells of a table filter the samples; a pivot compares like with like",
  async ({ chromium }) => {
    const names = ["measured/gemma-3-270m-kv-f16/kv_cache", "measured/gemma-3-270m-kv-q4/kv_cache"];
    const file = await writePage(await Promise.all(names.map((name) => readScoredRun(name))));
    await withPage(chromium, async ({ page }) => {
      await openPage(page, `file://${file}`);
      const scores = page.getByRole("region", { name: "Scores of these samples" });
      match(
        await scores.innerText(),
        /gemma-3-270m-kv-q4 less gemma-3-270m-kv-f16: −19\.3 points \[−23\.\d, −15\.\d\], p < 0\.001/,
      );

      const points = page.locator(".lines .mark-symbol.role-mark path");
      await points.nth(5).waitFor();
      const { x, y, width, height } = (await page.locator(".lines svg").boundingBox())!;
      await page.mouse.move(x + 0.45 * width, y + 0.3 * height);
      await page.mouse.down();
      await page.mouse.move(x + 0.97 * width, y + 0.5 * height, { steps: 8 });
      await page.mouse.up();
      await waitForCount(page, "320 of 480");
      match(page.url(), /#length=2048,4096$/);
      await points.nth(0).click();
      await waitForCount(page, "160 of 480");
      await points.nth(0).click();
      await waitForCount(page, "480 of 480");

      await page.locator(".lines").getByRole("button", { name: "gemma-3-270m-kv-q4" }).click();
      await page.getByText("Task and length: score of gemma-3-270m-kv-q4 in percent").waitFor();
      await page.locator(".bars .mark-rect.role-mark path").first().click();
      await page.waitForURL(/class0=/);
      await page.getByRole("button", { name: "All samples" }).click();
      await waitForCount(page, "480 of 480");

      const tasks = page.locator(".by-task");
      await tasks.getByRole("button", { name: "As table" }).click();
      await tasks.getByRole("row", { name: /^niah_single_3/ }).getByRole("button").first().press("Enter");
      await waitForCount(page, "40 of 480");
      equal(await tasks.locator("[aria-pressed=true].cell").count(), 1);

      await openPage(page, `file://${file}#pivot=1&pivotRows=task`);
      await page.getByText("Each cell would mix 2 runs.").waitFor();
      await page.getByRole("button", { name: "Compare like with like" }).click();
      const pivot = page.getByRole("table", { name: "Pivot: mean score" });
      match(
        (await pivot.getByRole("row", { name: /^gemma-3-270m-kv-q4/ }).innerText()).replace(/\s+/g, " "),
        /57\.7 \[51\.2, 63\.9\]/,
      );

      await page.getByText("Effective lengths by another threshold").click();
      const first = page.locator(".lengths tbody tr").first();
      match((await first.innerText()).replace(/\s+/g, " "), /<1K <1K to 1K/);
      await page.locator(".lengths input").fill("50");
      await page.locator(".lengths tbody tr", { hasText: />4K/ }).first().waitFor();
      match(page.url(), /threshold=50/);
    });
    await Deno.remove(file);
  },
);
