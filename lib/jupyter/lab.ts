import { parseNotebook } from "./notebook.ts";
import { lastWords, runProgram } from "./run_program.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { isFile } from "@/lib/base/mod.ts";

interface LabOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  readonly jupyter: Jupyter;
  /** Further arguments for JupyterLab, such as `--no-browser` or `--port=8890`. */
  readonly args?: readonly string[];
  /** Called with the address once the server answers. */
  readonly onReady: (address: string) => void;
  readonly signal?: AbortSignal;
}

/** Opens JupyterLab on working copies of the project's notebooks, until it is stopped. */
export async function openLab(options: LabOptions): Promise<number> {
  const { folder, jupyter, args = [], onReady, signal } = options;
  await refuseNews(`${jupyter.env["JUPYTER_CONFIG_DIR"]}/labconfig`);
  const own = [
    `--config=${import.meta.dirname}/jupyter_lab_config.py`,
    `--ServerApp.root_dir=${folder}`,
    `--LabApp.default_url=/lab/tree/${OWN_FOLDER}`,
  ];
  const server = new Deno.Command(jupyter.python, {
    args: ["-W", "ignore", "-m", "jupyterlab", ...own, ...args],
    cwd: `${folder}/${OWN_FOLDER}`,
    env: jupyter.env,
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
    if (isReady) onReady(`${url}lab/tree/${OWN_FOLDER}?token=${token}`);
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

/**
 * Makes a working copy of every notebook in `own/` that has none.
 *
 * @returns The names of the copies that were there before and whose cells differ from those of their notebook.
 */
export async function copyNotebooks(folder: string): Promise<readonly string[]> {
  await Deno.mkdir(`${folder}/${OWN_FOLDER}`, { recursive: true });
  const differing: string[] = [];
  for (const name of await listNotebooks(folder)) {
    const original = await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`);
    const file = `${folder}/${OWN_FOLDER}/${name}.ipynb`;
    if (!await isFile(file)) await Deno.writeTextFile(file, original);
    else if (cellsText(await Deno.readTextFile(file)) !== cellsText(original)) differing.push(name);
  }
  return differing;
}

/** Returns the cells of a notebook without their outputs; the text itself if it is no notebook. */
function cellsText(text: string): string {
  try {
    return JSON.stringify(parseNotebook(text).cells.map(({ kind, source }) => [kind, source]));
  } catch {
    return text;
  }
}
