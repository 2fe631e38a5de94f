import { deepEqual, equal, match } from "node:assert/strict";
import { type WatchedPage, withPage } from "../e2e/_browser.ts";
import { findChromium, findReady, makeProject, testWith } from "../e2e/_project.ts";
import { beyondPaper, findPageFaults } from "../e2e/_page_faults.ts";
import { trapNotebook, TRAPS } from "../e2e/_traps.ts";
import { code, notebook, prose } from "../jupyter/_cells.ts";
import { JUPYTER_DISPLAY, table } from "@/lib/figures/mod.ts";
import type { Page } from "playwright-core";
import { thresholdSlider } from "@/lib/jupyter/mod.ts";
import type { JsonObject, Notebook } from "@/lib/jupyter/notebook.ts";
import { runBundle } from "@/lib/jupyter/notebook_outputs.ts";
import { writeReport } from "@/lib/jupyter/report.ts";
import { reproduceNotebook } from "@/lib/jupyter/reproduce.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { openMeasured } from "@/lib/records/mod.ts";
import { runReport } from "@/lib/reports/mod.ts";

const tools = { jupyter: await findReady("run"), chromium: findChromium() };

testWith(
  tools,
  "a report opens without network, shows its pictures, asks for nothing, and runs no byte of a reply",
  async ({ jupyter, chromium }) => {
    const project = await makeProject(jupyter, { "01-tiny": "tiny" });
    const { report } = await reproduceNotebook("01-tiny", project);
    const traps = "results/reports/02-traps.html";
    const forms = { browser: chromium };
    const files = await writeReport(await trapNotebook(), { ...project, ...forms, name: "02-traps", report: traps });
    await withPage(chromium, async (watched) => {
      await openTiny(watched, `file://${project.folder}/${report}`);
      await openTraps(watched, `file://${project.folder}/${traps}`);
      await watched.page.screenshot({ path: `${project.folder}/report.png`, fullPage: true });
      await keep(project.folder, "report.png");
    }, true);
    deepEqual(files, [traps, traps.replace("html", "pdf")]);
    equal(new TextDecoder().decode((await Deno.readFile(`${project.folder}/${files[1]}`)).slice(0, 5)), "%PDF-");
    await project.remove();
  },
);

async function openTiny({ page, asked, failed }: WatchedPage, address: string): Promise<void> {
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(address);
  equal(await page.title(), "A tiny notebook");
  match(await page.textContent("main") ?? "", /3 samples of sim:ideal/);
  equal(await page.locator(".shown table td").textContent(), "0.5");
  match(await page.textContent(".made") ?? "", /notebooks\/01-tiny\.ipynb/);
  equal(await page.locator("figure.chart .wide svg").getAttribute("width"), "90");
  await page.locator("figure.chart.is-live svg").waitFor();
  deepEqual(await findPageFaults(page, "figure.chart svg"), []);
  deepEqual(failed, []);
  deepEqual(asked.filter((url) => url !== address && !url.startsWith("data:")), []);
  deepEqual(said, []);
}

async function openTraps({ page, asked }: WatchedPage, address: string): Promise<void> {
  const refused: string[] = [];
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "csp") refused.push(request.url());
  });
  const before = asked.length;
  await page.goto(address);
  const chart = page.locator("figure.chart.is-live");
  await chart.waitFor();
  equal(
    await page.locator("script:not([type]), script[type=module]").count(),
    1 + TRAPS.filter((trap) => /^<script|><script/.test(trap)).length,
  );

  // Live: a mark shows its values as text, and a key picks its series.
  const marks = chart.locator(".wide .mark-symbol.role-mark path");
  await marks.first().hover();
  const tip = page.locator(".tip");
  await tip.waitFor();
  match(await tip.textContent() ?? "", /<script>document\.title='ran'<\/script>/);
  equal(await tip.locator("script, img, a").count(), 0);

  const traps = page.locator(".trap, a:text('open')");
  equal(await traps.count(), 2);
  await traps.evaluateAll((found) => found.forEach((trap) => (trap as unknown as { click(): void }).click()));
  equal(await page.title(), "Traps");
  equal(page.url(), address);
  // The browser names what raw HTML wants from elsewhere, and its policy refuses it.
  const wanted = asked.slice(before).filter((url) => url !== address && !url.startsWith("data:"));
  deepEqual(wanted.filter((url) => !refused.includes(url)), []);

  await chart.locator(".wide .key").first().click();
  equal(await chart.locator(".wide .faded").count() > 0, true);

  // Each width has its picture, and paper the wide one; nothing is wider than its window.
  await page.setViewportSize({ width: 390, height: 900 });
  equal(await chart.locator(".wide").isVisible(), false);
  const { width } = (await chart.locator(".narrow > svg").boundingBox())!;
  equal(width <= 358, true);
  await page.setViewportSize({ width: 1200, height: 1400 });
  await page.emulateMedia({ media: "print" });
  equal(await chart.locator(".narrow").isVisible(), false);
  equal(await chart.locator(".wide").isVisible(), true);
}

// Screenshots are kept for the eye where a folder is named for them.
async function keep(folder: string, file: string): Promise<void> {
  const shots = Deno.env.get("FATHOM_SCREENSHOTS");
  if (shots !== undefined) await Deno.copyFile(`${folder}/${file}`, `${shots}/${file}`);
}

const LENGTHS = ["4K", "128K", "<1K", "1K", "–", "16K", "8K", "32K", "64K", "2K", ">128K", "256"];

/** A notebook with a section that holds a table of twelve rows. */
const tables = notebook(
  prose("# Which row?"),
  prose("## Rows"),
  code("table", {
    outputs: [{
      "output_type": "display_data",
      metadata: {},
      data: {
        "text/html": table(LENGTHS.map((length, at) => ({ name: `row ${at + 1}`, length })), {
          ...{ title: "Twelve rows", caption: "As written.", origin: "measured", n: 12 },
          columns: [{ field: "name", label: "Name" }, { field: "length", label: "Length" }],
        }).html,
      },
    }],
  }),
  prose("## Last"),
);

testWith(
  tools,
  "sections and long tables fold without scripts, rows sort as numbers, and paper shows all",
  async ({ jupyter, chromium }) => {
    const project = await makeProject(jupyter, {});
    await writeReport(tables, { ...project, name: "01-rows", report: "results/reports/01-rows.html" });
    await withPage(chromium, async ({ page }) => {
      const address = `file://${project.folder}/results/reports/01-rows.html`;
      await page.goto(address);
      await checkFolds(page);
      await page.getByRole("button", { name: "Length" }).click();
      const sorted = ["256", "<1K", "1K", "2K", "4K", "8K", "16K", "32K", "64K", "128K", ">128K", "–"];
      deepEqual(await page.locator(".rows td").allTextContents(), sorted);
      const head = page.locator("th", { hasText: "Length" });
      equal(await head.getAttribute("aria-sort"), "ascending");
      await head.getByRole("button").click();
      equal(await head.getAttribute("aria-sort"), "descending");
      deepEqual(await page.locator(".rows td").allTextContents(), [...sorted.slice(0, -1).reverse(), "–"]);
      await head.getByRole("button").click();
      equal(await head.getAttribute("aria-sort"), null);
      deepEqual(await page.locator(".rows td").allTextContents(), LENGTHS);
      const quiet = await page.context().browser()!.newContext({ javaScriptEnabled: false });
      const plain = await quiet.newPage();
      await plain.goto(address);
      await checkFolds(plain);
      await quiet.close();
    }, true);
    await project.remove();
  },
);

/** Opens a section and all rows of its table; paper shows both without that. */
async function checkFolds(page: Page): Promise<void> {
  const rows = page.locator(".rows tbody tr:visible");
  equal(await rows.count(), 0);
  await page.emulateMedia({ media: "print" });
  equal(await rows.count(), LENGTHS.length);
  await page.emulateMedia({ media: "screen" });
  await page.getByLabel("Open all sections").check();
  equal(await rows.count(), 10);
  await page.getByLabel("Show all 12 rows").check();
  equal(await rows.count(), LENGTHS.length);
}

/** Replies, names and texts of 120 letters without a space, in tables of 2 and of 12 columns. */
const wide = notebook(
  prose(`# ${"Widest".repeat(20)}\n\n> ${"W".repeat(120)}`),
  prose(`## ${"Rows".repeat(30)}\n\n\`${"m".repeat(120)}\``),
  ...[2, 12].map((count) => {
    const fields = Array.from({ length: count }, (_, at) => `column${at}`);
    const row = Object.fromEntries(
      fields.map((field, at) => [field, at === 0 ? "46.7 [43.4, 50.0]" : "W".repeat(120)]),
    );
    const { html } = table([row, row], {
      ...{ title: "W".repeat(120), caption: "W".repeat(120), origin: "measured", n: 2 },
      columns: fields.map((field) => ({ field, label: `${field}${"&<W".repeat(40)}` })),
    });
    return code("table", { outputs: [{ "output_type": "display_data", metadata: {}, data: { "text/html": html } }] });
  }),
  code("print", { outputs: [{ "output_type": "stream", name: "stdout", text: "0".repeat(120) }] }),
);

testWith(tools, "no page is wider than a window or paper, and a PDF has an outline", async ({ jupyter, chromium }) => {
  const project = await makeProject(jupyter, {});
  const settings = { ...project, browser: chromium, name: "01-wide", report: "results/reports/01-wide.html" };
  const [page, pdf] = (await writeReport(wide, settings)).map((file) => `${project.folder}/${file}`);
  await withPage(chromium, async ({ page: tab }) => {
    await tab.goto(`file://${page}`);
    equal(await beyondPaper(tab), 0);
    for (const width of [1280, 390]) {
      await tab.setViewportSize({ width, height: 900 });
      deepEqual(await findPageFaults(tab, "figure.chart svg"), []);
    }
  }, true);
  const printed = new TextDecoder("latin1").decode(await Deno.readFile(pdf!));
  match(printed, /\/Outlines/);
  await project.remove();
});

/** A notebook with a published table and two runs that come with Fathom: a chart, the threshold and their cards. */
async function runNotebook(): Promise<Notebook> {
  const runs = await openMeasured({ benchmark: "kv_cache" });
  const { rows } = await openPublished();
  const table3 = rows.filter(({ edition, table }) => edition === "v1" && table === 3);
  const shown = [
    ...runs.map((run) => runBundle(run)),
    await runReport(runs[0]!).cells![JUPYTER_DISPLAY](),
    await (await thresholdSlider(table3))[JUPYTER_DISPLAY](),
  ];
  const outputs = shown.map((data) => ({ "output_type": "display_data", metadata: {}, data: data as JsonObject }));
  return notebook(prose("# Which replies?"), code("show", { outputs }));
}

testWith(
  tools,
  "a mark of a run's chart leads to its replies in the same file, and a threshold can be moved",
  async ({ jupyter, chromium }) => {
    const project = await makeProject(jupyter, {});
    const report = "results/reports/01-runs.html";
    await writeReport(await runNotebook(), { ...project, name: "01-runs", report });
    await withPage(chromium, async ({ page, asked, failed }) => {
      const address = `file://${project.folder}/${report}`;
      await page.goto(address);
      await page.locator(".explorer-host .is-ready").waitFor();
      const link = page.locator("figure.chart .wide svg a").first();
      const [, task, samples] = /^(?:1K|2K|4K|8K|16K), (\w+): .*\nSamples: (\d+)$/s.exec((await link.textContent())!)!;
      await link.click();
      const status = page.locator(".explorer-host [role=status]").first();
      await status.filter({ hasText: `${samples} of ` }).waitFor();
      match(page.url(), new RegExp(`#task=${task}&length=\\d+`));
      await page.locator(".explorer-host .list tbody tr").first().click();
      await page.locator(".explorer-host .detail pre").first().waitFor();
      await checkThreshold(page);
      deepEqual(await findPageFaults(page, "figure.chart svg"), []);
      equal(await beyondPaper(page), 0);
      deepEqual([failed, asked.filter((url) => !/^(file|data|blob):/.test(url))], [[], []]);
    }, true);
    await project.remove();
  },
);

/** At 85.6 GPT-4 has 64K and at 81 all lengths, as Table 3 says. */
async function checkThreshold(page: Page): Promise<void> {
  const row = page.locator(".thresholds tbody tr").first();
  match((await row.textContent())!.replaceAll(/\s+/g, " "), /GPT-4 ?64K ?64K/);
  await page.locator(".thresholds input[type=range]").fill("81");
  match((await row.textContent())!.replaceAll(/\s+/g, " "), /GPT-4 ?>128K ?/);
}
