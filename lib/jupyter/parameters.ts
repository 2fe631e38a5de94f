import { isFile } from "@/lib/base/mod.ts";
import { isTagged, type Json, type Notebook, type NotebookCell } from "./notebook.ts";
import { openProfile } from "@/lib/simulated/mod.ts";
import { shortName } from "@/lib/reports/mod.ts";

type ParameterValue = boolean | number | string | readonly Json[];

/** Values by parameter name; from a command line, all are text. */
export type Parameters = Readonly<Record<string, ParameterValue>>;

// One binding per line: const name: type = value; // comment
const BINDING = /^(?:const|let)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=\s*(\S.*)$/;

/** Returns the parameters of a notebook, bound in its cell tagged `parameters`, with the kind of each value. */
export function declaredParameters(notebook: Notebook): Readonly<Record<string, string>> {
  const cell = notebook.cells.find((candidate) => isTagged(candidate, "parameters"));
  return Object.fromEntries(readBindings(cell?.source ?? "").map(([name, value]) => [name, kindOf(value)]));
}

/** Returns the names that a cell binds, one per line, and their values as code. */
export function readBindings(source: string): readonly (readonly [name: string, value: string])[] {
  return source.split("\n").flatMap((line) => {
    const match = BINDING.exec(line.trim());
    return match === null ? [] : [[match[1]!, match[2]!.replace(/;\s*(\/\/.*)?$/, "")] as const];
  });
}

function kindOf(value: string): string {
  if (/^["'`]/.test(value)) return "string";
  if (/^[-+.\d]/.test(value)) return "number";
  if (/^(true|false)\b/.test(value)) return "boolean";
  return value.startsWith("[") ? "list" : "other";
}

/**
 * Injects parameters as papermill does: a cell tagged `injected-parameters`, right after the one tagged `parameters`, binds the names
 * again. Text becomes a number, boolean or list if the notebook declares one.
 *
 * @throws {RangeError} If the notebook does not declare a parameter.
 * @throws {TypeError} If a value is not of the declared kind.
 */
export function injectParameters(notebook: Notebook, values: Parameters): Notebook {
  const declared = declaredParameters(notebook);
  const lines = Object.entries(values).map(([name, value]) =>
    `const ${name} = ${JSON.stringify(typed(name, value, declared))};`
  );
  const cells = notebook.cells.filter((cell) => !isTagged(cell, "injected-parameters"));
  const place = cells.findIndex((cell) => isTagged(cell, "parameters")) + 1;
  const check = checkLine(cells[place - 1]);
  const injected = injectedCell([...lines, ...check].join("\n"));
  return { ...notebook, cells: [...cells.slice(0, place), injected, ...cells.slice(place)] };
}

/** Returns the line of a parameter cell that checks its values, if there is one. */
function checkLine(cell: NotebookCell | undefined): readonly string[] {
  return cell?.source.split("\n").filter((line) => line.startsWith("await checkParameters(")) ?? [];
}

function injectedCell(source: string): NotebookCell {
  const metadata = { tags: ["injected-parameters"] };
  return { kind: "code", id: "injected-parameters", source, metadata, executionCount: null, outputs: [] };
}

function typed(name: string, value: ParameterValue, declared: Readonly<Record<string, string>>): ParameterValue {
  const wanted = declared[name];
  if (wanted === undefined) {
    const names = Object.keys(declared).join(", ") || "none";
    throw new RangeError(`Cannot set a parameter as its name must be one of ${names}: current value is "${name}"`);
  }
  if (wanted === "string") return typeof value === "string" ? value : JSON.stringify(value);
  const parsed = typeof value === "string" ? parseValue(value) : value;
  const kind = Array.isArray(parsed) ? "list" : typeof parsed;
  if (wanted === "other" || kind === wanted) return parsed;
  throw new TypeError(`Cannot set ${name} as its value must be a ${wanted}: current value is ${JSON.stringify(value)}`);
}

function parseValue(text: string): ParameterValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Returns a file name for a run with parameters: up to 100 letters, digits, `_`, `=`, `.`, `,` and `-`; a longer name ends in a hash of
 * all values. Addresses are omitted.
 */
export function parametersName(parameters: Parameters): string {
  const named = Object.entries(parameters).filter(([name]) => name !== "baseUrl");
  const name = named.map(([name, value]) => `${name}=${value}`.replaceAll(/[^\w=.,-]+/g, "-")).join(".");
  return shortName(name, JSON.stringify(named)) || "endpoint";
}

/**
 * Reads parameters from command-line options, all as text.
 *
 * @param options Values of the options; `models` is a path, `set` has further parameters as `name=value`.
 * @throws {SyntaxError} If one of `set` is not `name=value`, or `baseUrl` is not an http address.
 * @throws {RangeError} If the address contains a user name, password or key, which would be written into a notebook.
 */
export function readParameters(
  { set = [], ...named }: {
    readonly model?: string | undefined;
    readonly models?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly set?: readonly string[] | undefined;
  },
): Parameters {
  const further = set.map((text) => {
    const [, name, value] = /^([A-Za-z_$][\w$]*)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new SyntaxError(`Cannot set a parameter as it must be name=value: current value is "${text}"`);
  });
  if (named.baseUrl !== undefined) checkAddress(named.baseUrl);
  const given = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries([...given, ...further]);
}

/** Returns whether a text is an address of the web. */
function isHttpAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

function checkAddress(text: string): void {
  if (!isHttpAddress(text)) {
    throw new SyntaxError(`Cannot use an endpoint as --base-url must be an http address: current value is "${text}"`);
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new RangeError(
      "Cannot use an endpoint as --base-url must contain no user, password or key: current value has one; " +
        "set OPENAI_API_KEY in the environment instead",
    );
  }
}

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
