import type { Jupyter } from "./set_up_jupyter.ts";
import { isFile } from "@/lib/base/mod.ts";

interface LabOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  readonly jupyter: Jupyter;
  readonly args?: readonly string[];
  readonly onReady: (address: string) => void;
  readonly signal?: AbortSignal;
}

/** Opens JupyterLab on working copies of the project's notebooks, until it is stopped. */
export async function openLab(options: LabOptions): Promise<number> {
  const { folder, jupyter, args = [], onReady, signal } = options;
  await copyNotebooks(folder);
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

/** Lists the notebooks of a project, in order of their numbers; those of own/ only if they are named, as `own/mine`. */
export async function listNotebooks(folder: string, only: readonly string[] = []): Promise<readonly string[]> {
  const files = await Array.fromAsync(Deno.readDir(`${folder}/notebooks`));
  const names = files.flatMap((file) => /^(\d\d-.+)\.ipynb$/.exec(file.name)?.[1] ?? []).sort();
  for (const named of only.map((wanted) => wanted.replace(/\.ipynb$/, ""))) {
    if (named.startsWith(`${OWN_FOLDER}/`) && await isFile(`${folder}/${pathOf(named)}`)) names.push(named);
  }
  const isCalled = (name: string, wanted: string): boolean =>
    name === wanted.replace(/\.ipynb$/, "") || name.startsWith(`${wanted}-`);
  const unknown = only.find((wanted) => !names.some((name) => isCalled(name, wanted)));
  if (unknown !== undefined) {
    const known = names.join(", ") || "none";
    throw new RangeError(`Cannot choose a notebook as its name must be one of ${known}: current value is "${unknown}"`);
  }
  return only.length === 0 ? names : names.filter((name) => only.some((wanted) => isCalled(name, wanted)));
}

/** Returns the path of a notebook in the project's folder, by its name. */
export function pathOf(name: string): string {
  return name.startsWith(`${OWN_FOLDER}/`) ? `${name}.ipynb` : `notebooks/${name}.ipynb`;
}

/** The folder of the working copies, next to `notebooks/`, so that paths such as `../data` work in both. */
const OWN_FOLDER = "own";

/** Makes a working copy of every notebook in `own/` that has none. */
export async function copyNotebooks(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/${OWN_FOLDER}`, { recursive: true });
  for (const name of await listNotebooks(folder)) {
    const copy = `${folder}/${OWN_FOLDER}/${name}.ipynb`;
    if (!await isFile(copy)) await Deno.copyFile(`${folder}/notebooks/${name}.ipynb`, copy);
  }
}
