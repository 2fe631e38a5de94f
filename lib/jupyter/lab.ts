import { formatNotebook, type Notebook, parseNotebook } from "./notebook.ts";
import { asInjected } from "./parameters.ts";
import { lastWords, runProgram } from "./run_program.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { createHash } from "node:crypto";

interface LabOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  readonly jupyter: Jupyter;
  /**
   * The folder to open: `own` with the working copies, or `notebooks`, which can only then be saved.
   *
   * @default {"own"}
   */
  readonly opens?: "own" | "notebooks";
  /** Further arguments for JupyterLab, such as `--no-browser` or `--port=8890`. */
  readonly args?: readonly string[];
  /** Called with the address once the server answers. */
  readonly onReady: (address: string) => void;
  readonly signal?: AbortSignal;
}

/** Opens JupyterLab on working copies of the project's notebooks, until it is stopped. */
export async function openLab(options: LabOptions): Promise<number> {
  const { folder, jupyter, opens = "own", args = [], onReady, signal } = options;
  await refuseNews(`${jupyter.env["JUPYTER_CONFIG_DIR"]}/labconfig`);
  const own = [
    `--config=${import.meta.dirname}/jupyter_lab_config.py`,
    `--ServerApp.root_dir=${folder}`,
    `--LabApp.default_url=/lab/tree/${opens}`,
  ];
  const server = new Deno.Command(jupyter.python, {
    args: ["-W", "ignore", "-m", "jupyterlab", ...own, ...args],
    cwd: `${folder}/${opens}`,
    env: { ...jupyter.env, ...(opens === "notebooks" ? { "FATHOM_ORIGINALS": "1" } : {}) },
    stdin: "null",
  }).spawn();
  const stop = (): void => server.kill("SIGTERM");
  const wait = (): void => {}; // Ctrl-C in a terminal also reaches JupyterLab.
  Deno.addSignalListener("SIGTERM", stop);
  Deno.addSignalListener("SIGINT", wait);
  signal?.addEventListener("abort", stop);
  let isOver = false;
  const ended = server.status.finally(() => isOver = true);
  const facts = `${jupyter.env["JUPYTER_RUNTIME_DIR"]}/jpserver-${server.pid}.json`;
  for (let isReady = false; !isReady && !isOver;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The server writes the file when it is ready.
    const { url, token } = await Deno.readTextFile(facts).then(JSON.parse).catch(() => ({}));
    isReady = url !== undefined;
    if (isReady) onReady(`${url}lab/tree/${opens}?token=${token}`);
  }
  const { code } = await ended;
  Deno.removeSignalListener("SIGTERM", stop);
  Deno.removeSignalListener("SIGINT", wait);
  signal?.removeEventListener("abort", stop);
  return code;
}

// At its first start JupyterLab asks whether to fetch news, unless that extension is disabled.
async function refuseNews(folder: string): Promise<void> {
  const page = { disabledExtensions: { "@jupyterlab/apputils-extension:announcements": true } };
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/page_config.json`, JSON.stringify(page, null, 2) + "\n");
}

/** Downloads the packages that lib imports, so that no notebook cell waits for them without progress. */
export async function fetchPackages(folder: string, onLine: (line: string) => void): Promise<void> {
  let fetched = 0;
  const end = await runProgram(Deno.execPath(), {
    args: ["cache", "lib/mod.ts", "lib/jupyter/mod.ts"],
    folder,
    env: { "NO_COLOR": "1" },
    onLine: (line) => {
      if (line.startsWith("Download ")) onLine(`Packages  ${++fetched} files fetched`);
    },
  });
  if (end.code === 0) return;
  const reason = end.stderr.find((line) => line.startsWith("error")) ?? lastWords(end);
  throw new Error(`Cannot fetch the packages as the npm registry must be reachable: current value is "${reason}"`);
}

/** Lists the notebooks of a project, in order of their numbers. */
export async function listNotebooks(folder: string, only: readonly string[] = []): Promise<readonly string[]> {
  const files = await Array.fromAsync(Deno.readDir(`${folder}/notebooks`));
  const names = files.flatMap((file) => /^(\d\d-.+)\.ipynb$/.exec(file.name)?.[1] ?? []).sort();
  const isCalled = (name: string, wanted: string): boolean =>
    name === wanted.replace(/\.ipynb$/, "") || name.startsWith(`${wanted}-`);
  const unknown = only.find((wanted) => !names.some((name) => isCalled(name, wanted)));
  if (unknown !== undefined) {
    const known = names.join(", ") || "none";
    throw new RangeError(`Cannot choose a notebook as its name must be one of ${known}: current value is "${unknown}"`);
  }
  return only.length === 0 ? names : names.filter((name) => only.some((wanted) => isCalled(name, wanted)));
}

/** The folder of the working copies, next to `notebooks/`, so that paths such as `../data` work in both. */
export const OWN_FOLDER = "own";

/** The state of a working copy. */
export interface OwnCopy {
  /** Name of the notebook, without folder and extension. */
  readonly name: string;
  /**
   * `made`: it is new. `same`: its notebook has not changed. `renewed`: its notebook has changed and the copy was not edited, so it was
   * replaced. `kept`: both have changed, and the copy was left as it is.
   */
  readonly state: "made" | "same" | "renewed" | "kept";
}

/** Makes a working copy of every notebook in `own/`, and replaces outdated copies that were not edited; running a copy is no edit. */
export async function copyNotebooks(folder: string): Promise<readonly OwnCopy[]> {
  await Deno.mkdir(`${folder}/${OWN_FOLDER}`, { recursive: true });
  const copies: OwnCopy[] = [];
  for (const name of await listNotebooks(folder)) {
    const original = await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`);
    const file = `${folder}/${OWN_FOLDER}/${name}.ipynb`;
    const state = stateOf(original, await readText(file));
    if (state === "made" || state === "renewed") await Deno.writeTextFile(file, copyOf(original));
    copies.push({ name, state });
  }
  return copies;
}

/**
 * Saves a working copy next to the reports, for a report of it, and returns the name of the report; `undefined` if there is no such
 * copy.
 *
 * @param copy Its name, without folder and extension.
 */
export async function keepCopy(folder: string, copy: string): Promise<string | undefined> {
  const text = await readText(`${folder}/${OWN_FOLDER}/${copy}.ipynb`);
  if (text === undefined) return undefined;
  const original = await readText(`${folder}/notebooks/${copy}.ipynb`);
  const notebook = parseNotebook(text);
  const kept = original === undefined ? notebook : asInjected(notebook, parseNotebook(original));
  await Deno.mkdir(`${folder}/results/reports`, { recursive: true });
  await Deno.writeTextFile(`${folder}/results/reports/${copy}.own.ipynb`, formatNotebook(kept));
  return `${copy}.own`;
}

/** The metadata of a copy: hashes of the original file, and of its cells without outputs. */
interface CopiedFrom {
  readonly file: string;
  readonly cells: string;
}

function copyOf(original: string): string {
  const file = JSON.parse(original);
  const copied: CopiedFrom = { file: sha256(original), cells: hashCells(parseNotebook(original)) };
  return JSON.stringify({ ...file, metadata: { ...file.metadata, fathom: { copied } } }, null, 1) + "\n";
}

function stateOf(original: string, copy: string | undefined): OwnCopy["state"] {
  if (copy === undefined) return "made";
  const notebook = readNotebook(copy);
  const copied = (notebook?.metadata["fathom"] as { readonly copied?: CopiedFrom } | undefined)?.copied;
  if (copied?.file === sha256(original)) return "same";
  return notebook !== undefined && copied?.cells === hashCells(notebook) ? "renewed" : "kept";
}

async function readText(file: string): Promise<string | undefined> {
  return await Deno.readTextFile(file).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  });
}

/** Parses a notebook; `undefined` if the file is no notebook any more. */
function readNotebook(text: string): Notebook | undefined {
  try {
    return parseNotebook(text);
  } catch {
    return undefined;
  }
}

function hashCells({ cells }: Notebook): string {
  return sha256(JSON.stringify(cells.map(({ kind, source }) => [kind, source])));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
