import { CommanderError } from "commander";

/** The exit code of a wrong flag, name, file or value. */
export const WRONG_INPUT = 2;
/** The exit code of everything else that went wrong. */
export const WENT_WRONG = 1;

/** Where a command writes; tests pass their own. */
export interface Output {
  /** Writes results; resolves when they are out, so that a slow pipe slows the work. */
  write(text: string): Promise<void>;
  /** Writes help, at once. */
  print(text: string): void;
  /** Tells the person at the shell something that is not a result. */
  tell(line: string): void;
  /** Writes progress as it is, control characters included. */
  draw(text: string): void;
}

/**
 * Runs a command and turns what it throws into one line and an exit code.
 *
 * A person never sees a stack trace: what was wrong, what was wanted, and nothing else. With `FATHOM_DEBUG` set, the trace of
 * an error that is not the user's follows.
 */
export async function guard(command: () => Promise<void>, output: Output): Promise<number> {
  try {
    await command();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_INPUT;
    // A reader that has seen enough (`| head`) closes the pipe; that is no fault.
    if (error instanceof Deno.errors.BrokenPipe) return 0;
    output.tell(`fathom: ${oneLine(error)}`);
    if (isWrongInput(error)) return WRONG_INPUT;
    if (Deno.env.get("FATHOM_DEBUG") && error instanceof Error) output.tell(error.stack ?? "");
    return WENT_WRONG;
  }
}

function isWrongInput(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError ||
    error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable;
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, " ").trim();
}
