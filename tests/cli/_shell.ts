import { type CommandEntry, COMMANDS } from "@/lib/cli/commands.ts";
import { fathom } from "@/lib/cli/main.ts";
import { CERTIFICATES_FOLDER } from "@/lib/certify/design.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

/** What a command left behind. */
export interface Outcome {
  readonly code: number;
  /** What it wrote to stdout, and the lines that it wrote to stderr. */
  readonly out: string;
  readonly err: readonly string[];
}

/** Runs the command line in this process. */
export function shell(...args: readonly string[]): Promise<Outcome> {
  return shellOf(COMMANDS, ...args);
}

/** Runs a command line that has other commands, in this process. */
export async function shellOf(commands: readonly CommandEntry[], ...args: readonly string[]): Promise<Outcome> {
  let out = "";
  const err: string[] = [];
  const code = await fathom(args, {
    write: (text) => Promise.resolve(void (out += text)),
    print: (text) => void (out += text),
    note: (line) => void err.push(line),
    redraw: () => {},
  }, { commands });
  return { code, out, err };
}

/** Starts the command line in a process of its own. */
export function spawn(
  args: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
  file = "lib/cli/main.ts",
): Deno.ChildProcess {
  const main = new URL(`../../${file}`, import.meta.url).pathname;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", config, main, ...args],
    ...(cwd === undefined ? {} : { cwd }),
    env: { NO_COLOR: "1", ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs the command line in a process of its own. */
export async function process(args: readonly string[], cwd?: string): Promise<Outcome> {
  const { code, stdout, stderr } = await spawn(args, cwd).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr).split("\n").filter((line) => line !== "") };
}

/** Runs a test with the name of a run, and the folder of its figures; the run is removed afterwards. */
export async function withRunName(use: (name: string, figures: string) => Promise<void>): Promise<void> {
  const name = `test-${crypto.randomUUID()}`;
  const figures = new URL(`../../results/runs/${name}/figures`, import.meta.url).pathname;
  try {
    await use(name, figures);
  } finally {
    await Deno.remove(`${RUNS_FOLDER}/${name}`, { recursive: true }).catch(() => {});
  }
}

/** Runs a test with the names of some certificates, whose folders are removed afterwards. */
export async function withCertificates(
  count: number,
  use: (...names: readonly string[]) => Promise<void>,
): Promise<void> {
  const names = Array.from({ length: count }, () => `test-${crypto.randomUUID()}`);
  try {
    await use(...names);
  } finally {
    for (const name of names) await Deno.remove(`${CERTIFICATES_FOLDER}/${name}`, { recursive: true }).catch(() => {});
  }
}
