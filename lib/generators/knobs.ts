/** A setting of a task family: its values, its default and its meaning. */
export interface Knob<
  Value extends string | number = string | number,
  Default extends Value | undefined = Value | undefined,
> {
  /** The allowed values, for errors: `a whole number from 1 to 1000`. */
  readonly wanted: string;
  readonly help: string;
  /** Its default; `undefined` if the family decides. */
  readonly byDefault: Default;
  /** All values, if they can be listed. */
  readonly choices?: readonly Value[];
  /** Its names in the reference, which studies and flags may use. */
  readonly also?: readonly string[];
  /** Whether it takes a list of texts in a study; its value is then the result of {@linkcode joinTexts}. */
  readonly isList?: boolean;
  readonly range?: NumberRange;
  /** Whether its default stays out of sample ids, records and seed paths. */
  readonly omitDefault: boolean;
  /** Reads a value, also from text as the shell and YAML give it; returns `undefined` for a value that is not allowed. */
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

/** Additional options of a knob. */
export interface KnobOptions {
  /**
   * Leaves the default out of sample ids, records and seed paths. Set it for a knob added to a family with published samples, so
   * that their ids and texts stay the same.
   */
  readonly omitDefault?: boolean;
}

/** The range of a number and its default. */
export interface NumberRange<Default extends number | undefined = number | undefined> {
  readonly from?: number;
  /** A lower bound, excluded, instead of `from`. */
  readonly above?: number;
  readonly to: number;
  readonly byDefault?: Default;
}

/**
 * Declares a knob for whole numbers, by default from 0.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const keys = whole({ from: 1, to: 1000, byDefault: 1 }, "keys in the context");
 * deepEqual([keys.read("8"), keys.read(0.5)], [8, undefined]);
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

/** Declares a knob for numbers, by default from 0. */
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
  range: NumberRange<Default>,
  help: string,
  { omitDefault = false }: KnobOptions,
  wanted: string,
  isOfKind: (value: number) => boolean,
): Knob<number, Default> {
  const { above = -Infinity, from = above === -Infinity ? 0 : above, to, byDefault } = range;
  return {
    wanted,
    help,
    omitDefault,
    range,
    byDefault: byDefault as Default,
    read(value): number | undefined {
      if (typeof value === "string" ? value.trim() === "" : typeof value !== "number") return undefined;
      const read = Number(value);
      return isOfKind(read) && read >= from && read > above && read <= to ? read : undefined;
    },
  };
}

/** Declares a knob for one of several words, by default the first. */
export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  help: string,
  { omitDefault = false }: KnobOptions = {},
): Knob<Choice, Choice> {
  return {
    help,
    choices,
    omitDefault,
    wanted: `one of ${choices.join(", ")}`,
    byDefault: choices[0]!,
    read: (value) => choices.find((choice) => choice === String(value)),
  };
}

/** Removes the default of a knob, for a default that differs between tasks of the family. */
export function maybe<Value extends string | number>(knob: Knob<Value>): Knob<Value, undefined> {
  return { ...knob, byDefault: undefined };
}

/** Declares a knob for any text that is not blank, without a default. */
export function text(help: string): Knob<string, undefined> {
  const read = (value: unknown): string | undefined =>
    typeof value === "string" && value.trim() !== "" ? value : undefined;
  return { help, read, wanted: "a text", byDefault: undefined, omitDefault: false };
}

/** Declares a knob for several texts: a list in a study, one text with | between them in the shell. */
export function texts(help: string): Knob<string, undefined> {
  const one = text(help);
  const read = (value: unknown): string | undefined => {
    if (!Array.isArray(value)) return one.read(value);
    const list = value.map(one.read);
    return list.length > 0 && list.every((each) => each !== undefined) ? joinTexts(list) : undefined;
  };
  return { ...one, wanted: "a list of texts, or one text with | between them", isList: true, read };
}

/**
 * Adds the names of a knob in the reference, such as `num_needle_k`, and the reference's words for its values.
 *
 * @param words Values by those words; `on` and `off` are those of YAML's true and false.
 */
export function also<K extends Knob>(
  knob: K,
  names: readonly string[],
  words: Readonly<Record<string, string | number>> = {},
): K {
  const read = (value: unknown): ReturnType<K["read"]> =>
    knob.read(typeof value === "string" && Object.hasOwn(words, value) ? words[value] : value) as ReturnType<K["read"]>;
  const help = names.length === 0 ? knob.help : `${knob.help} (also ${names.join(", ")})`;
  return { ...knob, also: names, help, read };
}

/** Joins texts to one, with | between them; | and \ in a text are escaped by a \. */
export function joinTexts(list: readonly string[]): string {
  return list.map((each) => each.replaceAll(/[\\|]/g, "\\$&")).join("|");
}
