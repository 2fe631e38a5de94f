/** What Jupyter is needed for: to run and export notebooks, or also to open JupyterLab. */
export type JupyterNeed = "run" | "lab";

/** A Python and the Jupyter parts it can import. */
export interface Python {
  /** How to start it: a path, or a name on the PATH. */
  readonly program: string;
  /** Major and minor number. */
  readonly version: readonly [number, number];
  /** Versions of `nbclient`, `nbconvert` and `jupyterlab`, for those that import. */
  readonly parts: Readonly<Record<string, string>>;
}

/** The oldest versions known to work. */
const LEAST_PARTS = { nbclient: [0, 7], nbconvert: [6, 5], jupyterlab: [4, 0] } as const;

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

/** Finds the version and the Jupyter packages of a Python; `undefined` where there is no such Python 3. */
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

/** Whether a Python has Jupyter packages new enough for a purpose. */
export function canServe(python: Python, need: JupyterNeed): boolean {
  const wanted = need === "run" ? ["nbclient", "nbconvert"] as const : ["nbclient", "nbconvert", "jupyterlab"] as const;
  return wanted.every((name) => isAtLeast(python.parts[name], LEAST_PARTS[name]));
}

function isAtLeast(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const [hasMajor = -1, hasMinor = 0] = (version ?? "").split(".").map((part) => Number.parseInt(part));
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}

/**
 * Finds the first sufficient Jupyter on the PATH: that of `python3` or `python`, or the one behind the `jupyter` command, whose
 * Python its first line names.
 */
export async function findJupyter(need: JupyterNeed, path: string): Promise<Python | undefined> {
  const commands = await Promise.all(path.split(":").map((folder) => interpreterOf(`${folder}/jupyter`)));
  const candidates = ["python3", "python", ...commands.filter((command) => command !== undefined)];
  for (const candidate of new Set(candidates)) {
    const python = await probePython(candidate);
    if (python !== undefined && canServe(python, need)) return python;
  }
  return undefined;
}

// A script opens with #!/path/python or, where that path is long, with '''exec' "/path/python".
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
  /** Variables added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text given on standard input. */
  readonly input?: string;
  /** Called with each line of output as it is printed. */
  readonly onLine?: (line: string, from: "stdout" | "stderr") => void;
  readonly signal?: AbortSignal;
}

interface ProgramEnd {
  /** 127 where there is no such program. */
  readonly code: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Runs a program to its end, passing on each line as it comes, and SIGTERM, so that no kernel is left behind. */
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
    // It has ended by itself.
  }
}

async function writeInput(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The program ended without reading; its exit code and standard error say why.
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

/** Registers the Deno kernel inside the project, started by the Deno that runs now. */
export async function registerKernel(folder: string): Promise<Readonly<Record<string, string>>> {
  const parent = `${folder}/.jupyter/kernels/${KERNEL}`;
  const spec = {
    argv: [Deno.execPath(), "jupyter", "--quiet", "--kernel", "--conn", "{connection_file}"],
    "display_name": "Deno",
    language: "typescript",
    // Without colours, output is the same text on every machine.
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
