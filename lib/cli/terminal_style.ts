import process from "node:process";
import { styleText } from "node:util";
import type { TextRole } from "@/lib/figures/mod.ts";

/** Returns a variable of the environment; `undefined` also if Deno's permissions do not include it. */
export function variable(name: string): string | undefined {
  try {
    return process.env[name];
  } catch {
    return undefined;
  }
}

/** Width and colours of the terminal that shows the output. */
export interface TerminalStyle {
  /** Width of standard output in characters; `undefined` if it is not a terminal. */
  readonly columns: number | undefined;
  readonly colours: boolean;
  readonly noteColours: boolean;
}

/** The style of files and pipes. */
export const PLAIN_STYLE: TerminalStyle = { columns: undefined, colours: false, noteColours: false };

/** Returns the style of this process: terminals have colours, unless NO_COLOR or a dumb terminal prevents it. */
export function readTerminalStyle(): TerminalStyle {
  const canColour = !variable("NO_COLOR") && variable("TERM") !== "dumb";
  const { isTTY: isTerminal = false, columns } = process.stdout;
  return {
    columns: isTerminal ? columns : undefined,
    colours: canColour && isTerminal,
    noteColours: canColour && process.stderr.isTTY === true,
  };
}

/** The role of a text in a table, in the help or in a note. */
export type Role = TextRole | "command" | "error";

/** Styles of the 16 basic colours, which terminals adapt to dark and light backgrounds. */
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

export function painted(role: Role, text: string): string {
  return text === "" ? text : styleText(STYLES[role], text, { validateStream: false });
}
