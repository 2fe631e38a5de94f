import { parseArgs } from "node:util";

/** Which options a command takes: each a text, a list of texts, or a mark that it is there. */
export type OptionKinds = Readonly<Record<string, "text" | "list" | "flag">>;

/** Arguments as a command line gave them. */
export interface Arguments {
  /** Texts, by option. */
  readonly texts: Readonly<Record<string, string>>;
  /** Lists, by option; commas part the items too. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Flags that are there. */
  readonly flags: readonly string[];
  /** What belongs to no option. */
  readonly rest: readonly string[];
}

/**
 * Reads the arguments of a command.
 *
 * @throws {TypeError} If an option is unknown or lacks its value.
 */
export function readArguments(args: readonly string[], kinds: OptionKinds): Arguments {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, {
      type: kind === "flag" ? "boolean" as const : "string" as const,
      multiple: kind === "list",
      ...(name === "help" ? { short: "h" } : {}),
    }]),
  );
  const { values, positionals } = parse(args, options);
  const given = Object.entries(values);
  return {
    texts: Object.fromEntries(given.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : [])),
    lists: Object.fromEntries(
      given.flatMap(([name, value]) => Array.isArray(value) ? [[name, value.map(String)]] : []),
    ),
    flags: given.flatMap(([name, value]) => value === true ? [name] : []),
    rest: positionals,
  };
}

function parse(
  args: readonly string[],
  options: Readonly<Record<string, { readonly type: "boolean" | "string"; readonly multiple: boolean }>>,
): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...args], options: { ...options }, allowPositionals: true, strict: true });
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`).join(", ");
    const why = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new TypeError(`Cannot read the arguments as they must be among ${names}: current value gives "${why}"`);
  }
}
