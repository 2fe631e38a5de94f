import { runProgram } from "./run_program.ts";

/** The purpose of Jupyter: to run and export notebooks, or also to open JupyterLab. */
export type JupyterNeed = "run" | "lab";

/** A Python and the Jupyter packages that it can import. */
interface Python {
  readonly program: string;
  readonly version: readonly [number, number];
  /** Versions of the importable ones among `nbclient`, `nbconvert` and `jupyterlab`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** The oldest versions known to work. */
const MIN_VERSIONS = { nbclient: [0, 7], nbconvert: [6, 5], jupyterlab: [4, 0] } as const;

const PROBE = `
import importlib, json, sys
parts = {}
for name in ("nbclient", "nbconvert", "jupyterlab"):
    try:
        parts[name] = importlib.import_module(name).__version__
    except Exception:
        pass
print(json.dumps({"version": list(sys.version_info[:2]), "parts": parts}))
`;

/** Returns the version and the Jupyter packages of a Python; `undefined` if it is no Python 3. */
async function probePython(program: string): Promise<Python | undefined> {
  const end = await runProgram(program, { args: ["-c", PROBE], folder: "." });
  if (end.code !== 0) return undefined;
  try {
    const { version, parts } = JSON.parse(end.stdout.at(-1) ?? "");
    return version[0] === 3 ? { program, version, parts } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a Python has the Jupyter packages for a purpose, in sufficient versions. */
export function canServe({ parts }: Python, need: JupyterNeed): boolean {
  return Object.entries(MIN_VERSIONS).every(([name, [major, minor]]) => {
    const [hasMajor = -1, hasMinor = 0] = (parts[name] ?? "").split(".").map((part) => Number.parseInt(part));
    return (name === "jupyterlab" && need === "run") || hasMajor > major || (hasMajor === major && hasMinor >= minor);
  });
}

/** Returns the first of some Pythons that fits. */
async function findPython(
  programs: readonly string[],
  isFit: (python: Python) => boolean,
): Promise<Python | undefined> {
  for (const program of programs) {
    const python = await probePython(program);
    if (python !== undefined && isFit(python)) return python;
  }
  return undefined;
}

/** A Jupyter that is ready to run notebooks: its Python, and the environment variables for it. */
export interface Jupyter {
  readonly python: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Options for {@linkcode setUpJupyter}. */
interface SetUpOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  /** Called with the progress of an installation. */
  readonly onProgress: (line: string) => void;
}

/**
 * Sets up Jupyter for the project: registers the Deno kernel and finds a Jupyter in the project's `.venv` or on the PATH, or installs
 * the versions of `requirements.txt` into `.venv`.
 */
export async function setUpJupyter(need: JupyterNeed, options: SetUpOptions): Promise<Jupyter> {
  const { folder } = options;
  const ready = await readyJupyter(need, folder);
  if (ready !== undefined) return ready;
  await installJupyter(options);
  return { python: ownPython(folder), env: await registerKernel(folder) };
}

/** Finds a Jupyter without installing one, and registers the Deno kernel; `undefined` if there is none. */
export async function readyJupyter(need: JupyterNeed, folder: string): Promise<Jupyter | undefined> {
  const own = ownPython(folder);
  const installed = await Deno.readTextFile(stampFile(folder)).catch(() => undefined);
  const isPinned = installed === await Deno.readTextFile(REQUIREMENTS);
  const found = isPinned ? undefined : await findPython([own, ...PYTHONS], (python) => canServe(python, need));
  const python = isPinned ? own : found?.program;
  return python === undefined ? undefined : { python, env: await registerKernel(folder) };
}

function ownPython(folder: string): string {
  return `${folder}/.venv/bin/python`;
}

// The file is written last, so that an interrupted installation starts over.
function stampFile(folder: string): string {
  return `${folder}/.venv/installed.txt`;
}

/** The oldest Python for the pinned packages: 3.10. */
const MIN_PYTHON = 10;
const PYTHONS = ["python3", "python3.13", "python3.12", "python3.11", "python"];
/** The pinned packages of Jupyter. */
const REQUIREMENTS = `${import.meta.dirname}/requirements.txt`;
const PIP_OPTIONS = ["--disable-pip-version-check", "--no-input", "--prefer-binary", "--retries=1", "--timeout=15"];

const REMEDIES = `Do one of the following, then run the same command again:
  install the Jupyter packages of your distribution
    Debian, Ubuntu:  sudo apt install python3-nbclient python3-nbconvert
    Fedora:          sudo dnf install python3-nbclient python3-nbconvert
  use a mirror of the package index, or a proxy
    export PIP_INDEX_URL=ADDRESS        export HTTPS_PROXY=ADDRESS
  copy the packages from a machine with a network and the same Python
    there:  python3 -m pip download -r lib/jupyter/requirements.txt -d wheels
    here:   export PIP_NO_INDEX=1 PIP_FIND_LINKS=wheels`;

/** Makes a virtual environment in `.venv` and installs the pinned packages of Jupyter into it. */
async function installJupyter({ folder, onProgress }: SetUpOptions): Promise<void> {
  const python = await findPython(PYTHONS, ({ version }) => version[1] >= MIN_PYTHON);
  if (python === undefined) {
    const older = (await probePython("python3"))?.version.join(".") ?? "none";
    throw new Error(
      `Cannot set up Jupyter as Python must be 3.${MIN_PYTHON} or newer: current value is ${older}\n` +
        "  Debian, Ubuntu:  sudo apt install python3 python3-venv\n" +
        "  Fedora, RHEL:    sudo dnf install python3.12",
    );
  }
  onProgress("Jupyter into .venv  creating the environment");
  const venv = await runProgram(python.program, { args: ["-m", "venv", "--clear", `${folder}/.venv`], folder });
  if (venv.code !== 0) {
    const last = [...venv.stdout, ...venv.stderr].findLast((line) => line.trim() !== "")?.trim() ?? "no reason";
    throw new Error(
      `Cannot set up Jupyter as ${python.program} must make a virtual environment: current value is "${last}"\n` +
        `  Debian, Ubuntu:  sudo apt install python${python.version.join(".")}-venv`,
    );
  }
  const pip = await runProgram(ownPython(folder), {
    args: ["-m", "pip", "install", ...PIP_OPTIONS, "--progress-bar=off", "-r", REQUIREMENTS],
    folder,
    env: { "PIP_USER": "0" },
    onLine: (line) => onProgress(`Jupyter into .venv  ${line.trim()}`),
  });
  if (pip.code !== 0) {
    const lines = [...pip.stdout, ...pip.stderr];
    // Without a network, only the first warning names the cause.
    const reason = lines.find((line) => /^\s*(?:WARNING: Retrying|ERROR)/.test(line)) ?? lines.at(-1) ?? "no reason";
    throw new Error(
      `Cannot set up Jupyter as pip must install the pinned packages: current value is "${reason.trim()}"\n${REMEDIES}`,
    );
  }
  await Deno.copyFile(REQUIREMENTS, stampFile(folder));
}

/** The name by which notebooks ask for the Deno kernel. */
export const KERNEL = "deno";

/** Registers the Deno kernel inside the project, with the running Deno, and returns the environment of Jupyter. */
export async function registerKernel(folder: string): Promise<Readonly<Record<string, string>>> {
  const home = `${folder}/.jupyter`;
  const spec = {
    argv: [Deno.execPath(), "jupyter", "--quiet", "--kernel", "--conn", "{connection_file}"],
    "display_name": "Deno",
    language: "typescript",
    // Without colours, outputs are the same on every machine.
    env: { "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1" },
  };
  await Deno.mkdir(`${home}/kernels/${KERNEL}`, { recursive: true });
  await Deno.writeTextFile(`${home}/kernels/${KERNEL}/kernel.json`, JSON.stringify(spec, null, 2) + "\n");
  return {
    "JUPYTER_PATH": home,
    "JUPYTER_CONFIG_DIR": `${home}/config`,
    "JUPYTER_DATA_DIR": `${home}/data`,
    "JUPYTER_RUNTIME_DIR": `${home}/runtime`,
    "JUPYTERLAB_SETTINGS_DIR": `${home}/lab/settings`,
    "JUPYTERLAB_WORKSPACES_DIR": `${home}/lab/workspaces`,
    "IPYTHONDIR": `${home}/ipython`,
  };
}
