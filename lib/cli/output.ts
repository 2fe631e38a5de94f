import { CommanderError } from "commander";
import process from "node:process";
import { painted, PLAIN_STYLE, readTerminalStyle, type TerminalStyle, variable } from "./terminal_style.ts";
import { valueFirst } from "./wrong_names.ts";
import { explainFileError } from "@/lib/base/mod.ts";
import type { Table } from "@/lib/figures/mod.ts";

/** The destination of a command's output; tests pass their own. */
export interface Output {
  /** Writes results. Resolves when they are written, so that a slow pipe slows the work. */
  write(text: string): Promise<void>;
  /** Writes results in UTF-8; by default they are decoded and passed to `write`. */
  writeBytes?(bytes: Uint8Array): Promise<void>;
  print(text: string): void;
  /** Writes a note to standard error. */
  note(line: string): void;
  /** Writes progress, which can redraw its line. */
  redraw(text: string): void;
  readonly style?: TerminalStyle;
}

/**
 * This process's standard output and standard error.
 *
 * On a terminal, control characters and bidirectional marks in names, replies and server errors are escaped, except the colours of
 * {@linkcode painted}. Files and pipes get results unchanged.
 */
export const STANDARD_OUTPUT: Output = {
  write: (text) => writeOut(process.stdout.isTTY ? harmless(text) : text),
  writeBytes: (bytes) => writeOut(process.stdout.isTTY ? harmless(new TextDecoder().decode(bytes)) : bytes),
  print: (text) => void process.stdout.write(harmless(text)),
  // A name or a message with line breaks must not add lines that look like Fathom's own; an empty line before a note is one.
  note: (line) => void process.stderr.write(`${harmless(line).replaceAll(/(?!^)\r?\n/g, "\\n")}\n`),
  redraw: (text) => void process.stderr.write(harmless(text, { redraws: true })),
};

function writeOut(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => error ? reject(error) : resolve());
  });
}

/** Colours, line redraws, line breaks, and everything else that could change what a terminal shows. */
const CONTROLS =
  // deno-lint-ignore no-control-regex -- they are searched for
  /(?<colour>\x1b\[(?:[0-2]|22|3\d)m)|(?<redraw>\r(?!\n)|\x1b(?=\[2?K))|(?<lines>\r\n|[\n\t])|[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** What GitHub's runners take for a command in the log of a job: `::error::` at the start of a line, `##[group]` anywhere. */
const COMMANDS = /(?<=^\s*:):|(?<=##)\[/gmu;

/** Escapes what could change what a terminal shows, such as `\u{1b}`, or command a job; keeps colours and line breaks. */
export function harmless(text: string, { redraws = false }: { readonly redraws?: boolean } = {}): string {
  const inert = text.replaceAll(COMMANDS, (found) => `\\u{${found.charCodeAt(0).toString(16)}}`);
  return inert.replaceAll(CONTROLS, (found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<"colour" | "redraw" | "lines", string | undefined>>;
    const kept = groups.colour ?? groups.lines ?? (redraws ? groups.redraw : undefined);
    return kept ?? Array.from(found, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join("");
  });
}

/** Returns this process's output in the style of its terminal; with `isPlain`, without colours. */
export function terminalOutput({ isPlain }: { readonly isPlain: boolean }): Output {
  const style = readTerminalStyle();
  return { ...STANDARD_OUTPUT, style: isPlain ? { ...PLAIN_STYLE, columns: style.columns } : style };
}

export async function writeTables(tables: readonly Table[], output: Output): Promise<void> {
  const { columns, colours } = output.style ?? PLAIN_STYLE;
  const texts = tables.map((table) =>
    columns === undefined ? table.text : table.fit({ columns, ...(colours ? { paint: painted } : {}) })
  );
  await output.write(harmless(texts.join("\n")));
}

/** Exit codes: a wrong flag, name, file or value; any other error. */
const WRONG_INPUT = 2;
const WENT_WRONG = 1;

/** An error with its own exit code. */
export class CommandFailure extends Error {
  constructor(message: string, readonly code: number, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Runs a command; an error becomes one line and an exit code. `FATHOM_DEBUG` adds the stack of an unexpected error. */
export async function guard(command: () => Promise<void>, output: Output): Promise<number> {
  try {
    await command();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_INPUT;
    // A reader that stops early (`| head`) closes the pipe.
    if ((error as { readonly code?: string } | null)?.code === "EPIPE") return 0;
    const message = plainMessage(error);
    noteError(message.replaceAll(/\s*\n\s*/g, " ").trim(), output);
    if (error instanceof CommandFailure) return error.code;
    if (isWrongInput(error)) return WRONG_INPUT;
    if (variable("FATHOM_DEBUG") && error instanceof Error) noteStack(error, output);
    return WENT_WRONG;
  }
}

/** Returns the message of an error; those of the system and of the engine are put into words. */
export function plainMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, path, dest = path } = error as Error & { readonly [N in "syscall" | "path" | "dest"]?: string };
  if (error.message === "Maximum call stack size exceeded") {
    return "Cannot read the input as its nesting must be within bounds: current value is nested too deeply";
  }
  // Deno's own errors name no call, and only some a file.
  const isBare = syscall === undefined && /\(os error \d+\)$/.test(error.message);
  if ((syscall === undefined && !isBare) || error.message.startsWith("Cannot ")) return error.message;
  const reason = explainFileError(error);
  if (isBare && reason === error.message) return reason;
  const file = dest === undefined ? "a file" : `"${dest.slice(0, 200)}"`;
  return `Cannot ${syscall ?? "write"} ${file} as the system must permit it: ${reason}`;
}

export function noteStack({ stack = "" }: Error, output: Output): void {
  for (const line of stack.split("\n")) output.note(line);
}

/** Notes an error, the wrong value first where it refuses a name. */
export function noteError(message: string, output: Output): void {
  const begin = output.style?.noteColours ? painted("error", "fathom:") : "fathom:";
  output.note(`${begin} ${valueFirst(message)}`);
}

/** Whether an error is about a wrong flag, name, file or value. */
export function isWrongInput(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { readonly name?: string; readonly code?: string };
  return error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError ||
    name === "NotCapable" || code === "ENOENT";
}
