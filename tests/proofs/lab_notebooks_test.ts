import { deepEqual, equal, match, notDeepEqual, ok } from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import {
  choose,
  figuresOf,
  findChart,
  type LabCell,
  type LabFigure,
  type OpenLab,
  readCells,
  readSource,
  runAll,
  typeOver,
  withLab,
} from "../e2e/_lab.ts";
import { findChromium, findReady, makeWholeProject, type TestProject, testWith } from "../e2e/_project.ts";
import { playServer } from "../models/_play_server.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { listNotebooks } from "@/lib/jupyter/lab.ts";
import { isTagged, parseNotebook } from "@/lib/jupyter/notebook.ts";

const tools = { jupyter: await findReady("lab"), chromium: findChromium() };

function test(name: string, run: (lab: OpenLab, project: TestProject) => Promise<void>): void {
  testWith(tools, name, async ({ jupyter, chromium }) => {
    const project = await makeWholeProject(jupyter);
    await withLab({ ...project, chromium }, (lab) => run(lab, project)).finally(project.remove);
  });
}

test(
  "every notebook runs in JupyterLab, its charts answer the pointer, and other parameters give other figures",
  async (lab, { folder }) => {
    const { page } = lab;
    const faults: string[] = [];
    page.on("pageerror", ({ message }) => faults.push(message));
    for (const name of await listNotebooks(folder)) {
      const original = await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`);
      await lab.open(`own/${name}.ipynb`);
      const before = await runAndCheck(page, name);
      for (const figure of figuresOf(before)) await checkFigure(page, figure, name);
      const place = parseNotebook(original).cells.findIndex((cell) => isTagged(cell, "parameters"));
      await typeOver(page, place, otherParameters(await readSource(page, place)));
      const after = await runAndCheck(page, name);
      notDeepEqual(picturesOf(after, name), picturesOf(before, name), name);
      await page.keyboard.press("Control+S");
      await page.getByText("Saving completed").waitFor();
      equal(await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`), original);
      await page.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()");
    }
    deepEqual(faults, []);
    deepEqual(await Array.fromAsync(Deno.readDir(`${folder}/results`), ({ name }) => name), ["reports"]);
  },
);

/** Another seed and few samples; of recorded runs, simulated ones in their place. */
function otherParameters(source: string): string {
  return source.replace(/const seed = "42"/, 'const seed = "7"')
    .replace(/const samples = (\d+)/, (_, samples) => `const samples = ${Math.min(4, Number(samples))}`)
    .replace(/const (runs?) = "measured[^"]*"/, 'const $1 = ""');
}

/** Runs all cells of the notebook that is shown; each must end well, and leave no bar behind. */
async function runAndCheck(page: Page, name: string): Promise<readonly LabCell[]> {
  const cells = await runAll(page);
  deepEqual(cells.map(({ executionCount }) => executionCount !== null), cells.map(() => true), name);
  deepEqual(troubles(cells), [], `${name}: ${troubles(cells).join("; ").slice(0, 500)}`);
  return cells;
}

/** Notebooks that show what was asked in tables alone. */
const IN_TABLES = ["05-trustworthy-numbers", "11-kv-cache"];

/** What changes in a notebook with its parameters: its charts, or its tables. */
function picturesOf(cells: readonly LabCell[], name: string): readonly string[] {
  if (!IN_TABLES.includes(name)) return figuresOf(cells).map(({ svg }) => svg);
  return cells.flatMap(({ outputs }) => outputs).map(({ data }) => [data?.["text/html"]].flat().join(""));
}

/** What a cell says of an error, and bars that are still there. */
function troubles(cells: readonly LabCell[]): readonly string[] {
  return cells.flatMap(({ outputs }) => outputs).flatMap(({ output_type: type, name, text, evalue, data }) => {
    if (type === "error") return [String(evalue)];
    if (name === "stderr") return [[text].flat().join("")];
    return [data?.["text/html"]].flat().join("").match(/<progress.*/g) ?? [];
  });
}

/** A mark of a chart, not of its axes, titles and legends. */
const MARK = /aria-roledescription="(point|bar|rect mark|line mark|area mark|circle|square|rule mark|tick)"/g;

/** Checks that the live chart has the marks of the picture, and that one of them shows a tooltip. */
async function checkFigure(page: Page, figure: LabFigure, name: string): Promise<void> {
  const where = `${name} cell ${figure.place + 1}`;
  const chart = await findChart(page, figure);
  const live = String(await chart.evaluate((svg) => svg.outerHTML)).match(MARK) ?? [];
  const drawn = figure.svg.match(MARK) ?? [];
  ok(drawn.length > 0, `${where} has no marks`);
  deepEqual(live.toSorted(), drawn.toSorted(), where);
  ok(await showsTooltip(page, chart), `${where} shows no tooltip`);
}

/** Points at marks of a chart, spread over all of them, until one shows a tooltip. */
async function showsTooltip(page: Page, chart: Locator): Promise<boolean> {
  const marks = chart.locator('[role="graphics-symbol"][aria-label]:not([aria-roledescription="axis"])');
  const count = await marks.count();
  const step = Math.max(1, Math.floor(count / 25));
  for (let at = 0; at < count; at += step) {
    // Charts above may still be drawn and push this one down.
    await marks.nth(at).scrollIntoViewIfNeeded();
    const box = await marks.nth(at).boundingBox();
    if (box === null) continue;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 2 });
    await page.waitForTimeout(50);
    if (await page.locator("#vg-tooltip-element.visible").count() > 0) return true;
  }
  return false;
}

test("a run in JupyterLab stops at an interrupt, keeps what was answered, and resumes", async (lab, { folder }) => {
  const { page } = lab;
  await using server = await slowServer();
  const [name] = await listNotebooks(folder, ["01"]);
  const { cells } = parseNotebook(await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`));
  const [parameters, asking] = [
    cells.findIndex((cell) => isTagged(cell, "parameters")),
    cells.findIndex(({ source }) => source.includes("await openRuns(")),
  ];
  await lab.open(`own/${name}.ipynb`);
  const changed = (await readSource(page, parameters)).replace(/model = "[^"]*"/, 'model = "gpt-4"')
    .replace(/baseUrl = ""/, `baseUrl = "${server.url}"`)
    .replace(/lengths = \[.*?\]/, "lengths = [2048, 4096]")
    .replace(/samples = \d+/, "samples = 2");
  await typeOver(page, parameters, changed);
  await choose(page, "Run", "Run All Cells");
  const cell = page.locator(".jp-Notebook .jp-Cell").nth(asking);
  await cell.locator("progress").waitFor();
  const label = await cell.locator("progress").getAttribute("aria-label");
  match(label ?? "", /^Asking gpt-4 \(01-leaderboard\): \d+%$/);
  await page.getByRole("menuitem", { name: "Kernel", exact: true }).click();
  await page.getByRole("menuitem", { name: "Interrupt Kernel" }).click();
  await cell.getByText(/Stopped before the end of run "01-leaderboard-gpt-4"/).waitFor();
  await page.getByText("Deno | Idle").waitFor();
  const records = `${folder}/results/runs/01-leaderboard-gpt-4/records.jsonl`;
  const kept = await readSamples(records);
  ok(kept.length > 0 && kept.length < 52, `${kept.length} of 52 were recorded`);
  const stopped = await readCells(page);
  const [asked, ...later] = stopped.filter(({ place }) => place >= asking);
  deepEqual(later.map(({ executionCount }) => executionCount), later.map(() => null));
  match(
    JSON.stringify(asked?.outputs),
    new RegExp(`Asking gpt-4 \\(01-leaderboard\\): ${kept.length} of 52 questions`),
  );

  deepEqual(troubles(await runAll(page)), []);
  const all = await readSamples(records);
  deepEqual([all.length, new Set(all).size], [52, 52]);
  deepEqual(all.slice(0, kept.length), kept);
});

/** The samples of a run's records, in the order in which they were recorded. */
async function readSamples(records: string): Promise<readonly string[]> {
  const lines = (await Deno.readTextFile(records)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line)["sample"]);
}

/** A simulated reader behind a server that takes its time. */
async function slowServer(): Promise<{ readonly url: string } & AsyncDisposable> {
  const reader = await serveSimulated({ profile: "mute" });
  const server = playServer(async ({ url, method, headers, body }) => {
    if (method === "POST") await new Promise((resolve) => setTimeout(resolve, 1500));
    return await fetch(`http://127.0.0.1:${reader.port}${new URL(url).pathname}`, { method, headers, body });
  });
  return {
    url: server.url,
    async [Symbol.asyncDispose](): Promise<void> {
      await server[Symbol.asyncDispose]();
      await reader.close();
    },
  };
}
