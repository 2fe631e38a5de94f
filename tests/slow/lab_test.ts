import { deepEqual, equal, fail, match } from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { choose, type OpenLab, typeOver, withLab } from "../e2e/_lab.ts";
import { findChromium, findReady, makeProject, makeWholeProject, testWith } from "../e2e/_project.ts";

const tools = { jupyter: await findReady("lab"), chromium: findChromium() };

// Notes each value the bar takes, however briefly.
const WATCH_BAR = `
  globalThis.barsSeen = [];
  new MutationObserver(() => {
    const value = document.querySelector(".jp-OutputArea-output progress")?.getAttribute("value");
    if (value && barsSeen.at(-1) !== value) barsSeen.push(value);
  }).observe(document.body, { childList: true, subtree: true, attributes: true });
`;

testWith(
  tools,
  "JupyterLab runs a copy of a notebook, with a live chart and a bar redrawn in place",
  async ({ jupyter, chromium }) => {
    const project = await makeProject(jupyter, { "01-tiny": "tiny" });
    try {
      await withLab({ ...project, chromium }, async (lab) => {
        const { page, failed, asked } = lab;
        await lab.open("own/01-tiny.ipynb");
        await page.evaluate(WATCH_BAR);
        await choose(page, "Run", "Run All Cells");
        await checkOutputs(page);
        await checkCopy(lab, project.folder);
        const outside = asked.filter((url) => !/^(https?|ws):\/\/127\.0\.0\.1|^(data|blob):/.test(url));
        deepEqual(outside, []);
        deepEqual(failed.filter((url) => !url.startsWith("http://127.0.0.1")), []);
        await page.screenshot({ path: `${Deno.env.get("FATHOM_SCREENSHOTS") ?? project.folder}/lab.png` });
      });
    } finally {
      await project.remove();
    }
  },
);

// A live chart answers the pointer: somewhere over it lies the middle point, with its two values.
async function findTooltip(page: Page, chart: Locator): Promise<void> {
  const box = await chart.boundingBox();
  const tooltip = page.locator("#vg-tooltip-element.visible", { hasText: "0.4" });
  for (let x = 0.3; x < 0.8; x += 0.02) {
    for (let y = 0.4; y < 0.7; y += 0.05) {
      await page.mouse.move((box?.x ?? 0) + x * (box?.width ?? 0), (box?.y ?? 0) + y * (box?.height ?? 0));
      if (await tooltip.count() > 0) return;
    }
  }
  fail("no tooltip shows anywhere over the chart");
}

async function checkOutputs(page: Page): Promise<void> {
  const cell = (place: number) => page.locator(".jp-Notebook .jp-Cell").nth(place).locator(".jp-OutputArea-output");
  await cell(4).locator("progress[value='3']").waitFor();
  const seen: unknown = await page.evaluate("globalThis.barsSeen");
  deepEqual(seen, ["0", "1", "2", "3"]);
  equal(await cell(4).count(), 1);
  await cell(5).locator(".vega-embed canvas, .vega-embed svg").first().waitFor();
  await findTooltip(page, cell(5).locator(".vega-embed canvas, .vega-embed svg").first());
  await cell(6).locator("td").waitFor();
  await cell(7).getByText("3 samples of sim:ideal").waitFor();
  await cell(7).getByText("[ 1, 2, 3 ]").waitFor();
  await page.locator(".jp-Notebook .jp-Cell").nth(8).getByText("[8]:").waitFor();
}

// What is changed and run is the copy.
async function checkCopy({ page }: OpenLab, folder: string): Promise<void> {
  const before = await Deno.readTextFile(`${folder}/notebooks/01-tiny.ipynb`);
  await typeOver(page, 2, 'const samples = 2;\nconst model: string = "mine";');
  await choose(page, "Run", "Run All Cells");
  await page.locator(".jp-Notebook .jp-Cell").nth(7).getByText("2 samples of mine").waitFor();
  await page.keyboard.press("Control+S");
  await page.getByText("Saving completed").waitFor();
  match(await Deno.readTextFile(`${folder}/own/01-tiny.ipynb`), /2 samples of mine/);
  equal(await Deno.readTextFile(`${folder}/notebooks/01-tiny.ipynb`), before);
}

testWith(
  tools,
  "in JupyterLab a chart of a run zooms and shows all again, and explore() shows the replies",
  async ({ jupyter, chromium }) => {
    const project = await makeWholeProject(jupyter);
    try {
      await withLab({ ...project, chromium }, async ({ page, open }) => {
        await open("own/06-explore-a-run.ipynb");
        await choose(page, "Run", "Run All Cells");
        // Its page has no origin, so that it reads and writes nothing of the notebook.
        const frame = page.locator(".jp-OutputArea iframe[sandbox='allow-scripts']").first();
        await frame.waitFor();
        await frame.scrollIntoViewIfNeeded();
        const explorer = frame.contentFrame();
        await explorer.locator(".explorer.is-ready").waitFor();
        await explorer.locator(".list tbody tr").first().click();
        await explorer.locator(".detail pre").first().waitFor();
        await checkZoom(page, page.locator(".vega-embed svg").first());
      });
    } finally {
      await project.remove();
    }
  },
);

/** The wheel with Ctrl zooms into both axes, and a double click shows all of them. */
async function checkZoom(page: Page, chart: Locator): Promise<void> {
  await chart.waitFor();
  await chart.scrollIntoViewIfNeeded();
  const labels = (): Promise<string[]> => chart.locator(".role-axis-label text").allTextContents();
  const all = (await labels()).toSorted();
  const box = (await chart.boundingBox())!;
  const place = [box.x + 0.25 * box.width, box.y + 0.3 * box.height] as const;
  await page.mouse.move(...place);
  await page.keyboard.down("Control");
  for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, -120);
  await page.keyboard.up("Control");
  await chart.locator(".role-axis-label text", { hasText: "16K" }).first().waitFor({ state: "detached" });
  await page.mouse.dblclick(...place);
  await chart.locator(".role-axis-label text", { hasText: "16K" }).first().waitFor();
  deepEqual((await labels()).toSorted(), all);
}
