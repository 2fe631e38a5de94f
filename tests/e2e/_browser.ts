import type { Browser, Page } from "playwright-core";

// At its start the driver looks for a file that Deno shows to --allow-all alone, unless this says that it is being tested.
Deno.env.set("__IS_WSL_TEST__", "1");
const { chromium } = await import("playwright-core");

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long a step may take, in milliseconds: tests do not fail where the machine is busy. */
const PATIENCE_MS = 300_000;

/** A page and every request it made in vain. */
export interface WatchedPage {
  readonly page: Page;
  /** Addresses of requests that failed, as they come. */
  readonly failed: readonly string[];
  /** Addresses of all requests, as they come. */
  readonly asked: readonly string[];
}

/** Opens a page in Chromium, hands it over, and closes all. */
export async function withPage(
  program: string,
  use: (watched: WatchedPage) => Promise<void>,
  isOffline = false,
): Promise<void> {
  const browser: Browser = await chromium.launch({ executablePath: program, args: FLAGS, timeout: PATIENCE_MS });
  try {
    const context = await browser.newContext({ viewport: { width: 1200, height: 1400 }, offline: isOffline });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const failed: string[] = [];
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("requestfailed", (request) => failed.push(request.url()));
    await use({ page, failed, asked });
  } finally {
    await browser.close();
  }
}
