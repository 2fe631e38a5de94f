import type { Page } from "playwright-core";
import { type WatchedPage, withPage } from "./_browser.ts";
import { freePort } from "./_project.ts";
import { openLab } from "@/lib/jupyter/lab.ts";
import { copyNotebooks } from "@/lib/jupyter/own_copies.ts";
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
  await copyNotebooks(folder);
  const stop = new AbortController();
  const { promise: ready, resolve: onReady } = Promise.withResolvers<string>();
  const args = ["--no-browser", `--port=${freePort()}`, "--ip=127.0.0.1", "--expose-app-in-browser"];
  const lab = openLab({ folder, jupyter, args, onReady, signal: stop.signal });
  try {
    const address = await ready;
    await withPage(chromium, async (watched) => {
      const { page } = watched;
      const open = async (path: string): Promise<void> => {
        await page.goto(address.replace("/tree/own", `/tree/${path}`));
        await page.locator(".jp-Notebook .jp-Cell").first().waitFor({ timeout: 60_000 });
        await page.getByText("Deno | Idle").waitFor({ timeout: 60_000 });
      };
      await use({ ...watched, open });
    });
  } finally {
    stop.abort();
    await lab;
  }
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
