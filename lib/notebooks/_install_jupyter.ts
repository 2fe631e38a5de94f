import { probePython, type Python } from "./find_jupyter.ts";
import { explainPip, explainPython, explainVenv } from "./_explain_setup.ts";
import { LABEL, startPipClock } from "./_pip_clock.ts";
import type { Progress } from "./progress.ts";
import { runProgram } from "./_programs.ts";

/** Options for {@linkcode installJupyter}. */
export interface InstallOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  /** Text of the requirements file. */
  readonly requirements: string;
  /** Told how far the installation has come. */
  readonly onProgress: (progress: Progress) => void;
  /** Milliseconds to wait for the first package before the package index counts as out of reach. */
  readonly reachMs: number;
}

/** Oldest Python the pinned parts run on: 3.10. */
export const LEAST_PYTHON = 10;
/** The pinned Jupyter parts. */
export const REQUIREMENTS = `${import.meta.dirname}/requirements.txt`;

const OTHER_PYTHONS = ["python3.13", "python3.12", "python3.11", "python3.14", "python3.10"];
const PIP_OPTIONS = [
  "--disable-pip-version-check",
  "--no-input",
  "--prefer-binary",
  "--progress-bar=off",
  "--retries=1",
  "--timeout=15",
];

/** Makes a virtual environment in the project's `.venv` and installs the pinned Jupyter parts into it. */
export async function installJupyter(options: InstallOptions): Promise<void> {
  const { folder, requirements, onProgress } = options;
  const python = await findPython();
  onProgress({ label: LABEL, done: 0, total: countParts(requirements), elapsedMs: 0, note: "making the environment" });
  const venv = await runProgram(python.program, { args: ["-m", "venv", "--clear", `${folder}/.venv`], folder });
  if (venv.code !== 0) throw new Error(explainVenv(python, [...venv.stdout, ...venv.stderr]));
  await installParts(options);
}

async function findPython(): Promise<Python> {
  const found: Python[] = [];
  for (const name of ["python3", ...OTHER_PYTHONS, "python"]) {
    const python = await probePython(name);
    if (python !== undefined && python.version[1] >= LEAST_PYTHON) return python;
    if (python !== undefined) found.push(python);
  }
  throw new Error(explainPython(found, LEAST_PYTHON));
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
