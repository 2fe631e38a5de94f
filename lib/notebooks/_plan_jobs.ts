import { declaredParameters, injectParameters, type Parameters } from "./parameters.ts";
import { parseNotebook } from "./parse_notebook.ts";

/** One notebook to run. */
export interface Job {
  /** Name of the notebook. */
  readonly name: string;
  /** Values for the parameters it declares; empty for a run as it is committed. */
  readonly parameters: Parameters;
}

/**
 * Plans which notebooks run with which parameters: each with those it declares, none without any.
 *
 * Values are tried on each notebook before any is run, so that a wrong one is told at once.
 *
 * @throws {RangeError} If no notebook declares one of the names.
 * @throws {TypeError} If a value is not of the kind declared.
 */
export async function planJobs(
  names: readonly string[],
  parameters: Parameters,
  folder: string,
): Promise<readonly Job[]> {
  if (Object.keys(parameters).length === 0) return names.map((name) => ({ name, parameters }));
  const jobs: Job[] = [];
  const known = new Set<string>();
  for (const name of names) {
    const notebook = parseNotebook(await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`));
    const declared = declaredParameters(notebook);
    Object.keys(declared).forEach((parameter) => known.add(parameter));
    const fitting = Object.fromEntries(Object.entries(parameters).filter(([parameter]) => parameter in declared));
    injectParameters(notebook, fitting);
    if (Object.keys(fitting).length > 0) jobs.push({ name, parameters: fitting });
  }
  const unknown = Object.keys(parameters).find((parameter) => !known.has(parameter));
  if (unknown === undefined) return jobs;
  const list = [...known].join(", ") || "none";
  throw new RangeError(`Cannot set a parameter as its name must be one of ${list}: current value is "${unknown}"`);
}
