import { CommanderError } from "commander";
import { type Look, painted, PLAIN_LOOK, readLook } from "./look.ts";
import { nearestName } from "./nearest_name.ts";
import type { Table } from "@/lib/figures/mod.ts";

/** Where a command writes; tests pass their own. */
export interface Output {
  /** Writes results; resolves when they are out, so that a slow pipe slows the work. */
  write(text: string): Promise<void>;
  /** Writes results that are encoded already, in UTF-8; without it they are decoded. */
  writeBytes?(bytes: Uint8Array): Promise<void>;
  /** Writes help, at once. */
  print(text: string): void;
  /** Writes a note, to standard error. */
  note(line: string): void;
  /** Writes progress, which can redraw its line. */
  redraw(text: string): void;
  /** How results and notes look where they go; plain by default. */
  readonly look?: Look;
}

const encoder = new TextEncoder();

/**
 * This process's own standard output and standard error.
 *
 * What names, replies and servers say is never a command to a terminal: control characters and marks that turn the direction of
 * text are written out, but for the colours of {@linkcode painted}. Where results go to a file or a pipe they are data, and
 * stay as they are.
 */
export const STANDARD_OUTPUT: Output = {
  write: (text) => writeOut(encoder.encode(Deno.stdout.isTerminal() ? harmless(text) : text)),
  writeBytes: (bytes) =>
    writeOut(Deno.stdout.isTerminal() ? encoder.encode(harmless(new TextDecoder().decode(bytes))) : bytes),
  print: (text) => void Deno.stdout.writeSync(encoder.encode(harmless(text))),
  note: (line) => tell(`${harmless(line)}\n`),
  redraw: (text) => tell(harmless(text, { redraws: true })),
};

async function writeOut(bytes: Uint8Array): Promise<void> {
  for (let left = bytes; left.length > 0;) left = left.subarray(await Deno.stdout.write(left));
}

/** Colours, what redraws a line, and whatever else could change what a terminal shows. */
const CONTROLS =
  // deno-lint-ignore no-control-regex -- they are what is looked for
  /(?<colour>\x1b\[(?:[0-2]|22|3\d)m)|(?<redraw>\r(?!\n)|\x1b(?=\[2?K))|(?<lines>\r\n|[\n\t])|[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Writes out what could change what a terminal shows, such as `\u{1b}`; colours and line breaks stay. */
export function harmless(text: string, { redraws = false }: { readonly redraws?: boolean } = {}): string {
  return text.replaceAll(CONTROLS, (found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<"colour" | "redraw" | "lines", string | undefined>>;
    const stays = groups.colour ?? groups.lines ?? (redraws ? groups.redraw : undefined);
    return stays ?? Array.from(found, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join("");
  });
}

/** Writes to standard error, for as long as somebody reads it: a run does not end because its progress is no longer read. */
function tell(text: string): void {
  try {
    Deno.stderr.writeSync(encoder.encode(text));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** This process's own output, as its terminal shows it; with `isPlain`, without colours. */
export function terminalOutput({ isPlain }: { readonly isPlain: boolean }): Output {
  const look = readLook();
  return { ...STANDARD_OUTPUT, look: isPlain ? { ...PLAIN_LOOK, columns: look.columns } : look };
}

/** Writes tables: for a terminal as wide as it is, in its colours, else as they are. */
export async function writeTables(tables: readonly Table[], output: Output): Promise<void> {
  await output.write(harmless(tables.map((table) => tableText(table, output)).join("\n")));
}

function tableText(table: Table, { look = PLAIN_LOOK }: Output): string {
  if (look.columns === undefined) return table.text;
  return table.fit({ columns: look.columns, ...(look.colours ? { paint: painted } : {}) });
}

/** The exit code for a wrong flag, name, file or value. */
const WRONG_INPUT = 2;
/** The exit code for every other error. */
const WENT_WRONG = 1;

/** An error that ends with an exit code of its own. */
export class CommandFailure extends Error {
  /** The exit code. */
  readonly code: number;

  constructor(message: string, code: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Runs a command and turns what it throws into one line and an exit code.
 *
 * `FATHOM_DEBUG` adds the stack trace of an error that is not the user's.
 */
export async function guard(command: () => Promise<void>, output: Output): Promise<number> {
  try {
    await command();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_INPUT;
    // A reader that has seen enough (`| head`) closes the pipe; that is no error.
    if (error instanceof Deno.errors.BrokenPipe) return 0;
    noteError(oneLine(error), output);
    if (error instanceof CommandFailure) return error.code;
    if (isWrongInput(error)) return WRONG_INPUT;
    if (Deno.env.get("FATHOM_DEBUG") && error instanceof Error) output.note(error.stack ?? "");
    return WENT_WRONG;
  }
}

/** Notes an error, and the name that was probably meant where a wrong one was given. */
export function noteError(message: string, output: Output): void {
  const near = nearestName(message);
  const begin = output.look?.noteColours ? painted("error", "fathom:") : "fathom:";
  output.note(`${begin} ${message}${near === undefined ? "" : `; did you mean ${near}?`}`);
}

/** Whether an error is of a wrong flag, name, file or value. */
export function isWrongInput(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError ||
    error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable;
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, " ").trim();
}
