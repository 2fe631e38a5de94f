import { deepEqual, equal } from "node:assert/strict";
import { cwd } from "node:process";
import { findReady, named } from "../e2e/_project.ts";
import { isTagged, type Notebook, parseNotebook } from "@/lib/jupyter/notebook.ts";
import { parametersName, readBindings } from "@/lib/jupyter/parameters.ts";
import { reproduceNotebook } from "@/lib/jupyter/reproduce.ts";

// Each notebook as it is committed: its code makes the outputs that it shows.

const jupyter = await findReady("run");
const missing = { "Jupyter is not set up; deno task setup does it": jupyter === undefined };

/** The outputs of a notebook by the code of their cell. */
function outputsOf({ cells }: Notebook): readonly unknown[] {
  return cells.filter((cell) => cell.kind === "code" && !isTagged(cell, "injected-parameters"))
    .map(({ source, outputs }) => ({ source, outputs: outputs.map(({ execution_count: _, ...output }) => output) }));
}

for (const { name: file } of [...Deno.readDirSync("notebooks")].filter(({ name }) => name.endsWith(".ipynb"))) {
  const name = file.replace(".ipynb", "");
  Deno.test({
    name: named(`${name} has the outputs that its code makes`, missing),
    ignore: jupyter === undefined,
    async fn(): Promise<void> {
      const committed = parseNotebook(Deno.readTextFileSync(`notebooks/${file}`));
      const { source } = committed.cells.find((cell) => isTagged(cell, "parameters"))!;
      // Any parameter with its own value leaves the committed notebook alone.
      const [parameter, value] = readBindings(source)[0]!;
      const parameters = { [parameter]: JSON.parse(value) };
      const { failure } = await reproduceNotebook(name, { folder: cwd(), jupyter: jupyter!, parameters });
      equal(failure, undefined);
      const made = await Deno.readTextFile(`results/reports/${name}.${parametersName(parameters)}.ipynb`);
      deepEqual(outputsOf(parseNotebook(made)), outputsOf(committed));
    },
  });
}
