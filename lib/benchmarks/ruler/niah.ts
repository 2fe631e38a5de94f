import { type Needle, needleFiller, needleSentence, needleTexts, type NeedleType, noiseFiller } from "./needles.ts";
import type { Variant } from "./ruler.ts";
import {
  checkEssays,
  essayFiller,
  type FactRole,
  type Filler,
  type Layout,
  makeTask,
  type Part,
  type Recipe,
  RULER_SUITE,
  type SampleRequest,
  type Task,
} from "@/lib/generators/mod.ts";
import {
  continueWith,
  type Finding,
  inventLike,
  lastMatch,
  listTexts,
  type Reading,
  type TaskReader,
} from "@/lib/models/mod.ts";
import { type Draw, integer, spread, stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** What the needles are hidden in: repeated noise, essays, or other needles of the same kind (the paper's `#K=FULL`). */
export type HaystackType = "noise" | "essay" | "needle";

/** Options for {@linkcode niahTask}. */
export interface NiahOptions {
  /**
   * What the task is called.
   *
   * @default {"niah"}
   */
  readonly name?: string;
  /**
   * What the needles are hidden in.
   *
   * @default {"essay"}
   */
  readonly haystack?: HaystackType;
  /**
   * What keys are made of.
   *
   * @default {"words"}
   */
  readonly keyType?: NeedleType;
  /**
   * What values are made of.
   *
   * @default {"numbers"}
   */
  readonly valueType?: NeedleType;
  /**
   * Number of keys, those not asked for being distractors; raised to the number of queries. Range: 1 to 1,000.
   *
   * @default {1}
   */
  readonly keys?: number;
  /**
   * Number of values of each key. Range: 1 to 100.
   *
   * @default {1}
   */
  readonly values?: number;
  /**
   * Number of keys asked for. Range: 1 to 100.
   *
   * @default {1}
   */
  readonly queries?: number;
  /**
   * Where the asked needles stand, as a share of the context: 0 is first, 1 last. Spread evenly over the samples unless given.
   */
  readonly depth?: number;
  /**
   * Whose wording to follow.
   *
   * @default {"2026"}
   */
  readonly variant?: Variant;
}

type Settings =
  & Required<Omit<NiahOptions, "depth">>
  & Pick<NiahOptions, "depth">;

/**
 * Makes a needle-in-a-haystack task: keys with values are hidden in a text, and the values of some keys are asked for.
 *
 * RULER, section 3.1 and niah.py. Unlike the reference, keys and values are all different and none is part of another, be it
 * asked for or filler; essays start anywhere and not always at their beginning, depths are spread evenly over the samples, and a needle can stand last.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave 128 tokens for the answer.
 * @throws {RangeError} If a knob is outside its range.
 *
 * @example The paper's "vanilla" needle
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(niahTask({ haystack: "essay" }).answerRoom, 128);
 * ```
 */
export function niahTask(options: NiahOptions = {}): Task {
  const settings = readSettings(options);
  const { name, variant, ...others } = settings;
  // Subtle: their order is part of the path of every draw.
  const knobs = { variant, ...others };
  return makeTask({
    suite: RULER_SUITE,
    name,
    category: "retrieval",
    options: knobs,
    answerRoom: 128,
    scoring: "all",
    recipe: (request) => niahRecipe(settings, { ...request, knobs: JSON.stringify(knobs) }),
  });
}

function readSettings(options: NiahOptions): Settings {
  const {
    name = "niah",
    haystack = "essay",
    keyType = "words",
    valueType = "numbers",
    values = 1,
    queries = 1,
    variant = "2026",
    depth,
  } = options;
  const ranges = [["keys", options.keys ?? 1, 1000], ["values", values, 100], ["queries", queries, 100]] as const;
  for (const [knob, value, most] of ranges) {
    if (!Number.isInteger(value) || value < 1 || value > most) {
      throw new RangeError(
        `Cannot make task ${name} as ${knob} must be a whole number from 1 to ${most}: current value is ${value}`,
      );
    }
  }
  if (depth !== undefined && !(depth >= 0 && depth <= 1)) {
    throw new RangeError(
      `Cannot make task ${name} as depth must be in [0, 1]: current value is ${depth}`,
    );
  }
  const keys = Math.max(options.keys ?? 1, queries);
  return {
    name,
    haystack,
    keyType,
    valueType,
    keys,
    values,
    queries,
    variant,
    ...(depth === undefined ? {} : { depth }),
  };
}

/** A needle with its place: the share of the filler that stands before it. */
interface Placed extends Needle {
  readonly role: FactRole;
  readonly depth: number;
}

type NewText = () => string;

/** What reads like a needle: with the texts of another sample, an essay could answer for a key of this one. */
const NEEDLE_LIKE = {
  mark: /special magic (?:number|word|uuid)s?/i,
  called: "needles of the task's own form",
} as const;

function niahRecipe(
  settings: Settings,
  request: SampleRequest & { readonly knobs: string },
): Recipe {
  const { materials, length, seed, index, knobs, frame } = request;
  const { tokenizer, words, essays } = materials;
  const { haystack, keyType, valueType, variant } = settings;
  const path = [seed, RULER_SUITE, settings.name, knobs, length];
  const draw = stream(...path, index);
  const { newKey, newValue } = needleTexts(draw, { keyType, valueType, words });
  const keys = Array.from({ length: settings.keys }, newKey);
  const queries = keys.slice(0, settings.queries);
  const depths = spreadDepths(settings, path, index);
  const placed = placeNeedles(keys, { settings, draw, newValue, depths });
  const references = placed.filter(({ role }) => role === "target").map(({ value }) => value);
  const wording = niahWording({ queries, values: settings.values, valueType, keyType, variant });
  const filler = {
    essay: () => {
      materials.remember(`niah/${essays.name}`, () => checkEssays(essays, { task: settings.name, ...NEEDLE_LIKE }));
      return essayFiller(essays, { start: integer(draw, { low: 0, high: essays.size - 1 }), tokenizer });
    },
    noise: () => noiseFiller(tokenizer),
    needle: () => needleFiller({ type: valueType, draw: () => ({ key: newKey(), value: newValue() }), tokenizer }),
  }[haystack]();
  const layOut = (size: number, by: Filler = filler): Layout => ({
    before: [{ measured: measure(wording.opening, tokenizer) }],
    context: fillContext(placed, { size, filler: by, valueType }),
    after: [{ measured: measure(by.beforeQuestion + wording.question, tokenizer) }],
  });
  return {
    // A sentence of an essay can be of any length; the gap without one is closed by one that fits.
    least: haystack === "essay" ? 0 : 1,
    most: Infinity,
    layOut,
    closeGap(size, gap, fits): Layout {
      for (const { filler: tighter, added } of filler.tighten?.(size, gap) ?? []) {
        const layout = layOut(size + added, tighter);
        if (fits(layout)) return layout;
      }
      return layOut(size);
    },
    answerPrefix: wording.answerPrefix,
    ...(wording.isSingular && frame?.singular ? { wrapping: frame.singular } : {}),
    references: () => references,
    ...(haystack === "essay" ? { source: essays.name } : {}),
  };
}

function spreadDepths(
  settings: Settings,
  path: readonly (string | number)[],
  index: number,
): readonly number[] {
  const { queries, values, depth } = settings;
  const targets = queries * values;
  return depth === undefined
    ? spread(path, { index, dimensions: targets })
    : Array.from({ length: targets }, () => depth);
}

/** Gives every key its values and every needle its place: targets at the depths given, distractors anywhere. */
function placeNeedles(
  keys: readonly string[],
  options: {
    readonly settings: Settings;
    readonly draw: Draw;
    readonly newValue: NewText;
    readonly depths: readonly number[];
  },
): Placed[] {
  const { settings, draw, newValue, depths } = options;
  return keys.flatMap((key, keyNumber) =>
    Array.from({ length: settings.values }, (_, valueNumber): Placed => {
      const depth = depths[keyNumber * settings.values + valueNumber];
      return depth === undefined
        ? { key, value: newValue(), role: "distractor", depth: draw() }
        : { key, value: newValue(), role: "target", depth };
    })
  );
}

function fillContext(
  placed: readonly Placed[],
  { size, filler, valueType }: {
    readonly size: number;
    readonly filler: Filler;
    readonly valueType: NeedleType;
  },
): Part[] {
  const parts: Part[] = [];
  let filled = 0;
  const inOrder = placed.map((needle) => ({
    ...needle,
    at: Math.round(needle.depth * size),
  })).sort((left, right) => left.at - right.at);
  for (const { at, depth: _, ...needle } of inOrder) {
    if (at > filled) parts.push(...filler.run(filled, at, parts.length === 0));
    filled = at;
    const text = needleSentence(valueType, needle);
    parts.push({
      measured: filler.needle(text, parts.length === 0),
      fact: { text, ...needle },
    });
  }
  if (size > filled) parts.push(...filler.run(filled, size, parts.length === 0));
  return parts;
}

/** The words round the context, and the start of the answer. */
export interface Wording {
  readonly opening: string;
  readonly question: string;
  readonly answerPrefix: string;
}

/** The words of a needle question. */
interface NiahWording extends Wording {
  /** Whether the code made the whole prompt singular, any chat template included. */
  readonly isSingular: boolean;
}

/** Words a needle question (niah.py; paper, Tables 7 and 8). */
export function niahWording(
  { queries, values, valueType, keyType, variant }: {
    readonly queries: readonly string[];
    readonly values: number;
    readonly valueType: NeedleType;
    readonly keyType: NeedleType;
    readonly variant: Variant;
  },
): NiahWording {
  const query = listQueries(queries);
  const one = queries.length * values === 1;
  const singular = valueType.slice(0, -1);
  // The code makes the whole prompt singular; the paper prints a plural opening above a singular question.
  const isSingular = one && variant !== "paper";
  const opening = isSingular
    ? `A special magic ${singular} is hidden within the following text. Make sure to memorize it. I will quiz you about the ${singular} afterwards.\n`
    : `Some special magic ${valueType} are hidden within the following text. Make sure to memorize it. I will quiz you about the ${valueType} afterwards.\n`;
  // Table 7 asks for "number" where keys and values are UUIDs.
  const asked = variant === "paper" && keyType === "uuids" && valueType === "uuids" ? "number" : singular;
  const question = one
    ? `What is the special magic ${asked} for ${query} mentioned in the provided text?`
    : `What are all the special magic ${valueType} for ${query} mentioned in the provided text?`;
  const answerPrefix = one
    ? ` The special magic ${asked} for ${query} mentioned in the provided text is`
    : ` The special magic ${valueType} for ${query} mentioned in the provided text are`;
  return { opening, question, answerPrefix, isSingular };
}

function listQueries(queries: readonly string[]): string {
  if (queries.length === 1) return queries[0]!;
  return `${queries.slice(0, -1).join(", ")}, and ${queries.at(-1)}`;
}

const QUESTION = /What (?:is|are all) the special magic (\w+) for (.{1,100000}?) mentioned in the provided text\?/g;
const NEEDLE = /One of the special magic \w+ for (.{1,200}?) is: ([^.\n]{1,200})\./g;

/**
 * Reads RULER's needle tasks: whatever keys, values, queries and haystack.
 *
 * What kind of value is asked for is not believed: the paper's wording asks for a number where values are UUIDs.
 */
export const NEEDLE_READER: TaskReader = {
  name: "needles",
  recognise(prompt): Reading | null {
    const question = lastMatch(prompt, QUESTION);
    if (!question) return null;
    const [, kind, query] = question;
    const needles = readNeedles(prompt);
    const keys = query!.split(/, and |, /);
    const wanted = keys.flatMap((key) => needles.filter((needle) => needle.key === key));
    const asked = new Set(keys);
    const verb = /s$/.test(kind!) ? "are" : "is";
    const join = continueWith(prompt, `mentioned in the provided text ${verb}`);
    return {
      category: "retrieval",
      wanted,
      rivals: needles.filter(({ key }) => !asked.has(key)),
      example: [],
      invent: (draw) => inventLike(wanted[0]?.value ?? "", draw),
      write: (said) => said.length === 0 ? "" : join(`${listTexts(said)}.`),
    };
  },
};

function readNeedles(prompt: string): Finding[] {
  return Array.from(prompt.matchAll(NEEDLE), ({ 1: key, 2: value, index }) => ({
    key: key!,
    value: value!,
    depth: index / prompt.length,
  }));
}
