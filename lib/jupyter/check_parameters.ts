import { isHttpAddress } from "./parameters.ts";
import { isFile, openProfile } from "@/lib/models/mod.ts";

/** The parameters of a notebook that {@linkcode checkParameters} checks; each notebook has some of them. */
export interface NotebookParameters {
  /** Names of models, comma-separated. */
  readonly model?: string;
  /** Further models, comma-separated. */
  readonly further?: string;
  /** The address of an endpoint, or empty. */
  readonly baseUrl?: string;
  /** The path of a file of models, or empty. */
  readonly models?: string;
  /** Names of recorded runs, comma-separated, or empty. */
  readonly runs?: string;
  /** Context lengths in tokens, all different; or their number. */
  readonly lengths?: readonly number[] | number;
  /** The longest context length, in tokens. */
  readonly longest?: number;
  /** Samples of each task at each length. */
  readonly samples?: number;
}

/**
 * Checks parameters of a notebook in the cell that binds them, so that a wrong value is reported there.
 *
 * @throws {RangeError} If a number is not a whole number from 1, lengths are none or repeat, no model is named and no run, or there
 *   is no such simulated reader.
 * @throws {SyntaxError} If the address is not an http address.
 * @throws {Error} If the file of models does not exist.
 *
 * @example
 * ```ts
 * import { rejects } from "node:assert/strict";
 *
 * await checkParameters({ model: "sim:gpt-4", lengths: [4096, 8192], samples: 4 });
 * await rejects(checkParameters({ samples: 0 }), /samples must be a whole number from 1: current value is 0/);
 * ```
 */
export async function checkParameters(parameters: NotebookParameters): Promise<void> {
  const { model, further = "", baseUrl = "", models = "", runs = "", lengths, longest, samples } = parameters;
  checkCounts("samples", samples === undefined ? [] : [samples]);
  checkCounts("longest", longest === undefined ? [] : [longest]);
  if (typeof lengths === "number") checkCounts("lengths", [lengths]);
  if (typeof lengths === "object") checkLengths(lengths);
  const names = [model ?? "", further].flatMap((text) => text.split(",")).map((name) => name.trim());
  if (model?.trim() === "" && runs.trim() === "") refuse("model must name a model, or runs a recorded run", '""');
  for (const name of names.filter((name) => name.startsWith("sim:"))) openProfile(name);
  if (baseUrl !== "" && !isHttpAddress(baseUrl)) {
    throw new SyntaxError(
      `Cannot run the notebook as baseUrl must be an http address or empty: current value is "${baseUrl}"`,
    );
  }
  if (models !== "" && !await isFile(models)) {
    throw new Error(`Cannot run the notebook as models must be the path of a file: there is none at "${models}"`);
  }
}

function checkLengths(lengths: readonly number[]): void {
  if (lengths.length === 0) refuse("lengths must have at least one length", "[]");
  checkCounts("lengths", lengths);
  if (new Set(lengths).size < lengths.length) refuse("lengths must differ", `[${lengths.join(", ")}]`);
}

function checkCounts(name: string, values: readonly number[]): void {
  const wrong = values.find((value) => !Number.isSafeInteger(value) || value < 1);
  if (wrong !== undefined) refuse(`${name} must be a whole number from 1`, JSON.stringify(wrong));
}

function refuse(wanted: string, current: string): never {
  throw new RangeError(`Cannot run the notebook as ${wanted}: current value is ${current}`);
}
