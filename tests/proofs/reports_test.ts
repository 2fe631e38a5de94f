import { deepEqual, equal } from "node:assert/strict";
import { withPage } from "../e2e/_browser.ts";
import { beyondPaper, findPageFaults } from "../e2e/_page_faults.ts";
import { findChromium, findReady, makeProject, testWith } from "../e2e/_project.ts";
import { listNotebooks } from "@/lib/jupyter/lab.ts";
import { parseNotebook } from "@/lib/jupyter/notebook.ts";
import { writeReport } from "@/lib/jupyter/report.ts";
import { writeIndex } from "@/lib/jupyter/report_index.ts";

const tools = { jupyter: await findReady("run"), chromium: findChromium() };
const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

const MOST_BYTES = 3_000_000;
/** Elements of a page, on which the time to open it depends; figures have two pictures, of which only one is laid out. */
const MOST_ELEMENTS = 35_000;

testWith(
  tools,
  "every report is whole at 1,280 and 390 pixels, light and dark, and on paper, small, and asks for nothing",
  async ({ jupyter }) => {
    const project = await makeProject(jupyter, {});
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
);

/** Opens a report at two widths, light and dark, and tells what is wrong. */
async function lookAt(file: string): Promise<readonly string[]> {
  const faults: string[] = [];
  await withPage(tools.chromium!, async ({ page, asked }) => {
    for (const width of [1280, 390]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.goto(`file://${file}`);
        // With all sections open and all rows shown.
        await page.locator("details.section").evaluateAll((all) => all.forEach((each) => Object(each).open = true));
        await page.locator(".fold input").evaluateAll((all) => all.forEach((each) => Object(each).checked = true));
        const found = await findPageFaults(page, "figure.chart svg");
        faults.push(...found.map((fault) => `at ${width}, ${colorScheme}: ${fault}`));
      }
    }
    const beyond = await beyondPaper(page);
    if (beyond > 0) faults.push(`is wider than paper by ${beyond}`);
    const elements = await page.locator("*").count();
    if (elements > MOST_ELEMENTS) faults.push(`has ${elements} elements`);
    faults.push(...asked.filter((url) => !url.startsWith("file://") && !/^(data|blob):/.test(url)));
  }, true);
  return faults;
}

testWith(
  { chromium: tools.chromium },
  "the check of pages sees what is wrong with one",
  ({ chromium }) =>
    withPage(chromium, async ({ page }) => {
      const faultsOf = async (body: string): Promise<readonly string[]> => {
        await page.setContent(`<!DOCTYPE html><body style="margin: 0; background: #fff">${body}</body>`);
        return await findPageFaults(page, "svg");
      };
      deepEqual(await faultsOf("<p>Whole.</p><div style='height: 2em; overflow: auto'><p>a<p>b<p>c</div><p>d"), []);
      const faulty = [
        ["<p style='width: 3000px'>wide</p>", /wider than the window/],
        ["<p style='width: 2em; overflow: hidden; white-space: nowrap'>cut off here</p>", /is cut off/],
        ["<p>below</p><p style='margin-top: -2.5em'>above it</p>", /lies over/],
        ["<p style='color: #aaa'>faint</p>", /contrast/],
        ["<svg width=50 height=20><text x=20 y=15>longer than that</text></svg>", /in a picture .* is cut off/],
      ] as const;
      for (const [body, fault] of faulty) {
        const found = await faultsOf(body);
        equal(found.some((text) => fault.test(text)), true, `${body}: ${found.join("; ")}`);
      }
    }, true),
);
