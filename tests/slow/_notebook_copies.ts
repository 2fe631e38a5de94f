import { equal } from "node:assert/strict";
import { cwd } from "node:process";
import { findReady } from "../e2e/_project.ts";
import { listFiles } from "../house/_source.ts";
import { type Notebook, parseNotebook } from "@/lib/jupyter/notebook.ts";
import { type Parameters, parametersName } from "@/lib/jupyter/parameters.ts";
import { reproduceNotebook } from "@/lib/jupyter/reproduce.ts";

const jupyter = await findReady("run");

/** What a test of notebooks lacks, for its name. */
export const missing = { "Jupyter is not set up; deno task setup does it": jupyter === undefined };

/** The committed notebooks by name. */
export const notebooks: readonly (readonly [name: string, notebook: Notebook])[] = listFiles("notebooks")
  .filter((path) => path.endsWith(".ipynb"))
  .map((path) => [path.slice("notebooks/".length, -".ipynb".length), parseNotebook(Deno.readTextFileSync(path))]);

/** Runs a notebook with parameters, of which there must be some, so that the committed one stays as it is. */
export async function runCopy(name: string, parameters: Parameters): Promise<Notebook> {
  const { failure } = await reproduceNotebook(name, { folder: cwd(), jupyter: jupyter!, parameters });
  equal(failure, undefined);
  return parseNotebook(await Deno.readTextFile(`results/reports/${name}.${parametersName(parameters)}.ipynb`));
}
