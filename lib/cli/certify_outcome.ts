import type { Command } from "commander";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { writeLines } from "./files.ts";
import { CommandFailure, isWrongInput, noteStack, type Output, plainMessage, writeTables } from "./output.ts";
import { ModelNotAskable } from "@/lib/asking/mod.ts";
import {
  type Certificate,
  certificateFacts,
  certificateJunit,
  certificateMarkdown,
  certificatePage,
  CertificatePaused,
  certifiedCellTable,
  droppedCellTable,
  failureJunit,
  failureMarkdown,
  NotEnoughData,
} from "@/lib/certify/mod.ts";

/** Exit codes: worse than the margin; wrong use; no verdict, and the replies are kept; an error of Fathom itself. */
export const EXIT = { worse: 1, wrongUse: 2, undecided: 3, crashed: 70 } as const;

/** The flags by which the outcome of `fathom certify` is written. */
export interface OutcomeFlags {
  readonly json?: boolean | undefined;
  readonly junit?: string;
  readonly markdown?: string;
}

/** Prints a certificate and writes its files. */
export async function writeCertificate(
  certificate: Certificate,
  { flags, command, output, path, exitCode }: {
    readonly flags: OutcomeFlags;
    readonly command: string;
    readonly output: Output;
    readonly path: string | undefined;
    readonly exitCode: number;
  },
): Promise<void> {
  const markdown = certificateMarkdown(certificate, command);
  const junit = certificateJunit(certificate);
  const write = async (file: string, text: string): Promise<void> => {
    await writeLines([text], { path: file, output });
  };
  try {
    if (path !== undefined) {
      await write(`${path}/report.html`, await certificatePage(certificate, command));
      await write(`${path}/summary.md`, markdown);
      await write(`${path}/junit.xml`, junit);
    }
    writeForms({ markdown, junit }, flags);
  } catch (error) {
    // A loss that is found must not become a lack of data on a full disk.
    if (exitCode !== EXIT.worse) throw error;
    output.note(`The result cannot be written: ${plainMessage(error)}`);
  }
  if (flags.json) return await output.write(`${JSON.stringify({ ...certificate, exitCode })}\n`);
  if (certificate.earlier !== undefined) await output.write(`${certificate.earlier}\n\n`);
  const tables = [certifiedCellTable(certificate), droppedCellTable(certificate)].filter((each) => each !== null);
  await writeTables(tables, output);
  await output.write("\n");
  for (const [what, text] of certificateFacts(certificate)) await output.write(`${what.padEnd(12)}${text}\n`);
  for (const note of certificate.notes) output.note(note);
  if (path !== undefined) output.note(`${path}/report.html`);
}

function writeForms(
  { markdown, junit }: { readonly markdown: string; readonly junit: string },
  flags: OutcomeFlags,
): void {
  for (const [path, text] of [[flags.junit, junit], [flags.markdown, markdown]] as const) {
    if (path === undefined) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) appendFileSync(summary, `${markdown}\n`);
}

/** Writes the summary, JUnit XML and JSON of a command that ended without a certificate, and returns its error with the exit code. */
export function writeFailure(
  error: unknown,
  { flags, output, message = String((error as { readonly message?: unknown })?.message ?? error) }: {
    readonly flags: OutcomeFlags;
    readonly output: Output;
    readonly message?: string;
  },
): CommandFailure {
  const { verdict, exitCode } = classify(error);
  const headline = exitCode === EXIT.crashed ? `Fathom crashed: ${message}` : message;
  if (exitCode === EXIT.crashed && process.env["FATHOM_DEBUG"] && error instanceof Error) noteStack(error, output);
  try {
    writeForms({ markdown: failureMarkdown(verdict, headline), junit: failureJunit(verdict, headline) }, flags);
  } catch (error) {
    output.note(`The result cannot be written: ${(error as Error).message}`);
  }
  if (flags.json) output.print(`${JSON.stringify({ verdict, headline, exitCode })}\n`);
  return new CommandFailure(headline, exitCode, { cause: error });
}

/** An error in Fathom's own wording, or in Deno's of a permission that is missing. */
const WORDED = /^(?:[^\n]*?: )?Cannot .* must |^Stopped |^Requires \S+ access to /s;

function classify(error: unknown): { readonly verdict: string; readonly exitCode: number } {
  const { message = "", code } = (error ?? {}) as { readonly message?: string; readonly code?: unknown };
  if (error instanceof CommandFailure) return { verdict: "not enough data", exitCode: error.code };
  if (error instanceof NotEnoughData) return { verdict: "not enough data", exitCode: EXIT.undecided };
  if (error instanceof CertificatePaused || error instanceof ModelNotAskable) {
    return { verdict: "cannot ask", exitCode: EXIT.undecided };
  }
  const isExpected = WORDED.test(message) || typeof code === "string";
  if (!isExpected) return { verdict: "crashed", exitCode: EXIT.crashed };
  return isWrongInput(error)
    ? { verdict: "wrong use", exitCode: EXIT.wrongUse }
    : { verdict: "not enough data", exitCode: EXIT.undecided };
}

/** Writes the outcome of wrong flags too, which end a command before it begins. */
export function writeWrongFlags(command: Command, output: Output): void {
  command.exitOverride((error) => {
    if (error.exitCode !== 0) {
      writeFailure(new RangeError(`Cannot use the flags as they must be valid: ${error.message}`), {
        flags: command.opts(),
        output,
      });
    }
    throw error;
  });
}
