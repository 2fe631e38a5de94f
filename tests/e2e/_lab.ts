import type { Locator, Page } from "playwright-core";
import { type WatchedPage, withPage } from "./_browser.ts";
import { freePort } from "./_project.ts";
import { openLab } from "@/lib/jupyter/lab.ts";
import type { Jupyter } from "@/lib/jupyter/set_up_jupyter.ts";

/** Options for {@linkcode withLab}. */
export interface LabOptions {
  /** The project's folder. */
  readonly folder: string;
  readonly jupyter: Jupyter;
  /** Chromium's program. */
  readonly chromium: string;
}

/** JupyterLab in a browser. */
export interface OpenLab extends WatchedPage {
  /** Opens a file of the project and waits for its kernel. */
  readonly open: (path: string) => Promise<void>;
}

/** Opens JupyterLab on working copies of a project's notebooks, hands it over in a browser, and closes both. */
export async function withLab(options: LabOptions, use: (lab: OpenLab) => Promise<void>): Promise<void> {
  const { folder, jupyter, chromium } = options;
  const stop = new AbortController();
  const { promise: ready, resolve: onReady } = Promise.withResolvers<string>();
  const args = ["--no-browser", `--port=${freePort()}`, "--ip=127.0.0.1", "--expose-app-in-browser"];
  const lab = openLab({ folder, jupyter, args, onReady, signal: stop.signal });
  try {
    const address = await ready;
    await withPage(chromium, async (watched) => {
      const { page } = watched;
      const open = async (path: string): Promise<void> => {
        // Without what was open before.
        await page.goto(`${address.replace("/tree/own", `/tree/${path}`)}&reset`);
        await page.waitForFunction(isReady(path));
        await page.locator(".jp-Notebook .jp-Cell").first().waitFor();
      };
      await use({ ...watched, open });
    });
  } finally {
    stop.abort();
    await lab;
  }
}

/** Whether a notebook is shown and its kernel waits. */
function isReady(path: string): string {
  return `(() => {
    const { context, sessionContext } = globalThis.jupyterapp?.shell?.currentWidget ?? {};
    return context?.path === "${path}" && context.isReady && sessionContext?.session?.kernel?.status === "idle";
  })()`;
}

/** Chooses an entry of JupyterLab's menus. */
export async function choose(page: Page, menu: string, entry: string): Promise<void> {
  await page.getByRole("menuitem", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Types over what stands in a cell, in place of which it is then. */
export async function typeOver(page: Page, cell: number, source: string): Promise<void> {
  await page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(source);
}

/** What JupyterLab holds of a cell of code. */
export interface LabCell {
  /** Its place among all cells, from 0. */
  readonly place: number;
  readonly executionCount: number | null;
  readonly outputs: readonly LabOutput[];
}

interface LabOutput {
  readonly "output_type": string;
  readonly name?: string;
  readonly text?: string | readonly string[];
  readonly evalue?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

const READ_CELLS = `jupyterapp.shell.currentWidget.content.widgets.flatMap(({ model }, place) => model.type === "code"
  ? [{ place, executionCount: model.executionCount, outputs: model.outputs.toJSON() }]
  : [])`;

/** The cells of code of the notebook that is shown. */
export async function readCells(page: Page): Promise<readonly LabCell[]> {
  return await page.evaluate(READ_CELLS) as readonly LabCell[];
}

/** Runs all cells of the notebook that is shown, and waits until they are done. */
export async function runAll(page: Page): Promise<readonly LabCell[]> {
  await page.evaluate('jupyterapp.commands.execute("notebook:run-all-cells")');
  return await readCells(page);
}

/** The text of a cell of the notebook that is shown. */
export async function readSource(page: Page, place: number): Promise<string> {
  const cell = `jupyterapp.shell.currentWidget.content.widgets[${place}]`;
  return await page.evaluate(`${cell}.model.sharedModel.getSource()`) as string;
}

/** A chart among the outputs of a notebook. */
export interface LabFigure {
  /** The place of its cell among all cells. */
  readonly place: number;
  /** Its place among the outputs of the cell. */
  readonly output: number;
  /** The same chart as a picture. */
  readonly svg: string;
}

/** The charts of a notebook that ran. */
export function figuresOf(cells: readonly LabCell[]): readonly LabFigure[] {
  return cells.flatMap(({ place, outputs }) =>
    outputs.flatMap(({ data = {} }, output) => {
      if (!("application/vnd.vegalite.v5+json" in data)) return [];
      return [{ place, output, svg: [data["image/svg+xml"]].flat().join("") }];
    })
  );
}

/** Where a chart is drawn, live, once it is. */
export async function findChart(page: Page, { place, output }: LabFigure): Promise<Locator> {
  await page.evaluate(`jupyterapp.shell.currentWidget.content.scrollToItem(${place})`);
  const outputs = page.locator(".jp-Notebook .jp-Cell").nth(place);
  const chart = outputs.locator(".jp-OutputArea-output").nth(output).locator(".vega-embed svg").first();
  await chart.waitFor();
  await chart.scrollIntoViewIfNeeded();
  return chart;
}
