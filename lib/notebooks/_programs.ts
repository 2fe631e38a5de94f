/** Options for {@linkcode runProgram}. */
export interface ProgramOptions {
  /** Arguments, in order. */
  readonly args: readonly string[];
  /** Folder to run in. */
  readonly folder: string;
  /** Variables set on top of this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text given on standard input. */
  readonly input?: string;
  /** Told of each line of output as it is printed. */
  readonly onLine?: (line: string, from: "stdout" | "stderr") => void;
  /** Ends the program when it fires. */
  readonly signal?: AbortSignal;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Exit code; 0 is success, 127 says that there is no such program. */
  readonly code: number;
  /** The lines of standard output. */
  readonly stdout: readonly string[];
  /** The lines of standard error. */
  readonly stderr: readonly string[];
}

/**
 * Runs a program to its end, telling each line as it comes.
 *
 * A polite kill of this process is passed on, so that a kernel is never left behind.
 *
 * @throws {Deno.errors.Interrupted} If this process was asked to stop meanwhile.
 */
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
    const told = (from: "stdout" | "stderr") => (line: string): void => options.onLine?.(line, from);
    const writing = writeInput(child, options.input ?? "");
    const [stdout, stderr] = await Promise.all([
      readLines(child.stdout, told("stdout")),
      readLines(child.stderr, told("stderr")),
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
