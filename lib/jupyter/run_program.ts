import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { formatNotebook, type JsonObject, type Notebook } from "./notebook.ts";

interface ProgramOptions {
  readonly args: readonly string[];
  readonly folder: string;
  /** Environment variables in addition to this process's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly onLine?: (line: string, from: "stdout" | "stderr") => void;
}

/** The end of a program; its code is 127 if there is no such program. */
interface ProgramEnd {
  readonly code: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Runs a program to its end. SIGTERM and SIGINT end the program too, so that no kernel keeps running. */
export async function runProgram(program: string, options: ProgramOptions): Promise<ProgramEnd> {
  const { args, folder, env = {}, input = "", onLine = () => {} } = options;
  const stopping = new AbortController();
  const interrupt = (): void => stopping.abort();
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args: [...args],
      cwd: folder,
      env: { ...env },
      signal: stopping.signal,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) throw error;
    return { code: 127, stdout: [], stderr: [`no such program: ${program}`] };
  }
  Deno.addSignalListener("SIGTERM", interrupt);
  Deno.addSignalListener("SIGINT", interrupt);
  try {
    // A program may end without reading its input; its exit code and standard error explain why.
    const writing = new Blob([input]).stream().pipeTo(child.stdin).catch(() => {});
    const [stdout, stderr] = await Promise.all([
      readLines(child.stdout, (line) => onLine(line, "stdout")),
      readLines(child.stderr, (line) => onLine(line, "stderr")),
      writing,
    ]);
    const { code } = await child.status;
    if (stopping.signal.aborted) throw new Deno.errors.Interrupted("Stopped");
    return { code, stdout, stderr };
  } finally {
    Deno.removeSignalListener("SIGTERM", interrupt);
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}

/** Returns the last line with text that a program wrote to standard error, or its exit code. */
export function lastWords({ code, stderr }: ProgramEnd): string {
  return stderr.findLast((line) => line.trim() !== "")?.trim() ?? `exit code ${code}`;
}

async function readLines(
  stream: AsyncIterable<Uint8Array>,
  onLine: (line: string) => void,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: Readable.from(stream) })) {
    lines.push(line);
    onLine(line);
  }
  return lines;
}

/** Begins each event of run_notebook.py. */
const RECORD = "\x1e";

/** Runs run_notebook.py on a notebook and handles its events, one JSON object per line. */
export async function runScript(
  { python, env }: { readonly python: string; readonly env: Readonly<Record<string, string>> },
  { notebook, ...settings }: { readonly action: string; readonly folder: string; readonly notebook: Notebook },
  onEvent: (event: JsonObject) => void,
): Promise<void> {
  let trouble: string | undefined;
  const end = await runProgram(python, {
    args: ["-W", "ignore", `${import.meta.dirname}/run_notebook.py`],
    folder: settings.folder,
    env,
    input: JSON.stringify({ ...settings, notebook: JSON.parse(formatNotebook(notebook)) }),
    onLine: (line, from) => {
      const start = line.indexOf(RECORD);
      if (from !== "stdout" || start < 0) return;
      const event: JsonObject = JSON.parse(line.slice(start + 1));
      if (event["event"] === "trouble") trouble = String(event["message"]).split("\n")[0];
      else onEvent(event);
    },
  });
  if (end.code === 0) return;
  throw new Error(
    `Cannot ${settings.action} the notebook as Jupyter must run it: current value is "${trouble ?? lastWords(end)}"`,
  );
}
