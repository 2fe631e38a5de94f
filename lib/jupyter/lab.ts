import { runProgram } from "./find_jupyter.ts";
import { formatNotebook, type Notebook, parseNotebook } from "./notebook.ts";
import { asInjected } from "./parameters.ts";
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
  readonly onReady?: (address: string) => void;
  readonly signal?: AbortSignal;
}

/** Opens JupyterLab on working copies of the project's notebooks, until it is stopped. */
export async function openLab(options: LabOptions): Promise<number> {
  const { folder, jupyter, opens = "own", args = [], onReady, signal } = options;
  await refuseNews(`${jupyter.env["JUPYTER_CONFIG_DIR"]}/labconfig`);
  const server = new Deno.Command(jupyter.python, {
    args: ["-W", "ignore", "-m", "jupyterlab", ...labArguments(folder, opens), ...args],
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
  const address = await waitForAddress(
    `${jupyter.env["JUPYTER_RUNTIME_DIR"]}/jpserver-${server.pid}.json`,
    { opens, isOver: () => isOver },
  );
  if (address !== undefined) onReady?.(address);
  const { code } = await ended;
  Deno.removeSignalListener("SIGTERM", stop);
  Deno.removeSignalListener("SIGINT", wait);
  signal?.removeEventListener("abort", stop);
  return code;
}

function labArguments(folder: string, opens: string): readonly string[] {
  return [
    `--config=${import.meta.dirname}/jupyter_lab_config.py`,
    `--ServerApp.root_dir=${folder}`,
    `--LabApp.default_url=/lab/tree/${opens}`,
  ];
}

// At its first start JupyterLab asks whether to fetch news, unless that extension is disabled.
async function refuseNews(folder: string): Promise<void> {
  const page = { disabledExtensions: { "@jupyterlab/apputils-extension:announcements": true } };
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/page_config.json`, JSON.stringify(page, null, 2) + "\n");
}

async function waitForAddress(
  file: string,
  { opens, isOver }: { readonly opens: string; readonly isOver: () => boolean },
): Promise<string | undefined> {
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    try {
      const { url, token } = JSON.parse(await Deno.readTextFile(file));
      return `${url}lab/tree/${opens}?token=${token}`;
    } catch {
      // Not written yet.
    }
  }
  return undefined;
}

/** Downloads the packages that lib imports, so that no notebook cell waits for them without progress. */
export async function fetchPackages(folder: string, onLine: (line: string) => void): Promise<void> {
  const doors = (await listDoors(`${folder}/lib`)).map((room) => `lib/${room}/mod.ts`);
  if (doors.length === 0) return;
  let fetched = 0;
  const end = await runProgram(Deno.execPath(), {
    args: ["cache", ...doors],
    folder,
    env: { "NO_COLOR": "1" },
    onLine: (line) => {
      if (line.startsWith("Download ")) onLine(`Packages  ${++fetched} files fetched`);
    },
  });
  if (end.code === 0) return;
  const reason = end.stderr.find((line) => line.startsWith("error")) ?? end.stderr.at(-1) ?? "no reason";
  throw new Error(`Cannot fetch the packages as the npm registry must be reachable: current value is "${reason}"`);
}

async function listDoors(folder: string): Promise<readonly string[]> {
  const rooms: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory && await hasDoor(`${folder}/${entry.name}`)) rooms.push(entry.name);
  }
  return rooms.sort();
}

async function hasDoor(room: string): Promise<boolean> {
  try {
    return (await Deno.stat(`${room}/mod.ts`)).isFile;
  } catch {
    return false;
  }
}

/** Lists the notebooks of a project, in order of their numbers. */
export async function listNotebooks(folder: string, only: readonly string[] = []): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(`${folder}/notebooks`)) {
    const name = /^(\d\d-.+)\.ipynb$/.exec(entry.name)?.[1];
    if (name !== undefined) names.push(name);
  }
  names.sort();
  const unknown = only.find((wanted) => !names.some((name) => isCalled(name, wanted)));
  if (unknown !== undefined) {
    const known = names.join(", ") || "none";
    throw new RangeError(`Cannot choose a notebook as its name must be one of ${known}: current value is "${unknown}"`);
  }
  return only.length === 0 ? names : names.filter((name) => only.some((wanted) => isCalled(name, wanted)));
}

function isCalled(name: string, wanted: string): boolean {
  return name === wanted.replace(/\.ipynb$/, "") || name.startsWith(`${wanted}-`);
}

/** The folder of the working copies, beside `notebooks/`, so that paths such as `../data` work in both. */
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
 * Saves a working copy beside the reports, for a report of it, and returns the name of the report; `undefined` if there is no such
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

/** The metadata of a copy: hashes of its original. */
interface CopiedFrom {
  /** The hash of the original file. */
  readonly file: string;
  /** The hash of the original cells without outputs. */
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
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
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
