import {
  canServe,
  findJupyter,
  type JupyterNeed,
  probePython,
  type Python,
  registerKernel,
  runProgram,
} from "./find_jupyter.ts";
import { type Progress, remainingTime } from "./progress.ts";

/** A Jupyter that is ready to run notebooks. */
export interface Jupyter {
  /** The Python program. */
  readonly python: string;
  /** The project's virtual environment, or the PATH. */
  readonly origin: ".venv" | "PATH";
  /** Environment variables for it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Options for {@linkcode setUpJupyter}. */
interface SetUpOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  /** The PATH: colon-separated folders. */
  readonly path: string;
  /** Called with the progress of an installation. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * Milliseconds to wait for the first package before the package index counts as unreachable.
   *
   * @default {45_000}
   */
  readonly reachMs?: number;
}

/**
 * Sets up Jupyter for the project: registers the Deno kernel and finds a Jupyter in the project's `.venv` or on the PATH, or installs
 * the versions of `requirements.txt` into `.venv`.
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

/** Finds a Jupyter without installing one, and registers the Deno kernel; `undefined` if there is none. */
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

// The file is written last, so that an interrupted installation starts over.
function stampFile(folder: string): string {
  return `${folder}/.venv/installed.txt`;
}

interface InstallOptions extends Required<Pick<SetUpOptions, "folder" | "onProgress" | "reachMs">> {
  /** The text of the requirements file. */
  readonly requirements: string;
}

/** The oldest Python for the pinned packages: 3.10. */
const MIN_PYTHON = 10;
/** The pinned packages of Jupyter. */
const REQUIREMENTS = `${import.meta.dirname}/requirements.txt`;

const OTHER_PYTHONS = ["python3.13", "python3.12", "python3.11", "python3.14", "python3.10"];
const PIP_OPTIONS = [
  "--disable-pip-version-check",
  "--no-input",
  "--prefer-binary",
  "--progress-bar=off",
  "--retries=1",
  "--timeout=15",
];

/** Makes a virtual environment in `.venv` and installs the pinned packages of Jupyter into it. */
async function installJupyter(options: InstallOptions): Promise<void> {
  const { folder, requirements, onProgress } = options;
  const python = await findPython();
  onProgress({
    label: LABEL,
    done: 0,
    total: countParts(requirements),
    elapsedMs: 0,
    note: "creating the environment",
  });
  const venv = await runProgram(python.program, { args: ["-m", "venv", "--clear", `${folder}/.venv`], folder });
  if (venv.code !== 0) throw new Error(explainVenv(python, [...venv.stdout, ...venv.stderr]));
  await installParts(options);
}

async function findPython(): Promise<Python> {
  const found: Python[] = [];
  for (const name of ["python3", ...OTHER_PYTHONS, "python"]) {
    const python = await probePython(name);
    if (python !== undefined && python.version[1] >= MIN_PYTHON) return python;
    if (python !== undefined) found.push(python);
  }
  throw new Error(explainPython(found, MIN_PYTHON));
}

async function installParts(options: InstallOptions): Promise<void> {
  const { folder, requirements, onProgress, reachMs } = options;
  const reach = new AbortController();
  const timer = setTimeout(() => reach.abort(), reachMs);
  const clock = startPipClock(countParts(requirements), onProgress);
  const onLine = (line: string): void => {
    if (clock.take(line)) clearTimeout(timer);
  };
  const args = ["-m", "pip", "install", ...PIP_OPTIONS, "-r", REQUIREMENTS];
  const env = { "PIP_USER": "0" };
  const end = await runProgram(`${folder}/.venv/bin/python`, { args, folder, env, signal: reach.signal, onLine })
    .finally(() => {
      clearTimeout(timer);
      clock.stop();
    });
  if (end.code !== 0) throw new Error(explainPip([...end.stdout, ...end.stderr], reach.signal.aborted));
}

function countParts(requirements: string): number {
  return requirements.split("\n").filter((line) => /^\w/.test(line) && !line.includes(";")).length;
}

const WAYS_OUT = `Do one of the following, then run the same command again:
  install the Jupyter packages of your distribution
    Debian, Ubuntu:  sudo apt install python3-nbclient python3-nbconvert
    Fedora:          sudo dnf install python3-nbclient python3-nbconvert
  use a mirror of the package index, or a proxy
    export PIP_INDEX_URL=ADDRESS        export HTTPS_PROXY=ADDRESS
  copy the packages from a machine with a network and the same Python
    there:  python3 -m pip download -r lib/jupyter/requirements.txt -d wheels
    here:   export PIP_NO_INDEX=1 PIP_FIND_LINKS=wheels`;

/** Explains that no sufficiently new Python was found. */
function explainPython(found: readonly Python[], least: number): string {
  const current = found[0] === undefined ? "none" : found[0].version.join(".");
  return `Cannot set up Jupyter as Python must be 3.${least} or newer: current value is ${current}\n` +
    "  Debian, Ubuntu:  sudo apt install python3 python3-venv\n" +
    "  Fedora, RHEL:    sudo dnf install python3.12";
}

/** Explains a failed virtual environment from the output of Python. */
function explainVenv(python: Python, lines: readonly string[]): string {
  const version = python.version.join(".");
  const last = lines.findLast((line) => line.trim() !== "")?.trim() ?? "no reason";
  if (!lines.some((line) => /ensurepip|No module named venv|python3-venv/.test(line))) {
    return `Cannot set up Jupyter as ${python.program} must make a virtual environment: current value is "${last}"`;
  }
  return `Cannot set up Jupyter as Python ${version} must have its venv module: current value is none\n` +
    `  Debian, Ubuntu:  sudo apt install python${version}-venv`;
}

const NETWORK_REASON =
  /Connection (?:refused|reset)[^'")]*|Name or service[^'")]*|Temporary failure[^'")]*|[\w ]+ timed out|SSL: [^'")]*|Tunnel [^'")]*/;

/** Explains a failed installation from the output of pip, and lists remedies. */
function explainPip(lines: readonly string[], isOutOfReach: boolean): string {
  const reason = lines.map((line) => NETWORK_REASON.exec(line)?.[0].trim()).find((part) => part !== undefined);
  const isNowhere = lines.some((line) => line.includes("from versions: none"));
  if (isOutOfReach || isNowhere || reason !== undefined) {
    const answer = reason ?? "no answer";
    return `Cannot set up Jupyter as the Python package index must be reachable: current value is "${answer}"\n${WAYS_OUT}`;
  }
  const last = lines.findLast((line) => line.startsWith("ERROR")) ?? lines.at(-1) ?? "no reason";
  return `Cannot set up Jupyter as pip must install the pinned packages: current value is "${last.trim()}"\n${WAYS_OUT}`;
}

const LABEL = "Jupyter into .venv";

/** Tracks the progress of pip by its output. */
interface PipClock {
  /** Handles a line of output; returns whether a package was obtained. */
  readonly take: (line: string) => boolean;
  readonly stop: () => void;
}

/** Tracks an installation and reports its progress every second. */
function startPipClock(total: number, onProgress: (progress: Progress) => void): PipClock {
  const began = performance.now();
  const tookMs: number[] = [];
  let spentMs = 0;
  let fetchedMs: number | undefined;
  let note: string | undefined;
  const show = (): void => {
    const elapsedMs = performance.now() - began;
    // Unpacking takes about as long as downloading, and pip prints nothing meanwhile.
    const whole = fetchedMs === undefined
      ? (remainingTime({ tookMs, total, lastMs: [], currentMs: 0 }) ?? 0) + elapsedMs
      : fetchedMs * 2 - elapsedMs;
    const remainingMs = tookMs.length === 0 ? undefined : Math.max(0, whole);
    onProgress({ label: LABEL, done: Math.min(tookMs.length, total), total, elapsedMs, remainingMs, note });
  };
  const take = (line: string): boolean => {
    const part = obtainedPart(line);
    const elapsedMs = performance.now() - began;
    if (line.startsWith("Installing collected packages")) [fetchedMs, note] = [elapsedMs, "unpacking"];
    if (part === undefined) return false;
    tookMs.push(elapsedMs - spentMs);
    [spentMs, note] = [elapsedMs, part];
    show();
    return true;
  };
  const timer = setInterval(show, 1000);
  return { take, stop: () => clearInterval(timer) };
}

function obtainedPart(line: string): string | undefined {
  return /^(?:Collecting ([\w.-]+==[\w.]+)|Processing .*?([\w.]+-[\d][\w.]*)-[^/]*\.whl|Requirement already satisfied: (\S+))/
    .exec(line)?.slice(1).find((part) => part !== undefined);
}
