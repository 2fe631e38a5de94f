import { prepare } from "./_command_setup.ts";
import { readArguments } from "./_read_arguments.ts";
import { openScreen } from "./_screen.ts";
import { listNotebooks } from "./list_notebooks.ts";
import { parseNotebook } from "./parse_notebook.ts";
import { writeReport } from "./write_report.ts";

const HELP = `Exports notebooks as they stand, without running them, as pages in results/reports/.

  deno task report              all of them
  deno task report -- 01 02     some, by number or name

Each page is one file: it holds its figures, runs no script and asks no network.
`;

/** The command `report`. */
export async function reportCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags, rest } = readArguments(args, { help: "flag" });
  if (flags.includes("help")) {
    console.log(HELP);
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
