import { countTokens, join, type Measured, type Tokenizer } from "@/lib/text/mod.ts";
import type { Fact } from "./sample.ts";

/** A stretch of prompt: plain text, one fact, or a run of smaller stretches. */
export interface Part {
  readonly measured: Measured;
  /** The fact that the stretch is. */
  readonly fact?: Omit<Fact, "depth" | "tokenOffset">;
  /** The stretches it is made of, where facts lie among them; `measured` is their join. */
  readonly parts?: readonly Part[];
}

/** The parts of a user message, in order. */
export interface Layout {
  /** Instructions and examples. */
  readonly before: readonly Part[];
  /** The filler and the facts in it: the depth of a fact is its place in here. */
  readonly context: readonly Part[];
  /** The question. */
  readonly after: readonly Part[];
}

/** Counts the tokens of a layout between a frame's two texts. */
export function countLayout(layout: Layout, tokenizer: Tokenizer): number {
  return countTokens(joinLayout(layout, tokenizer), tokenizer);
}

/** Joins a layout into one measured text. */
export function joinLayout(layout: Layout, tokenizer: Tokenizer): Measured {
  return join(
    [...layout.before, ...layout.context, ...layout.after].map((part) => part.measured),
    tokenizer,
  );
}

/** Tells where each fact of a layout lies, in tokens and in depth. */
export function locateFacts(layout: Layout, tokenizer: Tokenizer): Fact[] {
  const contextStart = countTokens(
    join(layout.before.map((part) => part.measured), tokenizer),
    tokenizer,
  );
  const context = locate(layout.context, contextStart, tokenizer);
  const contextTokens = context.end - contextStart;
  const inContext = context.facts.map(({ fact, start, end }) => {
    const others = contextTokens - (end - start);
    return {
      ...fact,
      depth: others > 0 ? clamp((start - contextStart) / others) : 0,
      tokenOffset: start,
    };
  });
  const beside = (parts: readonly Part[], from: number): Fact[] =>
    locate(parts, from, tokenizer).facts.map(({ fact, start }) => ({
      ...fact,
      depth: null,
      tokenOffset: start,
    }));
  return [
    ...beside(layout.before, 0),
    ...inContext,
    ...beside(layout.after, context.end),
  ];
}

interface Located {
  readonly facts: {
    readonly fact: NonNullable<Part["fact"]>;
    readonly start: number;
    readonly end: number;
  }[];
  readonly end: number;
}

/** Walks along the parts; an offset can differ by a token from a count of the text cut there, where a token spans the cut. */
function locate(parts: readonly Part[], from: number, tokenizer: Tokenizer): Located {
  const facts: Located["facts"] = [];
  let position = from;
  for (const { measured, fact, parts: inner } of parts) {
    if (inner) { for (const located of locate(inner, position, tokenizer).facts) facts.push(located); }
    const end = position + countTokens(measured, tokenizer);
    if (fact) facts.push({ fact, start: position, end });
    position = end;
  }
  return { facts, end: position };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
