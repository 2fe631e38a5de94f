import { type Draw, pick } from "@/lib/random/mod.ts";
import { drawWeighted } from "./_draw_weighted.ts";
import type { Lapse, LapseKind } from "./lapse.ts";
import type { Habits } from "./profile.ts";
import type { Finding, Reading } from "./reading.ts";

/** What is said, item by item, and what was done to the items that are missing. */
export interface Recollection {
  readonly said: readonly string[];
  readonly lapses: readonly Lapse[];
}

/**
 * Loses facts one by one, and says something or nothing in the place of each that is lost.
 *
 * @param reading The prompt, read.
 * @param options `steps`, the probability of each fact; `habits`, what is said instead; `draw`, the randomness.
 */
export function loseFacts(
  reading: Reading,
  options: { readonly steps: readonly number[]; readonly habits: Habits; readonly draw: Draw },
): Recollection {
  const { steps, habits, draw } = options;
  const found = findSteps(reading.wanted, steps, draw);
  const right = reading.wanted.filter((_, at) => found[at]).map(({ value }) => value);
  // Nothing said in place of a fact may hold an answer, or it would be no lapse.
  const isUsable = (text: string, used: ReadonlySet<string>): boolean =>
    !used.has(text) && reading.wanted.every(({ value }) => !text.toLowerCase().includes(value.toLowerCase()));
  const used = new Set<string>(right);
  const lapses: Lapse[] = [];
  const said = reading.wanted.flatMap((fact, at): string[] => {
    if (found[at]) return [fact.value];
    const { kind, text } = replaceFact({
      reading,
      fact,
      right,
      // What a way of several links is held with, each of them is held with.
      hold: steps[at]! ** (1 / (fact.links ?? 1)),
      habits,
      draw,
      isUsable: (text) => isUsable(text, used),
    });
    lapses.push({ kind, fact: fact.key, wanted: fact.value, said: text });
    if (text === null) return [];
    used.add(text);
    return [text];
  });
  return { said, lapses };
}

/** Draws which facts are found; in a chain, none after the first that is lost. */
function findSteps(wanted: readonly Finding[], steps: readonly number[], draw: Draw): boolean[] {
  let isHeld = true;
  return wanted.map(({ hop = 0 }, at) => {
    isHeld = (hop === 0 || isHeld) && draw() < steps[at]!;
    return isHeld;
  });
}

interface Loss {
  readonly reading: Reading;
  readonly fact: Finding;
  /** The answers that are said. */
  readonly right: readonly string[];
  /** The chance of following one link of the way to the fact. */
  readonly hold: number;
  readonly habits: Habits;
  readonly draw: Draw;
  isUsable(text: string): boolean;
}

/** How often something is drawn again that cannot be used, before the fact is left out. */
const MOST_TRIES = 20;

function replaceFact(loss: Loss): { readonly kind: LapseKind; readonly text: string | null } {
  const { reading, fact, right, habits, draw } = loss;
  const isCounted = fact.count !== undefined;
  const isChained = fact.hop !== undefined;
  const leftOut: LapseKind = isChained ? "lost_hop" : "left_out";
  const kind = drawWeighted<LapseKind>(draw, [
    // A single answer that is left out would be an empty reply, which is a lapse of its own.
    [leftOut, reading.wanted.length > 1 ? habits.facts.left_out * (isChained ? 3 : 1) : 0],
    ["stopped", (fact.way?.length ?? 0) > 0 ? habits.facts.left_out * 3 : 0],
    [isCounted ? "miscounted" : "distractor", reading.rivals.length > 0 ? habits.facts.distractor : 0],
    ["partial", reading.category === "retrieval" ? habits.facts.partial * Math.min(1, fact.value.length / 36) : 0],
    ["repeated", right.length > 0 && reading.wanted.length > 1 ? habits.facts.repeated : 0],
    ["invented", habits.facts.invented],
  ]);
  if (kind === "repeated") return { kind, text: pick(draw, right) };
  if (kind === leftOut) return { kind, text: null };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const text = TEXTS[kind]!(loss);
    if (text !== "" && loss.isUsable(text)) return { kind, text };
  }
  return { kind: leftOut, text: null };
}

const TEXTS: Readonly<Partial<Record<LapseKind, (loss: Loss) => string>>> = {
  distractor: ({ reading, fact, habits, draw }) =>
    draw() < habits.nearness ? nearest(reading.rivals, fact) : pick(draw, reading.rivals).value,
  stopped: ({ fact: { way = [] }, hold, draw }) => drawWeighted(draw, way.map((value, link) => [value, hold ** link])),
  miscounted: ({ reading, draw }) =>
    drawWeighted(draw, reading.rivals.map(({ value, count }) => [value, (count ?? 1) ** 2])),
  partial: ({ fact, draw }) => fact.value.slice(0, Math.floor(fact.value.length * (0.3 + 0.6 * draw()))),
  invented: ({ reading, draw }) => reading.invent(draw),
};

function nearest(rivals: readonly Finding[], { depth }: Finding): string {
  const distance = (rival: Finding): number => Math.abs((rival.depth ?? 0) - (depth ?? 0));
  return rivals.reduce((best, rival) => distance(rival) < distance(best) ? rival : best).value;
}
