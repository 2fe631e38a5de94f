import { runProgram } from "./_programs.ts";

/** What a notebook needs of Jupyter: to be run and exported, or to be opened in JupyterLab as well. */
export type JupyterNeed = "run" | "lab";

/** A Python and the Jupyter parts it can import. */
export interface Python {
  /** How to start it: a path, or a name on the PATH. */
  readonly program: string;
  /** Its version, as major and minor number. */
  readonly version: readonly [number, number];
  /** Versions of `nbclient`, `nbconvert` and `jupyterlab`, for those that import. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Oldest versions that were seen to work. */
export const LEAST_PARTS = { nbclient: [0, 7], nbconvert: [6, 5], jupyterlab: [4, 0] } as const;

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

/**
 * Asks a Python for its version and its Jupyter parts.
 *
 * @param program A path, or a name on the PATH.
 * @returns What it is, or `undefined` where there is no such Python 3.
 */
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

/**
 * Says whether a Python carries Jupyter parts new enough for a need.
 *
 * @param python What {@linkcode probePython} found.
 * @param need What Jupyter is needed for.
 * @returns Whether it can serve as it is.
 *
 * @example nbconvert 6.5 and nbclient 0.7 run notebooks
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const parts = { nbclient: "0.7.2", nbconvert: "6.5.3" };
 * const python = { program: "python3", version: [3, 11], parts } as const;
 * equal(canServe(python, "run"), true);
 * equal(canServe(python, "lab"), false);
 * ```
 */
export function canServe(python: Python, need: JupyterNeed): boolean {
  const wanted = need === "run" ? ["nbclient", "nbconvert"] as const : ["nbclient", "nbconvert", "jupyterlab"] as const;
  return wanted.every((name) => isAtLeast(python.parts[name], LEAST_PARTS[name]));
}

function isAtLeast(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const [hasMajor = -1, hasMinor = 0] = (version ?? "").split(".").map((part) => Number.parseInt(part));
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}

/**
 * Looks for a Jupyter on the PATH that can serve as it is: that of `python3` or `python`, or the one behind the `jupyter`
 * command, whose Python its first line names.
 *
 * @param need What Jupyter is needed for.
 * @param path The PATH: folders parted by colons.
 * @returns The first Python that can serve, or `undefined`.
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
