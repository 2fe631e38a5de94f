import type { Knob, Knobs, KnobValues } from "./knobs.ts";

/** The least distance from the bound that a number must be above at which it is still halved. */
const LEAST_DISTANCE = 1 / 8;

/**
 * Returns twice or half the value of a knob for numbers, within its range; of a number that must be above a bound, its distance
 * from the bound counts. Returns `undefined` at the end of the range.
 */
export function nextValue({ range, read }: Knob, value: number, isUp: boolean): number | undefined {
  if (range === undefined) return undefined;
  const { above, from = above ?? 0, to } = range;
  const distance = value - (above ?? 0);
  if (!isUp && above !== undefined && distance < LEAST_DISTANCE) return undefined;
  const next = Math.min(to, Math.max(from, value + (isUp ? distance : -distance / 2)));
  const taken = read(next) ?? read(Math.floor(next));
  return taken === value || taken === 0 ? undefined : taken as number | undefined;
}

/** Renames knobs that are given by a name of the reference; a knob that is given twice keeps both names, and is refused. */
export function ownNames<Value>(knobs: Knobs, given: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const ownName = (name: string): string => {
    const [own] = Object.entries(knobs).find(([, { also = [] }]) => also.includes(name)) ?? [];
    return own === undefined || Object.hasOwn(given, own) ? name : own;
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [ownName(name), value]));
}

/** Splits the result of `joinTexts()`. */
export function splitTexts(joined: string): readonly string[] {
  // An even number of \ before a | belongs to the text before it.
  return joined.split(/(?<=(?<!\\)(?:\\\\)*)\|/).map((each) => each.replaceAll(/\\([\\|])/g, "$1"));
}

/** Reads the knobs given to a task and fills in defaults, in the order of the declaration; refuses unknown knobs and wrong values. */
export function readKnobs<K extends Knobs>(
  knobs: K,
  given: Readonly<Record<string, unknown>>,
  task: string,
): KnobValues<K> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(knobs, name));
  if (unknown !== undefined) {
    throw cannotMake(task, `each knob must be one of ${Object.keys(knobs).join(", ")}`, unknown);
  }
  const values = Object.entries(knobs).flatMap(([name, knob]): [string, string | number][] => {
    const value = given[name];
    const read = value === undefined ? knob.byDefault : knob.read(value);
    if (read !== undefined) return [[name, read]];
    if (value === undefined) return [];
    throw cannotMake(task, `${name} must be ${knob.wanted}`, value);
  });
  return Object.fromEntries(values) as KnobValues<K>;
}

/** Returns a task's knobs in the order of the declaration, each with its settled value, otherwise the given one. */
export function settledKnobs(
  knobs: Knobs,
  { settings, values }: { readonly settings: unknown; readonly values: Readonly<Record<string, unknown>> },
): Readonly<Record<string, string | number>> {
  const settled = settings as Readonly<Record<string, unknown>>;
  const isKnobValue = (value: unknown): value is string | number =>
    typeof value === "string" || typeof value === "number";
  return Object.fromEntries(
    Object.keys(knobs).flatMap((name): [string, string | number][] => {
      const value = [settled[name], values[name]].find(isKnobValue);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Leaves out the default values of knobs with `omitDefault`. */
export function omitDefaults(
  knobs: Knobs,
  values: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string | number>> {
  const isKept = ([name, value]: [string, string | number]): boolean =>
    !knobs[name]?.omitDefault || value !== knobs[name].byDefault;
  return Object.fromEntries(Object.entries(values).filter(isKept));
}

/** Returns the error of a task whose knobs exclude one another, or of a value that only the task can check. */
export function cannotMake(task: string, wanted: string, value: unknown): RangeError {
  const shown = typeof value === "number" ? value : JSON.stringify(value);
  return new RangeError(`Cannot make task ${task} as ${wanted}: current value is ${shown}`);
}

/** Refuses a knob, whose bounds depend on other knobs, that is not a whole number from `low` to `high`. */
export function checkWhole(
  value: number,
  { task, made = `task ${task}`, knob, low, high }:
    & { readonly task?: string; readonly made?: string; readonly knob: string }
    & Readonly<Record<"low" | "high", number>>,
): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  const wanted = `a whole number from ${low} to ${high}`;
  throw new RangeError(`Cannot make ${made} as ${knob} must be ${wanted}: current value is ${value}`);
}

/** Makes something, such as a task or a sample; `undefined` if its values or length are refused. */
export function unlessRefused<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
