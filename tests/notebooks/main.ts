import { plural } from "@/lib/base/mod.ts";
import { checkFormat, checkNotebook, checkTypes } from "./check_notebook.ts";
import { listNotebooks } from "@/lib/jupyter/lab.ts";
import { parseNotebook } from "@/lib/jupyter/notebook.ts";

const HELP = `Checks the form, the format and the types of the notebooks.

  deno task check-notebooks              all of them
  deno task check-notebooks -- 01 02     some, by number or name
`;

/** Prints the problems of notebooks; returns the exit code. */
async function main(wanted: readonly string[], folder: string): Promise<number> {
  if (wanted.includes("--help") || wanted.includes("-h")) {
    console.log(HELP);
    return 0;
  }
  const names = await listNotebooks(folder, wanted);
  const notebooks = await Promise.all(
    names.map(async (name) => parseNotebook(await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`))),
  );
  const format = await checkFormat(notebooks, folder);
  const types = await checkTypes(notebooks, folder);
  const problems = names.flatMap((name, at) =>
    [...checkNotebook(notebooks[at]!), ...format[at]!, ...types[at]!].map(({ cell, message }) =>
      `notebooks/${name}.ipynb${cell === 0 ? "" : ` cell ${cell}`}: ${message}`
    )
  );
  problems.forEach((problem) => console.error(problem));
  const count = problems.length;
  console.log(`Checked ${names.length} ${plural(names.length, "notebook")}: ${count} ${plural(count, "problem")}`);
  return count === 0 ? 0 : 1;
}

Deno.exit(await main(Deno.args.filter((argument) => argument !== "--"), Deno.cwd()));
