import { readArguments } from "./_read_arguments.ts";
import { checkFormat } from "./check_format.ts";
import { checkNotebook } from "./check_notebook.ts";
import { checkTypes } from "./check_types.ts";
import { listNotebooks } from "./list_notebooks.ts";
import { parseNotebook } from "./parse_notebook.ts";

const HELP = `Checks the form, the format and the types of the notebooks.

  deno task check-notebooks              all of them
  deno task check-notebooks -- 01 02     some, by number or name
`;

/** The command `check`. */
export async function checkCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags, rest } = readArguments(args, { help: "flag" });
  if (flags.includes("help")) {
    console.log(HELP);
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
