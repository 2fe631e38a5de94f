/** The purpose of Jupyter: to run and export notebooks, or also to open JupyterLab. */
export type JupyterNeed = "run" | "lab";

/** A Python and the Jupyter packages that it can import. */
export interface Python {
  /** Its path, or its name on the PATH. */
  readonly program: string;
  /** Major and minor version. */
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
export async function probePython(program: string): Promise<Python | undefined> {
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
export function canServe(python: Python, need: JupyterNeed): boolean {
  const wanted = need === "run" ? ["nbclient", "nbconvert"] as const : ["nbclient", "nbconvert", "jupyterlab"] as const;
  return wanted.every((name) => isAtLeast(python.parts[name], MIN_VERSIONS[name]));
}

function isAtLeast(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const [hasMajor = -1, hasMinor = 0] = (version ?? "").split(".").map((part) => Number.parseInt(part));
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}

/** Finds a sufficient Jupyter on the PATH: of `python3` or `python`, or of the interpreter that the `jupyter` script names. */
export async function findJupyter(need: JupyterNeed, path: string): Promise<Python | undefined> {
  const commands = await Promise.all(path.split(":").map((folder) => interpreterOf(`${folder}/jupyter`)));
  const candidates = ["python3", "python", ...commands.filter((command) => command !== undefined)];
  for (const candidate of new Set(candidates)) {
    const python = await probePython(candidate);
    if (python !== undefined && canServe(python, need)) return python;
  }
  return undefined;
}

// A script starts with #!/path/python or, if that path is long, with '''exec' "/path/python".
async function interpreterOf(script: string): Promise<string | undefined> {
  try {
    const text = await Deno.readTextFile(script);
    const programs = [...text.slice(0, 1000).matchAll(/^(?:#!|'''exec' "?)(\/[^\s"]+)/gm)].map((match) =>
      match[1] ?? ""
    );
    return programs.find((program) => /python[^/]*$/.test(program));
  } catch {
    return undefined;
  }
}

interface ProgramOptions {
  readonly args: readonly string[];
  readonly folder: string;
  /** Environment variables in addition to this process's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** Called with each line of output. */
  readonly onLine?: (line: string, from: "stdout" | "stderr") => void;
  readonly signal?: AbortSignal;
}

interface ProgramEnd {
  /** The exit code; 127 if there is no such program. */
  readonly code: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Runs a program to its end. Forwards its output line by line, and SIGTERM to it, so that no kernel keeps running. */
export async function runProgram(program: string, options: ProgramOptions): Promise<ProgramEnd> {
  const child = spawn(program, options);
  if (child === undefined) return { code: 127, stdout: [], stderr: [`no such program: ${program}`] };
  let isStopped = false;
  const stop = (): void => killQuietly(child);
  const interrupt = (): void => {
    isStopped = true;
    stop();
  };
  Deno.addSignalListener("SIGTERM", interrupt);
  Deno.addSignalListener("SIGINT", interrupt);
  options.signal?.addEventListener("abort", stop);
  try {
    const forward = (from: "stdout" | "stderr") => (line: string): void => options.onLine?.(line, from);
    const writing = writeInput(child, options.input ?? "");
    const [stdout, stderr] = await Promise.all([
      readLines(child.stdout, forward("stdout")),
      readLines(child.stderr, forward("stderr")),
    ]);
    await writing;
    const { code } = await child.status;
    if (isStopped) throw new Deno.errors.Interrupted("Stopped");
    return { code, stdout, stderr };
  } finally {
    Deno.removeSignalListener("SIGTERM", interrupt);
    Deno.removeSignalListener("SIGINT", interrupt);
    options.signal?.removeEventListener("abort", stop);
  }
}

function spawn(program: string, options: ProgramOptions): Deno.ChildProcess | undefined {
  const { args, folder, env = {} } = options;
  try {
    return new Deno.Command(program, {
      args: [...args],
      cwd: folder,
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return undefined;
    throw error;
  }
}

function killQuietly(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGTERM");
  } catch {
    // It has already ended.
  }
}

async function writeInput(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The program ended without reading; its exit code and standard error explain why.
  }
}

async function readLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLine: (line: string) => void,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let rest = "";
  const take = (line: string): void => {
    lines.push(line);
    onLine(line);
  };
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + piece).split(/\r?\n/);
    rest = parts.pop() ?? "";
    parts.forEach(take);
  }
  if (rest !== "") take(rest);
  return lines;
}

/** The name by which notebooks ask for the Deno kernel. */
export const KERNEL = "deno";

/** Registers the Deno kernel inside the project, with the running Deno. */
export async function registerKernel(folder: string): Promise<Readonly<Record<string, string>>> {
  const parent = `${folder}/.jupyter/kernels/${KERNEL}`;
  const spec = {
    argv: [Deno.execPath(), "jupyter", "--quiet", "--kernel", "--conn", "{connection_file}"],
    "display_name": "Deno",
    language: "typescript",
    // Without colours, outputs are the same on every machine.
    env: { "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1" },
  };
  await Deno.mkdir(parent, { recursive: true });
  await Deno.writeTextFile(`${parent}/kernel.json`, JSON.stringify(spec, null, 2) + "\n");
  return jupyterVariables(folder);
}

function jupyterVariables(folder: string): Readonly<Record<string, string>> {
  const home = `${folder}/.jupyter`;
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
