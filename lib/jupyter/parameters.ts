import { isTagged, type Json, type Notebook, type NotebookCell } from "./notebook.ts";

/** A value that a notebook's parameter can take. */
type ParameterValue = boolean | number | string | readonly Json[];

/** Values to give a notebook, by parameter name; as written on a command line, or already of their kind. */
export type Parameters = Readonly<Record<string, ParameterValue>>;

// One binding a line: const name: type = value; // comment
const BINDING = /^(?:const|let)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=\s*(\S.*)$/;

/**
 * Lists the parameters a notebook declares: the names bound in its cell tagged `parameters`.
 *
 * @param notebook The notebook.
 * @returns Name and kind of each parameter, in order; none where no cell carries the tag.
 *
 * @example Two parameters
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const source = 'const seed = "depth/1"; // any text\nconst samples: number = 50; // per depth';
 * const metadata = { tags: ["parameters"] };
 * const cell = { kind: "code", id: "a", source, metadata, executionCount: null, outputs: [] } as const;
 * deepEqual(declaredParameters({ cells: [cell], metadata: {} }), { seed: "string", samples: "number" });
 * ```
 */
export function declaredParameters(notebook: Notebook): Readonly<Record<string, string>> {
  const cell = notebook.cells.find((candidate) => isTagged(candidate, "parameters"));
  const bindings = (cell?.source ?? "").split("\n").map((line) => BINDING.exec(line.trim()));
  return Object.fromEntries(
    bindings.flatMap((match) => match === null ? [] : [[match[1] ?? "", kindOf(match[2] ?? "")]]),
  );
}

function kindOf(value: string): string {
  if (/^["'`]/.test(value)) return "string";
  if (/^[-+.\d]/.test(value)) return "number";
  if (/^(true|false)\b/.test(value)) return "boolean";
  return value.startsWith("[") ? "list" : "other";
}

/**
 * Gives a notebook other parameters, by papermill's convention: a cell tagged `injected-parameters` right after the one
 * tagged `parameters`, which binds the same names again.
 *
 * @param notebook The notebook; its own cells stay as they are.
 * @param values The values. Text becomes a number, boolean or list where the notebook declares one.
 * @returns The notebook with the cell, in place of one it may carry already.
 * @throws {RangeError} If the notebook declares no parameter of a name.
 * @throws {TypeError} If a value is not of the kind declared.
 *
 * @example Fewer samples
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const metadata = { tags: ["parameters"] };
 * const cell = { kind: "code", id: "a", source: "const samples = 50;", metadata, executionCount: null, outputs: [] } as const;
 * const injected = injectParameters({ cells: [cell], metadata: {} }, { samples: "5" });
 * equal(injected.cells[1]?.source, "const samples = 5;");
 * ```
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

/** What a command line says of the parameters. */
interface ParameterOptions {
  /** The model. */
  readonly model?: string | undefined;
  /** The endpoint's address. */
  readonly baseUrl?: string | undefined;
  /** Further parameters, each as `name=value`. */
  readonly set?: readonly string[] | undefined;
}

/**
 * Reads the parameters that a command line gives, all still as text.
 *
 * @throws {SyntaxError} If one of `set` is not `name=value`, or the address is none.
 * @throws {RangeError} If the address carries a user name, password or key, which would be written into a notebook.
 */
export function readParameters(options: ParameterOptions): Parameters {
  const { model, baseUrl, set = [] } = options;
  const further = set.map((text) => {
    const match = /^([A-Za-z_$][\w$]*)=(.*)$/s.exec(text);
    if (match === null) {
      throw new SyntaxError(`Cannot set a parameter as it must be name=value: current value is "${text}"`);
    }
    return [match[1] ?? "", match[2] ?? ""];
  });
  if (baseUrl !== undefined) checkAddress(baseUrl);
  return {
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...Object.fromEntries(further),
  };
}

function checkAddress(text: string): void {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SyntaxError(`Cannot use an endpoint as --base-url must be an http address: current value is "${text}"`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new RangeError(
      "Cannot use an endpoint as --base-url must carry no user, password or key: current value has one; keys are read " +
        "from the environment",
    );
  }
}
