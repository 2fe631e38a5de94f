import { defined } from "@/lib/base/mod.ts";
import { noiseLines } from "./needles.ts";
import { NOISE_LINE, type Variant } from "./wording.ts";
import {
  type FactRole,
  type Filler,
  type Materials,
  measureOnce,
  type Part,
  type PartFact,
  type Planted,
  plantFacts,
} from "@/lib/generators/mod.ts";
import { type Draw, integer, pick } from "@/lib/random/mod.ts";
import { countTokens, type Measured, measureForm } from "@/lib/text/mod.ts";

/** Variables with one value: the first is assigned a number, each other one the variable before it. */
export interface Chain {
  readonly role: FactRole;
  /** The number of the question that asks for it, of several. */
  readonly question?: number;
  readonly names: readonly string[];
  readonly value: string;
  /** The share of the noise before each assignment, rising. */
  readonly depths: readonly number[];
}

const NAME_LETTERS = { example: 3, task: 5 } as const;

/**
 * Returns a function that draws chains; no name is part of another and all values differ, which the reference does not check.
 *
 * @param taken The texts that must not contain a name.
 */
export function chainDrawer(draw: Draw, taken: NamesTaken): (role: FactRole, depths: readonly number[]) => Chain {
  const newName = variableNames(draw, taken);
  const values = new Set<string>();
  const newValue = (): string => {
    for (;;) {
      // Never 99999, as in the reference.
      const value = String(integer(draw, { low: 10_000, high: 99_998 }));
      if (values.has(value)) continue;
      values.add(value);
      return value;
    }
  };
  return (role, depths) => {
    const letters = role === "example" ? NAME_LETTERS.example : NAME_LETTERS.task;
    return {
      role,
      names: depths.map(() => newName(letters)),
      value: newValue(),
      depths: depths.toSorted((left, right) => left - right),
    };
  };
}

/** The names that a text excludes: parts of it or, for an essay, its words. */
export interface NamesTaken {
  /** The numbers of all parts of the text that could be names. */
  readonly parts: ReadonlySet<number>;
  readonly words?: ReadonlySet<string> | undefined;
}

/** Returns the numbers of all parts of a text that could be names, in any case. */
export function namesIn(text: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const [run] of text.toUpperCase().matchAll(/[A-Z]+/g)) {
    for (const letters of Object.values(NAME_LETTERS)) {
      for (let end = letters; end <= run.length; end++) numbers.add(numberOf(run, end - letters, end));
    }
  }
  return numbers;
}

/** Returns a function that draws names of upper-case letters; none is part of another or of an excluded text. */
function variableNames(draw: Draw, taken: NamesTaken): (letters: number) => string {
  const used = new Set<number>();
  const piecesOfUsed = new Set<number>();
  return (letters) => {
    for (;;) {
      let name = "";
      while (name.length < letters) name += pick(draw, LETTERS);
      const pieces = listPieces(name);
      const whole = numberOf(name);
      if (piecesOfUsed.has(whole) || pieces.some((piece) => used.has(piece))) continue;
      if (taken.parts.has(whole) || taken.words?.has(name)) continue;
      used.add(whole);
      for (const piece of pieces) piecesOfUsed.add(piece);
      return name;
    }
  };
}

const LETTERS: readonly string[] = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Lists all parts of 3 or more letters, the whole name included, as numbers. */
function listPieces(name: string): number[] {
  const pieces: number[] = [];
  for (let start = 0; start + 3 <= name.length; start++) {
    for (let end = start + 3; end <= name.length; end++) pieces.push(numberOf(name, start, end));
  }
  return pieces;
}

/** Returns a unique number of a text of up to ten capitals; sets of numbers are faster than sets of texts. */
function numberOf(name: string, start = 0, end: number = name.length): number {
  let number = 1;
  for (let at = start; at < end; at++) number = 32 * number + (name.charCodeAt(at) & 31);
  return number;
}

/** The text and the token counts of lines. */
export interface Dressing {
  readonly variant: Variant;
  readonly materials: Pick<Materials, "tokenizer" | "remember">;
}

/** An assignment and the share of the noise before it. */
interface Assignment {
  readonly depth: number;
  readonly text: string;
  /** Whether a variable is assigned to it, not a number. */
  readonly isOfVariable: boolean;
  readonly fact: PartFact;
}

/** Returns the assignments of chains by depth; those of a chain at one depth keep their order. */
function assignmentsOf(chains: readonly Chain[], variant: Variant): Assignment[] {
  const assignments = chains.flatMap(({ names, value, depths, role, question }) =>
    names.map((name, hop): Assignment => {
      const source = hop === 0 ? value : names[hop - 1]!;
      const isOfVariable = hop > 0 && variant !== "paper";
      const text = `VAR ${name} = ${isOfVariable ? "VAR " : ""}${source}`;
      const answers = question === undefined ? undefined : { [question]: source };
      const fact = { role, text, key: name, value: source, ...defined({ answers }) };
      return { depth: depths[hop]!, text: isOfVariable ? `${text} ` : text, isOfVariable, fact };
    })
  );
  return chains.length === 1 ? assignments : assignments.sort((left, right) => left.depth - right.depth);
}

/** The lines of a variant, whose common parts are counted once. */
interface ChainLines {
  /** Returns some noise lines; there is no separator before the first line of a context. */
  noise(lines: number, isFirst: boolean): readonly Measured[];
  assignment(assignment: Assignment, isFirst: boolean): Measured;
  /** The tokens that one more noise line takes. */
  readonly noiseTokens: number;
}

/**
 * The code of 2026 ends each line with a newline. The code of 2024 joins lines with a space, and only noise lines end with a
 * newline. In both, a line that assigns one variable to another ends with a space; in the paper it does not.
 */
export function chainLines({ variant, materials }: Dressing): ChainLines {
  return materials.remember(`chain lines/${variant}`, () => {
    const { tokenizer } = materials;
    const [separator, lineEnd] = variant === "2024" ? [" ", ""] : ["", "\n"];
    const firstNoise = measureOnce(`${NOISE_LINE}\n`, materials);
    const moreNoise = noiseLines(materials, separator);
    const formsAfter = (before: string) => ({
      ofNumber: measureForm([`${before}VAR `, " = ", lineEnd], tokenizer),
      ofVariable: measureForm([`${before}VAR `, " = VAR ", ` ${lineEnd}`], tokenizer),
    });
    const [first, later] = [formsAfter(""), formsAfter(separator)];
    const [one, two] = [1, 2].map((lines) => countTokens(moreNoise(lines), tokenizer));
    return {
      noise: (lines, isFirst) => isFirst ? [firstNoise, moreNoise(lines - 1)] : [moreNoise(lines)],
      assignment({ isOfVariable, fact: { key, value } }, isFirst): Measured {
        const { ofNumber, ofVariable } = isFirst ? first : later;
        return (isOfVariable ? ofVariable : ofNumber)([key, value]);
      },
      noiseTokens: two! - one!,
    };
  });
}

export function hideChains(chains: readonly Chain[], dressing: Dressing): (noiseLines: number) => Part[] {
  const lines = chainLines(dressing);
  const assignments = assignmentsOf(chains, dressing.variant);
  const dress = (assignment: Assignment, isFirst: boolean): Part => (
    { measured: lines.assignment(assignment, isFirst), fact: assignment.fact }
  );
  const dressed = assignments.map((assignment) => dress(assignment, false));
  return (noiseLines) => {
    const parts: Part[] = [];
    let filled = 0;
    const addNoise = (upTo: number): void => {
      if (upTo <= filled) return;
      for (const measured of lines.noise(upTo - filled, parts.length === 0)) parts.push({ measured });
      filled = upTo;
    };
    assignments.forEach((assignment, index) => {
      addNoise(Math.round(assignment.depth * noiseLines));
      parts.push(parts.length === 0 ? dress(assignment, true) : dressed[index]!);
    });
    addNoise(noiseLines);
    return parts;
  };
}

/** Hides chains in essays, each assignment as its own sentence, as the code of 2026 does. */
export function hideInEssay(
  chains: readonly Chain[],
  { filler, size }: { readonly filler: Filler; readonly size: number },
): Part[] {
  const planted = assignmentsOf(chains, "2026").map(({ depth, text, fact }): Planted => ({
    at: Math.round(depth * size),
    part: (isFirst) => ({ measured: filler.needle(`${text.trim()}.`, isFirst), fact }),
  }));
  return plantFacts(planted, { filler, size });
}
