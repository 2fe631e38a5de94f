import { explainFileError, isFields, quoteText, readRegularText } from "@/lib/base/mod.ts";
/** Valibot, for the schemas of other rooms. */
import * as v from "valibot";

/** The size limit of a study or a file of models, in bytes. */
const MAX_YAML_BYTES = 16 * 2 ** 20;

/** Reads a YAML file. Errors name its content `what`, such as `the study`, and the `wanted` file. */
export async function readYaml(
  path: string,
  { what, wanted }: { readonly what: string; readonly wanted: string },
): Promise<unknown> {
  let text: string;
  try {
    text = await readRegularText(path, MAX_YAML_BYTES);
  } catch (error) {
    throw new RangeError(
      `Cannot read ${what} as ${wanted}: current value is "${path}" (${explainFileError(error)})`,
    );
  }
  // Imported on demand, as most commands read no YAML.
  const { parse, YAMLParseError } = await import("yaml");
  try {
    return parse(text);
  } catch (error) {
    const isDeep = /call stack/.test(String(error));
    const reason = isDeep ? "it is nested too deeply" : String((error as Error).message ?? error).split("\n")[0];
    const wanted = error instanceof YAMLParseError && !isDeep
      ? `line ${error.linePos?.[0].line ?? 1} must be YAML`
      : "its aliases and nesting must be within bounds";
    throw new SyntaxError(`Cannot read ${what} in "${path}" as ${wanted}: ${reason}`);
  }
}

/** Writes a value as YAML. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(value);
}

export { v };

/**
 * Returns the first way in which a value does not fit a schema, such as `reply.text must be a text: current value is 7`; `undefined`
 * if it fits. The message of each part of the schema describes the values that it accepts.
 */
export function findMisfit(schema: v.GenericSchema, value: unknown): string | undefined {
  const { issues: [issue] = [] } = v.safeParse(schema, value, { abortEarly: true });
  return issue && explainIssue(issue);
}

/** Reads a value by a schema; errors name it `what`, such as `the study in "a.yaml"`, and are of the given kind. */
export function readAs<Read>(
  schema: v.GenericSchema<unknown, Read>,
  value: unknown,
  { what, kind = TypeError }: { readonly what: string; readonly kind?: ErrorConstructor },
): Read {
  const { success, issues, output } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  throw new kind(`Cannot read ${what} as ${explainIssue(issues[0])}`);
}

function explainIssue({ path, message, input, expected }: v.BaseIssue<unknown>): string {
  if (path === undefined) return `it must be keys with values: current value is ${shown(input)}`;
  const keys = path.map(({ key }) => String(key));
  // Only a strict object expects nothing; its message lists its keys.
  if (expected === "never") {
    const parent = keys.length === 1 ? "" : ` of ${keys.slice(0, -1).join(".")}`;
    return `each key${parent} must be ${message}: current value is ${shown(input)}`;
  }
  const isMissing = path.at(-1)!["origin"] === "key" && input === undefined;
  // A header's value is a secret.
  const found = path[0].key === "headers" ? "not shown" : shown(input);
  return `${keys.join(".")} must be ${isMissing ? "given" : message}: current value is ${found}`;
}

function shown(value: unknown): string {
  return quoteText(JSON.stringify(value) ?? "none", 200);
}

export function filledText(wanted: string): v.GenericSchema<unknown, string> {
  return v.config(v.pipe(v.string(), v.check((text) => text.trim() !== "")), { message: wanted });
}

/** A whole number in a range. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): v.GenericSchema<unknown, number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return v.config(v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most)), {
    message: `a whole number ${range}`,
  });
}

export function closedObject<Entries extends v.ObjectEntries>(
  entries: Entries,
): v.GenericSchema<unknown, v.InferOutput<v.StrictObjectSchema<Entries, string>>> {
  const names = Object.keys(entries).join(", ");
  return v.pipe(v.custom<object>(isFields), v.strictObject(entries, `one of ${names}`));
}
