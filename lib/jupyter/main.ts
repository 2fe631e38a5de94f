import { parseArgs } from "node:util";
import { checkFormat, checkNotebook, checkTypes } from "./check_notebook.ts";
import type { JupyterNeed } from "./find_jupyter.ts";
import { listNotebooks, openLab } from "./lab.ts";
import { parseNotebook } from "./notebook.ts";
import { progressLine } from "./progress.ts";
import { writeReport } from "./report.ts";
import { reproduceCommand } from "./reproduce_command.ts";
import { type Jupyter, setUpJupyter } from "./set_up_jupyter.ts";

const CHECK_HELP = `Checks the form, the format and the types of the notebooks.

  deno task check-notebooks              all of them
  deno task check-notebooks -- 01 02     some, by number or name
`;

/** The command `check`. */
async function checkCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags, rest } = readArguments(args, { help: "flag" });
  if (flags.includes("help")) {
    console.log(CHECK_HELP);
    return 0;
  }
  const names = await listNotebooks(folder, rest);
  let count = 0;
  for (const name of names) {
    const notebook = parseNotebook(await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`));
    const format = await checkFormat(notebook, folder);
    const problems = [...checkNotebook(notebook), ...format, ...await checkTypes(notebook, folder)];
    count += problems.length;
    for (const { cell, message } of problems) {
      console.error(`notebooks/${name}.ipynb${cell === 0 ? "" : ` cell ${cell}`}: ${message}`);
    }
  }
  console.log(
    `Checked ${names.length} ${names.length === 1 ? "notebook" : "notebooks"}: ${count} ${
      count === 1 ? "problem" : "problems"
    }`,
  );
  return count === 0 ? 0 : 1;
}

const LAB_HELP = `Opens the notebooks in JupyterLab, with the Deno kernel of this project.

  deno task lab                                   opens a browser too
  deno task lab -- --no-browser --port=8890       further arguments go to JupyterLab

Ctrl-C stops it. No news and no updates are asked for; everything it keeps goes to .jupyter/ of this project.
`;

/** The command `lab`. */
async function labCommand(args: readonly string[], folder: string): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(LAB_HELP);
    return 0;
  }
  const jupyter = await prepare("lab", folder, openScreen());
  const onReady = (address: string): void => console.log(`JupyterLab: ${address}\nCtrl-C stops it.`);
  return await openLab({ folder, jupyter, args, onReady });
}

const REPORT_HELP = `Exports notebooks as they stand, without running them, as pages in results/reports/.

  deno task report              all of them
  deno task report -- 01 02     some, by number or name

Each page is one file: it holds its figures, runs no script and asks no network.
`;

/** The command `report`. */
async function reportCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags, rest } = readArguments(args, { help: "flag" });
  if (flags.includes("help")) {
    console.log(REPORT_HELP);
    return 0;
  }
  const names = await listNotebooks(folder, rest);
  const screen = openScreen();
  const jupyter = await prepare("run", folder, screen);
  for (const name of names) {
    const report = `results/reports/${name}.html`;
    const notebook = parseNotebook(await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`));
    await writeReport(notebook, { folder, jupyter, name, report });
    console.log(report);
  }
  return 0;
}

const SETUP_HELP = `Sets up Jupyter for the notebooks; the other commands do so by themselves.

  deno task setup

A Jupyter on the PATH (nbclient 0.7 and nbconvert 6.5, or newer) is used as it is. Otherwise the versions pinned in
lib/jupyter/requirements.txt go into .venv/ of this project. The Deno kernel is registered in .jupyter/ of this
project. Nothing is written outside the project.
`;

/** The command \`setup\`. */
async function setupCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags } = readArguments(args, { help: "flag" });
  if (flags.includes("help")) {
    console.log(SETUP_HELP);
    return 0;
  }
  const jupyter = await prepare("run", folder, openScreen());
  console.log(
    `Jupyter is ready: ${jupyter.python} (${jupyter.origin === "PATH" ? "on the PATH, as it is" : "in .venv"})`,
  );
  return 0;
}

/** Sets up Jupyter, showing progress where something is to be installed. */
export function prepare(need: JupyterNeed, folder: string, screen: Screen): Promise<Jupyter> {
  const path = Deno.env.get("PATH") ?? "";
  return setUpJupyter(need, { folder, path, onProgress: (progress) => screen.show(progressLine(progress)) });
}

const COMMANDS: Readonly<Record<string, (args: readonly string[], folder: string) => Promise<number>>> = {
  check: checkCommand,
  lab: labCommand,
  report: reportCommand,
  reproduce: reproduceCommand,
  setup: setupCommand,
};

async function main([name = "", ...rest]: readonly string[]): Promise<number> {
  const folder = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  // A task hands over the "--" that parts its own arguments from ours.
  const args = rest[0] === "--" ? rest.slice(1) : rest;
  try {
    const command = COMMANDS[name];
    if (command === undefined) {
      const names = Object.keys(COMMANDS).join(", ");
      throw new RangeError(`Cannot choose a command as it must be one of ${names}: current value is "${name}"`);
    }
    return await command(args, decodeURIComponent(folder));
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof Deno.errors.Interrupted) {
    console.error("Stopped");
    return 130;
  }
  if (!(error instanceof Error) || !error.message.startsWith("Cannot ")) throw error;
  console.error(error.message);
  return [RangeError, SyntaxError, TypeError].some((kind) => error instanceof kind) ? 2 : 1;
}

/** Which options a command takes: each a text, a list of texts, or a mark that it is there. */
type OptionKinds = Readonly<Record<string, "text" | "list" | "flag">>;

/** Arguments as a command line gave them. */
interface Arguments {
  /** Texts, by option. */
  readonly texts: Readonly<Record<string, string>>;
  /** Lists, by option; commas part the items too. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Flags that are there. */
  readonly flags: readonly string[];
  /** What belongs to no option. */
  readonly rest: readonly string[];
}

/**
 * Reads the arguments of a command.
 *
 * @throws {TypeError} If an option is unknown or lacks its value.
 */
export function readArguments(args: readonly string[], kinds: OptionKinds): Arguments {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, {
      type: kind === "flag" ? "boolean" as const : "string" as const,
      multiple: kind === "list",
      ...(name === "help" ? { short: "h" } : {}),
    }]),
  );
  const { values, positionals } = parse(args, options);
  const given = Object.entries(values);
  return {
    texts: Object.fromEntries(given.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : [])),
    lists: Object.fromEntries(
      given.flatMap(([name, value]) => Array.isArray(value) ? [[name, value.map(String)]] : []),
    ),
    flags: given.flatMap(([name, value]) => value === true ? [name] : []),
    rest: positionals,
  };
}

function parse(
  args: readonly string[],
  options: Readonly<Record<string, { readonly type: "boolean" | "string"; readonly multiple: boolean }>>,
): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...args], options: { ...options }, allowPositionals: true, strict: true });
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`).join(", ");
    const why = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new TypeError(`Cannot read the arguments as they must be among ${names}: current value gives "${why}"`);
  }
}

/** Where progress is shown: one line redrawn on a terminal; elsewhere a line now and then. */
export interface Screen {
  /** Shows a progress line, in place of the one before. */
  readonly show: (line: string) => void;
  /** Prints a line that stays. */
  readonly print: (line: string) => void;
}

const QUIET_MS = 5000;

/** Opens the screen that progress is shown on: standard error, so that results may go to a pipe. */
export function openScreen(): Screen {
  return Deno.stderr.isTerminal() ? terminalScreen() : plainScreen();
}

function terminalScreen(): Screen {
  const columns = (): number => Deno.consoleSize().columns;
  return {
    show: (line) => write(`\r\x1b[2K${line.slice(0, columns() - 1)}`),
    print: (line) => write(`\r\x1b[2K${line}\n`),
  };
}

function plainScreen(): Screen {
  let shown = 0;
  return {
    show: (line) => {
      if (Date.now() - shown < QUIET_MS) return;
      shown = Date.now();
      write(`${line}\n`);
    },
    print: (line) => write(`${line}\n`),
  };
}

function write(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}

Deno.exit(await main(Deno.args));
