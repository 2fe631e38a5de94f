import { deepEqual, ok } from "node:assert/strict";
import { withPage } from "../e2e/_browser.ts";
import { findPageFaults } from "../e2e/_page_faults.ts";
import { findChromium, findReady, makeProject, named } from "../e2e/_project.ts";
import { listNotebooks } from "@/lib/jupyter/lab.ts";
import { parseNotebook } from "@/lib/jupyter/notebook.ts";
import { writeReport } from "@/lib/jupyter/report.ts";
import { writeIndex } from "@/lib/jupyter/report_index.ts";

const jupyter = await findReady("run");
const chromium = findChromium();
const missing = {
  "Jupyter is not set up; deno task setup does it": jupyter === undefined,
  "there is no Chromium": chromium === undefined,
};
const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

const MOST_BYTES = 6_000_000;
const MOST_MS = 2000;

Deno.test({
  name: named(
    "every report is whole at 1,280 and 390 pixels, light and dark, small, fast, and asks for nothing",
    missing,
  ),
  ignore: jupyter === undefined || chromium === undefined,
  fn: async () => {
    const project = await makeProject(jupyter!, {});
    const reports = `${project.folder}/results/reports`;
    const names = await listNotebooks(ROOT);
    for (const name of names) {
      const text = await Deno.readTextFile(`${ROOT}/notebooks/${name}.ipynb`);
      await Deno.writeTextFile(`${project.folder}/notebooks/${name}.ipynb`, text);
      await writeReport(parseNotebook(text), { ...project, name, report: `results/reports/${name}.html` });
    }
    await writeIndex(project.folder);
    const faults: string[] = [];
    for (const name of [...names, "index"]) {
      const file = `${reports}/${name}.html`;
      const { size } = await Deno.stat(file);
      if (size > MOST_BYTES) faults.push(`${name} has ${size} bytes`);
      faults.push(...(await lookAt(file)).map((fault) => `${name}: ${fault}`));
    }
    await project.remove();
    deepEqual(faults, []);
  },
});

/** Opens a report at two widths, light and dark, and tells what is wrong. */
async function lookAt(file: string): Promise<readonly string[]> {
  const faults: string[] = [];
  await withPage(chromium!, async ({ page, asked }) => {
    const times: number[] = [];
    for (const width of [1280, 390]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const began = performance.now();
        await page.goto(`file://${file}`);
        times.push(performance.now() - began);
        await showAllCharts(page);
        const found = await findPageFaults(page, "figure.chart .live svg, figure.chart:not(.is-live) .still svg");
        faults.push(...found.map((fault) => `at ${width}, ${colorScheme}: ${fault}`));
      }
    }
    // The machine may be busy: one opening in time shows that the page can.
    if (Math.min(...times) > MOST_MS) faults.push(`opens in ${Math.min(...times).toFixed(0)} ms`);
    faults.push(...asked.filter((url) => !url.startsWith("file://") && !/^(data|blob):/.test(url)));
    ok(times.length === 4);
  }, true);
  return faults;
}

/** Scrolls through a page until every chart in it is live. */
async function showAllCharts(page: import("playwright-core").Page): Promise<void> {
  for (const chart of await page.locator("figure.chart:has(> script)").all()) {
    await chart.scrollIntoViewIfNeeded();
    await chart.and(page.locator(".is-live")).waitFor();
  }
}
