import { canServe, findJupyter, type JupyterNeed, probePython } from "./find_jupyter.ts";
import { registerKernel } from "./kernel.ts";
import type { Progress } from "./progress.ts";
import { installJupyter, REQUIREMENTS } from "./_install_jupyter.ts";

/** A Jupyter ready to run notebooks. */
export interface Jupyter {
  /** The Python to start. */
  readonly python: string;
  /** Where it comes from: the project's own environment, or the PATH. */
  readonly origin: ".venv" | "PATH";
  /** The variables to start it with. */
  readonly env: Readonly<Record<string, string>>;
}

/** Options for {@linkcode setUpJupyter}. */
export interface SetUpOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  /** The PATH: folders parted by colons. */
  readonly path: string;
  /** Told how far an installation has come. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * Milliseconds to wait for the first package before the package index counts as out of reach.
   *
   * @default {45_000}
   */
  readonly reachMs?: number;
}

/**
 * Sets up Jupyter for the project, doing only what is still to be done: the Deno kernel is registered, and a Jupyter is
 * taken from the project's `.venv`, else from the PATH, else installed into `.venv` at the versions of `requirements.txt`.
 *
 * @param need What Jupyter is needed for.
 * @param options The project's folder, the PATH, and who is told of progress.
 * @returns The Python to start, and with which variables.
 * @throws {Error} If there is no fitting Python, no `venv` module, or no way to the package index; the message says what
 * mends it.
 */
export async function setUpJupyter(need: JupyterNeed, options: SetUpOptions): Promise<Jupyter> {
  const { folder, path, onProgress = () => {}, reachMs = 45_000 } = options;
  const ready = await readyJupyter(need, { folder, path });
  if (ready !== undefined) return ready;
  const requirements = await Deno.readTextFile(REQUIREMENTS);
  await installJupyter({ folder, requirements, onProgress, reachMs });
  await Deno.writeTextFile(stampFile(folder), requirements);
  return { python: ownPython(folder), origin: ".venv", env: await registerKernel(folder) };
}

/**
 * Finds the Jupyter that is ready for the project, installing nothing; the Deno kernel is registered where there is one.
 *
 * @param need What Jupyter is needed for.
 * @param options The project's folder and the PATH.
 * @returns The Python to start, or `undefined` where {@linkcode setUpJupyter} would install one.
 */
export async function readyJupyter(
  need: JupyterNeed,
  options: Pick<SetUpOptions, "folder" | "path">,
): Promise<Jupyter | undefined> {
  const { folder, path } = options;
  const own = ownPython(folder);
  if (await isInstalled(folder, need)) return { python: own, origin: ".venv", env: await registerKernel(folder) };
  const found = await findJupyter(need, path);
  if (found === undefined) return undefined;
  return { python: found.program, origin: "PATH", env: await registerKernel(folder) };
}

async function isInstalled(folder: string, need: JupyterNeed): Promise<boolean> {
  const own = ownPython(folder);
  if (!await isThere(own)) return false;
  if (await readQuietly(stampFile(folder)) === await Deno.readTextFile(REQUIREMENTS)) return true;
  const python = await probePython(own);
  return python !== undefined && canServe(python, need);
}

function ownPython(folder: string): string {
  return `${folder}/.venv/bin/python`;
}

async function readQuietly(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch {
    return undefined;
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await Deno.stat(file);
    return true;
  } catch {
    return false;
  }
}

// Written last of all, so that an installation that was stopped half-way is begun again.
function stampFile(folder: string): string {
  return `${folder}/.venv/installed.txt`;
}
