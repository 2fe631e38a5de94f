import { styleText } from "node:util";
import type { TextRole } from "@/lib/figures/mod.ts";

/** How output looks where it goes; nothing of this where a file or a pipe takes it. */
export interface Look {
  /** How wide the terminal is that shows results, in characters; `undefined` where none does. */
  readonly columns: number | undefined;
  /** Whether results are coloured. */
  readonly colours: boolean;
  /** Whether notes and errors are coloured. */
  readonly noteColours: boolean;
}

/** The look of files and pipes. */
export const PLAIN_LOOK: Look = { columns: undefined, colours: false, noteColours: false };

/** The look of this process's own output: a terminal has colours, unless NO_COLOR or a terminal without any says otherwise. */
export function readLook(): Look {
  const canColour = !Deno.noColor && readTerm() !== "dumb";
  const isTerminal = Deno.stdout.isTerminal();
  return {
    columns: isTerminal ? Deno.consoleSize().columns : undefined,
    colours: canColour && isTerminal,
    noteColours: canColour && Deno.stderr.isTerminal(),
  };
}

/** The kind of terminal; `undefined` where it is not to be known. */
function readTerm(): string | undefined {
  const mayRead = Deno.permissions.querySync({ name: "env", variable: "TERM" }).state === "granted";
  return mayRead ? Deno.env.get("TERM") : undefined;
}

/** What a piece of text is: of a table, of the help or of a note. */
export type Role = TextRole | "command" | "error";

/** Sixteen colours that every terminal has in its own shades, so that dark and light ones can be read. */
const STYLES: Readonly<Record<Role, Parameters<typeof styleText>[0]>> = {
  title: "bold",
  note: "dim",
  warning: "yellow",
  head: "bold",
  best: "bold",
  caption: "dim",
  good: "green",
  bad: "red",
  open: "yellow",
  command: "cyan",
  error: ["bold", "red"],
};

/** Colours a piece of text. */
export function painted(role: Role, text: string): string {
  return text === "" ? text : styleText(STYLES[role], text, { validateStream: false });
}
