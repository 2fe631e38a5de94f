import { shortName } from "@/lib/base/mod.ts";
import { isTagged, type Json, type Notebook, type NotebookCell } from "./notebook.ts";

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
  return { ...notebook, cells: [...cells.slice(0, place), injectedCell(lines.join("\n")), ...cells.slice(place)] };
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
 * Reads parameters from command-line options, all as text; `set` has further parameters as `name=value`.
 *
 * @throws {SyntaxError} If one of `set` is not `name=value`.
 * @throws {RangeError} If `baseUrl` is not an http address, or contains a user name, password or key, which a notebook would keep.
 */
export function readParameters(
  { set = [], ...named }: Readonly<Partial<Record<"model" | "models" | "baseUrl", string | undefined>>> & {
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

function checkAddress(text: string): void {
  const { protocol = "none", username, password, search } = URL.parse(text) ?? {};
  const isPlain = `${username}${password}${search}` === "";
  if (isPlain && /^https?:$/.test(protocol)) return;
  const found = isPlain || protocol === "none" ? `"${text}"` : "one with these; set OPENAI_API_KEY instead";
  const wanted = "an http address without user, password or key";
  throw new RangeError(`Cannot use an endpoint as --base-url must be ${wanted}: current value is ${found}`);
}
