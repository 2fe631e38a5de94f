import { pathToFileURL } from "node:url";
import { runProgram } from "./find_jupyter.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

const PLACES = [
  "/usr/bin",
  "/snap/bin",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
  "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
];

/**
 * Finds a browser of the Chromium family, for headless printing.
 *
 * @param path The folders to search first, as in the variable PATH.
 * @param places Folders and programs to try next; by default, the usual places of such browsers.
 * @throws {Error} If there is none; the message names packages to install.
 */
export function findBrowser(path: string, places: readonly string[] = PLACES): string {
  const folders = [...path.split(Deno.build.os === "windows" ? ";" : ":"), ...places].filter((place) => place !== "");
  const candidates = folders.flatMap((place) => [place, ...NAMES.map((name) => `${place}/${name}`)]);
  const found = candidates.find(isFile);
  if (found !== undefined) return found;
  throw new Error(
    "Cannot print a PDF as Chromium, Chrome or Edge must be on the PATH: current value is none of " +
      `${
        NAMES.join(", ")
      }; install one (Debian: apt install chromium; macOS: brew install chromium), or print the page ` +
      "from any browser",
  );
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Options for {@linkcode printPdf}. */
interface PrintOptions {
  /** The browser, from {@linkcode findBrowser}. */
  readonly browser: string;
  /** An absolute path to the project's folder. */
  readonly folder: string;
  /** The page and the PDF, as absolute paths. */
  readonly page: string;
  readonly pdf: string;
}

/** Prints a page as a PDF. */
export async function printPdf({ browser, folder, page, pdf }: PrintOptions): Promise<void> {
  // A temporary profile, so that a running browser is not affected.
  const profile = await Deno.makeTempDir({ dir: `${folder}/.jupyter`, prefix: "browser-" });
  const isRoot = Deno.uid() === 0;
  try {
    const end = await runProgram(browser, {
      args: [
        ...["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
        // Chromium has no sandbox for root, the user of many containers; the page's policy allows only its own script.
        ...(isRoot ? ["--no-sandbox"] : []),
        ...["--no-pdf-header-footer", `--user-data-dir=${profile}`, `--print-to-pdf=${pdf}`],
        pathToFileURL(page).href,
      ],
      folder,
    });
    if (end.code === 0 && isFile(pdf)) return;
    const why = end.stderr.findLast((line) => line.trim() !== "")?.trim() ?? `exit code ${end.code}`;
    throw new Error(`Cannot print the PDF as ${browser} must print the page: current value is "${why}"`);
  } finally {
    // Helper processes of the browser may still be running.
    await Deno.remove(profile, { recursive: true }).catch(() => {});
  }
}
