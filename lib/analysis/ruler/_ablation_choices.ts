import type { AblationSeries } from "./ablations.ts";

/** RULER's own tasks by the knobs that set them apart; whatever else is asked for is a task of the family. */
const NEEDLE_TYPES: Readonly<Record<string, AblationSeries>> = {
  "passkey": own("Passkey retrieval", "niah_single_1"),
  "words-numbers": own("Vanilla NIAH", "niah_single_2"),
  "words-uuids": own("K=W, V=U", "niah_single_3"),
  "words-words": own("K=W, V=W", "niah_single_words"),
};
const LETTERS: Readonly<Record<string, string>> = { words: "W", numbers: "N", uuids: "U" };

/** A needle of some type in essays. */
export function needleChoice(type: string): AblationSeries {
  if (Object.hasOwn(NEEDLE_TYPES, type)) return NEEDLE_TYPES[type]!;
  const [keyType = "", valueType = "", ...rest] = type.split("-");
  if (rest.length > 0 || !Object.hasOwn(LETTERS, keyType) || !Object.hasOwn(LETTERS, valueType)) {
    throw new RangeError(
      `Cannot ask for needles as each type must be passkey, or two of ${
        Object.keys(LETTERS).join(", ")
      } joined by a hyphen: current value is "${type}"`,
    );
  }
  const name = `niah_${keyType}_${valueType}`;
  return {
    series: `K=${LETTERS[keyType]}, V=${LETTERS[valueType]}`,
    task: name,
    choice: { task: "niah", name, knobs: { haystack: "essay", keyType, valueType } },
  };
}

/** A needle among others of other keys, or in a context of nothing else. */
export function keyChoice(keys: number | string): AblationSeries {
  if (keys === "full") return own("#K=FULL", "niah_multikey_2");
  if (keys === "full-uuids") return own("#K=FULL, K=U, V=U", "niah_multikey_3");
  if (typeof keys === "string") {
    throw new RangeError(
      `Cannot ask for needles as the number of keys must be a number, full or full-uuids: current value is "${keys}"`,
    );
  }
  return knobChoice({ letter: "K", knob: "keys", value: keys, own: { 1: "niah_single_2", 4: "niah_multikey_1" } });
}

/** A key with several values. */
export function valueChoice(values: number): AblationSeries {
  const ours = { 1: "niah_single_2", 2: "niah_multivalue_2", 4: "niah_multivalue" };
  return knobChoice({ letter: "V", knob: "values", value: values, own: ours });
}

/** Several keys asked for at once. */
export function queryChoice(queries: number): AblationSeries {
  const ours = { 1: "niah_single_2", 2: "niah_multiquery_2", 4: "niah_multiquery" };
  return knobChoice({ letter: "Q", knob: "queries", value: queries, own: ours });
}

/** Chains of variables: how many, and how many hops each has. */
export function chainChoice(pair: readonly number[]): AblationSeries {
  const [chains, hops, ...rest] = pair;
  if (chains === undefined || hops === undefined || rest.length > 0) {
    throw new RangeError(
      `Cannot ask for chains as each must be two numbers, of chains and of hops: current value is ${
        JSON.stringify(pair)
      }`,
    );
  }
  const series = `chain=${chains}, hop=${hops}`;
  if (chains === 1 && hops === 4) return own(series, "vt");
  if (chains === 2 && hops === 2) return own(series, "vt_2_chains");
  const name = `vt_${chains}_chains_${hops}_hops`;
  return { series, task: name, choice: { task: "vt", name, knobs: { chains, hops } } };
}

/** Coded words whose frequencies fall with some exponent. */
export function frequencyChoice(alpha: number): AblationSeries {
  const series = `alpha=${Number.isInteger(alpha) ? alpha.toFixed(1) : alpha}`;
  if (alpha === 2) return own(series, "fwe");
  if (alpha === 3.5) return own(series, "fwe_alpha_3_5");
  const name = `fwe_alpha_${String(alpha).replace(".", "_")}`;
  return { series, task: name, choice: { task: "fwe", name, knobs: { alpha } } };
}

function own(series: string, task: string): AblationSeries {
  return { series, task, choice: { task } };
}

function knobChoice(options: {
  readonly letter: string;
  readonly knob: string;
  readonly value: number;
  readonly own: Readonly<Record<number, string>>;
}): AblationSeries {
  const { letter, knob, value } = options;
  const series = `#${letter}=${value}`;
  const task = options.own[value];
  if (task !== undefined) return own(series, task);
  const name = `niah_${knob}_${value}`;
  return { series, task: name, choice: { task: "niah", name, knobs: { haystack: "essay", [knob]: value } } };
}
