import { CommanderError } from "commander";
import { type Look, painted, PLAIN_LOOK, readLook } from "./look.ts";
import { nearestName } from "./nearest_name.ts";
import type { Table } from "@/lib/figures/mod.ts";

/** Where a command writes; tests pass their own. */
export interface Output {
  /** Writes results; resolves when they are out, so that a slow pipe slows the work. */
  write(text: string): Promise<void>;
  /** Writes help, at once. */
  print(text: string): void;
  /** Writes a note, to standard error. */
  note(line: string): void;
  /** Writes progress as it is, control characters included. */
  redraw(text: string): void;
  /** How results and notes look where they go; plain by default. */
  readonly look?: Look;
}

const encoder = new TextEncoder();

/** This process's own standard output and standard error. */
export const STANDARD_OUTPUT: Output = {
  async write(text): Promise<void> {
    let bytes = encoder.encode(text);
    while (bytes.length > 0) bytes = bytes.subarray(await Deno.stdout.write(bytes));
  },
  print: (text) => void Deno.stdout.writeSync(encoder.encode(text)),
  note: (line) => void Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
  redraw: (text) => void Deno.stderr.writeSync(encoder.encode(text)),
};

/** This process's own output, as its terminal shows it; with `isPlain`, without colours. */
export function terminalOutput({ isPlain }: { readonly isPlain: boolean }): Output {
  const look = readLook();
  return { ...STANDARD_OUTPUT, look: isPlain ? { ...PLAIN_LOOK, columns: look.columns } : look };
}

/** Writes tables: for a terminal as wide as it is, in its colours, else as they are. */
export async function writeTables(tables: readonly Table[], output: Output): Promise<void> {
  await output.write(tables.map((table) => tableText(table, output)).join("\n"));
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
