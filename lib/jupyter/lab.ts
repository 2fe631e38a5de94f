import { runProgram } from "./find_jupyter.ts";
import type { Jupyter } from "./set_up_jupyter.ts";

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
