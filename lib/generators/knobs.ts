/** A setting of a task family: its values, its default and its meaning. */
export interface Knob<
  Value extends string | number = string | number,
  Default extends Value | undefined = Value | undefined,
> {
  /** What a value must be, for errors: `a whole number from 1 to 1000`. */
  readonly wanted: string;
  /** What it means, in one line. */
  readonly help: string;
  /** Its default; `undefined` where the family decides. */
  readonly byDefault: Default;
  /** Its other names in the shell, without dashes: RULER's own flags, and former names. */
  readonly aliases: readonly string[];
  /** All its values, where they can be listed. */
  readonly choices?: readonly Value[];
  /** Whether it takes several texts, in a study as a list; its value is then that of {@linkcode joinTexts}. */
  readonly isList?: boolean;
  /** Whether its default stays out of sample ids, records and seed paths. */
  readonly omitDefault: boolean;
  /** Reads a value, also from text as the shell and YAML give it; `undefined` if the knob does not take it. */
  read(value: unknown): Value | undefined;
}

/** The knobs of a family, by name. */
export type Knobs = Readonly<Record<string, Knob>>;

/** The values of a family's knobs: every knob with a default, and the others if they were given. */
export type KnobValues<K extends Knobs> =
  & { readonly [N in keyof K as undefined extends K[N]["byDefault"] ? never : N]: KnobValue<K[N]> }
  & { readonly [N in keyof K as undefined extends K[N]["byDefault"] ? N : never]?: KnobValue<K[N]> };

/** Values for any of a family's knobs. */
export type GivenKnobs<K extends Knobs> = { readonly [N in keyof K]?: KnobValue<K[N]> };

/** The type of a knob's values. */
export type KnobValue<K extends Knob> = NonNullable<ReturnType<K["read"]>>;

/** Further options of a knob. */
export interface KnobOptions {
  /** Other names in the shell, without dashes. */
  readonly aliases?: readonly string[];
  /**
   * Leaves the default out of sample ids, records and seed paths. Set it on a knob that is added to a family with published
   * samples, whose ids and texts then stay as they are.
   *
   * @default {false}
   */
  readonly omitDefault?: boolean;
}

/** The range of a number and its default. */
export interface NumberRange<Default extends number | undefined = number | undefined> {
  /** The least number, included. */
  readonly from?: number;
  /** A lower bound, excluded, instead of `from`. */
  readonly above?: number;
  /** The greatest number, included. */
  readonly to: number;
  readonly byDefault?: Default;
}

/**
 * Declares a knob that takes whole numbers, from 0 unless the range says otherwise.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const keys = whole({ from: 1, to: 1000, byDefault: 1 }, "keys in the context", { aliases: ["num-keys"] });
 * equal(keys.read("8"), 8);
 * equal(keys.read(0.5), undefined);
 * ```
 */
export function whole<Default extends number | undefined = undefined>(
  range: NumberRange<Default>,
  help: string,
  options: KnobOptions = {},
): Knob<number, Default> {
  const { from = 0, to } = range;
  return numberKnob(range, help, options, `a whole number from ${from} to ${to}`, Number.isInteger);
}

/** Declares a knob that takes numbers, from 0 unless the range says otherwise. */
export function number<Default extends number | undefined = undefined>(
  range: NumberRange<Default>,
  help: string,
  options: KnobOptions = {},
): Knob<number, Default> {
  const { from = 0, above, to } = range;
  const wanted = above === undefined ? `in [${from}, ${to}]` : `above ${above} and at most ${to}`;
  return numberKnob(range, help, options, wanted, Number.isFinite);
}

function numberKnob<Default extends number | undefined>(
  { above = -Infinity, from = above === -Infinity ? 0 : above, to, byDefault }: NumberRange<Default>,
  help: string,
  { aliases = [], omitDefault = false }: KnobOptions,
  wanted: string,
  isOfKind: (value: number) => boolean,
): Knob<number, Default> {
  return {
    wanted,
    help,
    byDefault: byDefault as Default,
    aliases,
    omitDefault,
    read(value): number | undefined {
      if (typeof value === "string" ? value.trim() === "" : typeof value !== "number") return undefined;
      const read = Number(value);
      return isOfKind(read) && read >= from && read > above && read <= to ? read : undefined;
    },
  };
}

/**
 * Declares a knob that takes one of some words; the first is its default.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const variant = oneOf(["2026", "2024"], "whose wording to follow");
 * equal(variant.read(2024), "2024");
 * equal(variant.byDefault, "2026");
 * ```
 */
export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  help: string,
  options: KnobOptions = {},
): Knob<Choice, Choice> {
  const { aliases = [], omitDefault = false } = options;
  return {
    wanted: `one of ${choices.join(", ")}`,
    help,
    byDefault: choices[0]!,
    aliases,
    choices,
    omitDefault,
    read: (value) => choices.find((choice) => choice === String(value)),
  };
}

/** Takes away the default of a knob, because it differs between tasks of the family. */
export function maybe<Value extends string | number>(knob: Knob<Value>): Knob<Value, undefined> {
  return { ...knob, byDefault: undefined };
}

/** Declares a knob that takes any text that is not blank; it has no default. */
export function text(help: string, options: Pick<KnobOptions, "aliases"> = {}): Knob<string, undefined> {
  const { aliases = [] } = options;
  return {
    wanted: "a text",
    help,
    byDefault: undefined,
    aliases,
    omitDefault: false,
    read: (value) => typeof value === "string" && value.trim() !== "" ? value : undefined,
  };
}

/** Declares a knob that takes several texts: a list of them in a study, one text with | between them in the shell. */
export function texts(help: string, options: Pick<KnobOptions, "aliases"> = {}): Knob<string, undefined> {
  const one = text(help, options);
  const read = (value: unknown): string | undefined => {
    if (!Array.isArray(value)) return one.read(value);
    const list = value.map(one.read);
    return list.length > 0 && list.every((each) => each !== undefined) ? joinTexts(list) : undefined;
  };
  return { ...one, wanted: "a list of texts, or one text with | between them", isList: true, read };
}

/** Writes texts as one, with | between them; before a | or \ of their own stands a \. */
export function joinTexts(list: readonly string[]): string {
  return list.map((each) => each.replaceAll(/[\\|]/g, "\\$&")).join("|");
}

/**
 * Reads the texts of {@linkcode joinTexts}.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(splitTexts(joinTexts(["a|b", "c"])), ["a|b", "c"]);
 * ```
 */
export function splitTexts(joined: string): readonly string[] {
  // An even number of \ before a | belongs to the text before it.
  return joined.split(/(?<=(?<!\\)(?:\\\\)*)\|/).map((each) => each.replaceAll(/\\([\\|])/g, "$1"));
}

/** What an entry of a study says beside its knobs. */
const RESERVED_NAMES: readonly string[] = ["task", "name", "knobs", "grid"];

/** Refuses knobs whose names a study could not set. */
export function checkKnobNames(knobs: Knobs, family: string): void {
  const reserved = Object.keys(knobs).find((name) => RESERVED_NAMES.includes(name));
  if (reserved === undefined) return;
  throw new RangeError(
    `Cannot declare family ${family} as the name of a knob must be none of ${
      RESERVED_NAMES.join(", ")
    }: current value is "${reserved}"`,
  );
}

/** Reads the knobs given to a task and fills in defaults, in the order of the declaration; unknown knobs are refused. */
export function readKnobs<K extends Knobs>(
  knobs: K,
  given: Readonly<Record<string, unknown>>,
  task: string,
): KnobValues<K> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(knobs, name));
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot make task ${task} as each knob must be one of ${
        Object.keys(knobs).join(", ")
      }: current value is "${unknown}"`,
    );
  }
  const values = Object.entries(knobs).flatMap(([name, knob]): [string, string | number][] => {
    const value = given[name];
    const read = value === undefined ? knob.byDefault : knob.read(value);
    if (read !== undefined) return [[name, read]];
    if (value === undefined) return [];
    throw new RangeError(
      `Cannot make task ${task} as ${name} must be ${knob.wanted}: current value is ${
        typeof value === "number" ? value : JSON.stringify(value)
      }`,
    );
  });
  return Object.fromEntries(values) as KnobValues<K>;
}

/** Lists a task's knobs in the order of the declaration, each with its settled value, or else the given one. */
export function settledKnobs(
  knobs: Knobs,
  { settings, values }: { readonly settings: unknown; readonly values: Readonly<Record<string, unknown>> },
): Readonly<Record<string, string | number>> {
  const isValue = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";
  const settled = settings as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(knobs).flatMap((name): [string, string | number][] => {
      const value = [settled[name], values[name]].find(isValue);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Leaves out the values that are defaults which their knobs omit. */
export function omitDefaults(
  knobs: Knobs,
  values: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string | number>> {
  const isOmitted = (knob: Knob | undefined, value: string | number): boolean =>
    knob !== undefined && knob.omitDefault && value === knob.byDefault;
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isOmitted(knobs[name], value)));
}

/** Refuses a knob that is not a whole number from `low` to `high`, for bounds that depend on other knobs. */
export function checkWhole(
  value: number,
  { task, knob, low, high }: {
    readonly task: string;
    readonly knob: string;
    readonly low: number;
    readonly high: number;
  },
): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new RangeError(
    `Cannot make task ${task} as ${knob} must be a whole number from ${low} to ${high}: current value is ${value}`,
  );
}
