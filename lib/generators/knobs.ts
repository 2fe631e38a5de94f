/** A setting of a task family: its values, its default, and its meaning. */
export interface Knob<
  Value extends string | number = string | number,
  Default extends Value | undefined = Value | undefined,
> {
  /** What it must be, as an error says it: `a whole number from 1 to 1000`. */
  readonly wanted: string;
  /** What it means, in one line. */
  readonly help: string;
  /** Its value unless one is given; `undefined` where the family decides. */
  readonly byDefault: Default;
  /** Aliases in the shell, without dashes: RULER's own flags, and former names. */
  readonly aliases: readonly string[];
  /** The values there are, where they can be listed. */
  readonly choices?: readonly Value[];
  /** Reads a value, from text as the shell and YAML give it or as it is; `undefined` where it is not one that is wanted. */
  read(value: unknown): Value | undefined;
}

/** The knobs of a family, by name. */
export type Knobs = Readonly<Record<string, Knob>>;

/** The values of a family's knobs: of each that has a default, and of others where they were given. */
export type KnobValues<K extends Knobs> =
  & { readonly [N in keyof K as undefined extends K[N]["byDefault"] ? never : N]: KnobValue<K[N]> }
  & { readonly [N in keyof K as undefined extends K[N]["byDefault"] ? N : never]?: KnobValue<K[N]> };

/** What may be given of a family's knobs: any of them. */
export type GivenKnobs<K extends Knobs> = { readonly [N in keyof K]?: KnobValue<K[N]> };

/** What a knob takes. */
export type KnobValue<K extends Knob> = NonNullable<ReturnType<K["read"]>>;

/** What else is declared of a knob. */
export interface KnobOptions {
  /** Aliases in the shell, without dashes. */
  readonly aliases?: readonly string[];
}

/** The range of a number, and its default. */
export interface NumberRange<Default extends number | undefined = number | undefined> {
  /** The least number, itself included. */
  readonly from?: number;
  /** What the number must be above, where there is no least one. */
  readonly above?: number;
  /** The greatest number, itself included. */
  readonly to: number;
  /** The value unless one is given. */
  readonly byDefault?: Default;
}

/**
 * Declares a knob that takes whole numbers.
 *
 * @param range The least and the greatest, and the default where there is one.
 * @param help What it means.
 * @param options Other names.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const keys = whole({ from: 1, to: 1000, byDefault: 1 }, "keys in the context", { aliases: ["num-keys"] });
 * equal(keys.read("8"), 8);
 * equal(keys.read(0.5), undefined);
 * equal(keys.wanted, "a whole number from 1 to 1000");
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

/**
 * Declares a knob that takes numbers.
 *
 * @param range The least and the greatest, both included, and the default where there is one.
 * @param help What it means.
 * @param options Other names.
 */
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
  { aliases = [] }: KnobOptions,
  wanted: string,
  isOfKind: (value: number) => boolean,
): Knob<number, Default> {
  return {
    wanted,
    help,
    byDefault: byDefault as Default,
    aliases,
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
 * @param choices The words, the default first.
 * @param help What it means.
 * @param options Other names.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const variant = oneOf(["2026", "2024"], "whose wording to follow");
 * equal(variant.read(2024), "2024");
 * equal(variant.read("2025"), undefined);
 * equal(variant.byDefault, "2026");
 * ```
 */
export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  help: string,
  options: KnobOptions = {},
): Knob<Choice, Choice> {
  const { aliases = [] } = options;
  return {
    wanted: `one of ${choices.join(", ")}`,
    help,
    byDefault: choices[0]!,
    aliases,
    choices,
    read: (value) => choices.find((choice) => choice === String(value)),
  };
}

/**
 * Makes a knob optional, if its default differs between tasks of the family.
 *
 * @param knob The knob.
 */
export function maybe<Value extends string | number>(knob: Knob<Value>): Knob<Value, undefined> {
  return { ...knob, byDefault: undefined };
}

/**
 * Declares a knob that takes any text that is not blank; it can be left out.
 *
 * @param help What it means.
 * @param options Other names.
 */
export function text(help: string, options: KnobOptions = {}): Knob<string, undefined> {
  const { aliases = [] } = options;
  return {
    wanted: "a text",
    help,
    byDefault: undefined,
    aliases,
    read: (value) => typeof value === "string" && value.trim() !== "" ? value : undefined,
  };
}

/**
 * Reads the knobs that were given to a task, and fills in the defaults.
 *
 * @param knobs The family's knobs; the values come out in their order.
 * @param given The values that were given, by name.
 * @param task What the task is called, for errors.
 * @returns The values; a knob without a default that was not given is left out.
 * @throws {RangeError} If a name is no knob of the family, or a value is not what its knob takes.
 *
 * @example
 * ```ts
 * import { deepEqual, throws } from "node:assert/strict";
 *
 * const knobs = { keys: whole({ from: 1, to: 9, byDefault: 1 }, "keys"), depth: number({ from: 0, to: 1 }, "where it stands") };
 * deepEqual(readKnobs(knobs, {}, "niah"), { keys: 1 });
 * throws(() => readKnobs(knobs, { keys: 10 }, "niah"), RangeError);
 * ```
 */
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

/**
 * Checks a knob that counts something.
 *
 * @throws {RangeError} If it is not a whole number in [`low`, `high`].
 */
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
