import type { Page } from "playwright-core";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { openExplorer } from "@/lib/reports/mod.ts";

/** Writes the page of runs to a temporary file, and returns its path. */
export async function writePage(runs: readonly ScoredRun[]): Promise<string> {
  const path = await Deno.makeTempFile({ suffix: ".html" });
  await Deno.writeTextFile(path, [...(await openExplorer(runs)).html()].join(""));
  return path;
}

/** Opens a page of runs, and waits until it can be used. */
export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(address);
  await page.locator(".is-ready").waitFor();
}

/** Waits until so many samples pass the filters, as in "35 of 1,740". */
export async function waitForCount(page: Page, count: string): Promise<void> {
  await page.getByText(`${count} samples`, { exact: true }).waitFor();
}
