import type { Finding, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { createHash } from "node:crypto";
import type { MistakeRates, Profile } from "./profile.ts";
import { readingFeatures, recallOf } from "./reading.ts";
import { estimateTokens } from "./tokens.ts";
import { type Draw, integer, pick, shuffle, stream } from "@/lib/random/mod.ts";

/** What the simulated reader wrote, and, kept apart from it, what it did wrong. */
export interface SimulatedReply {
  /** The text that continues the prompt. */
  readonly text: string;
  /** Every difference from the ideal reader's text; never part of a record. */
  readonly mistakes: readonly Mistake[];
  /** The task that was recognised; `null` for an unknown prompt. */
  readonly task: string | null;
  /** Why even the ideal reader cannot solve the item, where that is so: the reply is then no measure of anything. */
  readonly unsolved?: string;
}

/**
 * What the simulated reader did wrong.
 *
 * To one fact:
 * - `left_out`: it was not said, nor anything instead;
 * - `lost_hop`: it was not said, because the chain that leads to it was lost there or before;
 * - `stopped`: a value on the way to it was said, as the thread that leads to it was lost there;
 * - `distractor`: something else of its kind from the prompt was said instead;
 * - `miscounted`: a less frequent word was said instead;
 * - `partial`: only the beginning of its value was said;
 * - `repeated`: another right answer was said again instead;
 * - `invented`: something that is not in the prompt was said instead;
 * - `unlisted`: it was found and added to the sum, and left out of the list.
 *
 * To the whole reply:
 * - `example`: the worked example's answer was copied;
 * - `prior`: all of it was made up, as from prior knowledge;
 * - `refused`: it says that it cannot answer;
 * - `looped`: it repeats one character over and over;
 * - `empty`: nothing was said;
 * - `misadded`: what was found was added up wrongly;
 * - `listed`: everything that could be an answer was said.
 */
export type MistakeKind =
  | "left_out"
  | "lost_hop"
  | "stopped"
  | "distractor"
  | "miscounted"
  | "partial"
  | "repeated"
  | "invented"
  | "unlisted"
  | "example"
  | "prior"
  | "refused"
  | "looped"
  | "empty"
  | "misadded"
  | "listed";

/** One mistake of the simulated reader: the truth that explanations of failures are measured against. */
export interface Mistake {
  readonly kind: MistakeKind;
  /** The fact's key; `null` where the whole reply is wrong. */
  readonly fact: string | null;
  /** The fact's value; `null` where the whole reply is wrong. */
  readonly wanted: string | null;
  /** What was said instead; `null` where nothing was. */
  readonly said: string | null;
}

/** The answer to a prompt of no known task. */
const UNKNOWN_TASK = "I do not know.";

/** What is said of items that the reader cannot solve. */
const UNSOLVED = {
  unknown: "The simulated reader cannot solve this item: it has no rule for such a question",
  notFound: "The simulated reader cannot solve this item: no sentence of the text begins as the answer is to",
} as const;

/**
 * Reads a prompt, as one text, and answers it, forgetting, confusing and copying as a profile does.
 *
 * It is not a language model: it recognises a task by its wording, extracts the facts by rule as an ideal reader would, and
 * then loses some of them. It gets nothing but the text, and the same prompt and profile always give the same reply.
 */
export function readAs(
  prompt: string,
  options: { readonly profile: Profile; readonly readers: readonly TaskReader[] },
): SimulatedReply {
  const { profile, readers } = options;
  const { task, reading } = recognise(prompt, readers) ?? { task: null, reading: null };
  if (profile.manner === "says nothing") return { text: "", mistakes: [wholeMistake("empty", "")], task };
  if (reading === null) return { text: UNKNOWN_TASK, mistakes: [], task, unsolved: UNSOLVED.unknown };
  if (reading.isUnsolved) return { text: reading.write([]), mistakes: [], task, unsolved: UNSOLVED.notFound };
  if (profile.manner === "lists everything") return { ...listEverything(reading), task };
  const draw = stream("simulated reader", profile.name, createHash("sha256").update(prompt).digest("hex"));
  const recall = recallOf(readingFeatures(reading, estimateTokens(prompt)), profile);
  const { rates } = profile;
  if (draw() < recall.wholeLoss) {
    const { kind, text } = failWhole(reading, { rates, draw });
    return { text, mistakes: [wholeMistake(kind, text)], task };
  }
  const { said, mistakes } = loseFacts(reading, { steps: recall.steps, rates, draw });
  if (rates.sums && reading.writeTotal) {
    const summed = slipSum(said, { reading, sums: rates.sums, draw });
    return { text: reading.writeTotal(summed.said, summed.total), mistakes: [...mistakes, ...summed.mistakes], task };
  }
  const text = reading.write(said);
  // Where every fact was left out, it is the reply that is empty.
  return { text, mistakes: text === "" && mistakes.length > 0 ? [wholeMistake("empty", "")] : mistakes, task };
}

/** Reads a prompt perfectly; `null` where its task is unknown. */
function recognise(
  prompt: string,
  readers: readonly TaskReader[],
): { readonly task: string; readonly reading: Reading } | null {
  for (const reader of readers) {
    const reading = reader.recognise(prompt);
    if (reading) return { task: reader.name, reading };
  }
  return null;
}

function wholeMistake(kind: MistakeKind, said: string): Mistake {
  return { kind, fact: null, wanted: null, said: said === "" ? null : said };
}

/** Says everything that could be an answer: a score that counts only what was found is fooled by it. */
function listEverything(reading: Reading): { readonly text: string; readonly mistakes: readonly Mistake[] } {
  const { wanted, rivals } = reading;
  const values = [...wanted, ...rivals].map(({ value }) => value).toSorted();
  const text = reading.write(values);
  const ideal = reading.write(wanted.map(({ value }) => value));
  return { text, mistakes: text === ideal ? [] : [wholeMistake("listed", text)] };
}

/** What is said, item by item, and what was done to the items that are missing. */
interface Recollection {
  readonly said: readonly string[];
  readonly mistakes: readonly Mistake[];
}

/** Loses facts one by one, and says something or nothing instead of each that is lost. */
function loseFacts(
  reading: Reading,
  options: { readonly steps: readonly number[]; readonly rates: MistakeRates; readonly draw: Draw },
): Recollection {
  const { steps, rates, draw } = options;
  const found = findSteps(reading.wanted, steps, draw);
  const right = reading.wanted.filter((_, at) => found[at]).map(({ value }) => value);
  // Nothing said instead of a fact may contain an answer, or it would be no mistake.
  const isUsable = (text: string, used: ReadonlySet<string>): boolean =>
    !used.has(text) && reading.wanted.every(({ value }) => !text.toLowerCase().includes(value.toLowerCase()));
  const used = new Set<string>(right);
  const mistakes: Mistake[] = [];
  const said = reading.wanted.flatMap((fact, at): string[] => {
    if (found[at]) return [fact.value];
    const { kind, text } = replaceFact({
      reading,
      fact,
      right,
      // The chance of each link, whose product is the chance of the whole way.
      hold: steps[at]! ** (1 / (fact.links ?? 1)),
      rates,
      draw,
      isUsable: (text) => isUsable(text, used),
    });
    mistakes.push({ kind, fact: fact.key, wanted: fact.value, said: text });
    if (text === null) return [];
    used.add(text);
    return [text];
  });
  return { said, mistakes };
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
  readonly rates: MistakeRates;
  readonly draw: Draw;
  isUsable(text: string): boolean;
}

/** How often an unusable text is drawn again before the fact is left out. */
const MOST_TRIES = 20;

function replaceFact(loss: Loss): { readonly kind: MistakeKind; readonly text: string | null } {
  const { reading, fact, right, rates, draw } = loss;
  const isCounted = fact.count !== undefined;
  const isChained = fact.hop !== undefined;
  const leftOut: MistakeKind = isChained ? "lost_hop" : "left_out";
  const kind = drawWeighted<MistakeKind>(draw, [
    // A single answer that is left out would be an empty reply, which is a mistake of its own.
    [leftOut, reading.wanted.length > 1 ? rates.facts.left_out * (isChained ? 3 : 1) : 0],
    ["stopped", (fact.way?.length ?? 0) > 0 ? rates.facts.left_out * 3 : 0],
    [isCounted ? "miscounted" : "distractor", reading.rivals.length > 0 ? rates.facts.distractor : 0],
    ["partial", reading.category === "retrieval" ? rates.facts.partial * Math.min(1, fact.value.length / 36) : 0],
    ["repeated", right.length > 0 && reading.wanted.length > 1 ? rates.facts.repeated : 0],
    ["invented", rates.facts.invented],
  ]);
  if (kind === "repeated") return { kind, text: pick(draw, right) };
  if (kind === leftOut) return { kind, text: null };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const text = TEXTS[kind]!(loss);
    if (text !== "" && loss.isUsable(text)) return { kind, text };
  }
  return { kind: leftOut, text: null };
}

const TEXTS: Readonly<Partial<Record<MistakeKind, (loss: Loss) => string>>> = {
  distractor: ({ reading, fact, rates, draw }) =>
    draw() < rates.nearness ? nearest(reading.rivals, fact) : pick(draw, reading.rivals).value,
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

/** Draws one of several things by weight; the first where all weights are 0. */
function drawWeighted<T>(draw: Draw, choices: readonly (readonly [T, number])[]): T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  let left = draw() * total;
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return choices[0]![0];
}

/** A list, and a sum that need not be the sum of the list. */
interface SlippedSum {
  readonly said: readonly string[];
  readonly total: number;
  readonly mistakes: readonly Mistake[];
}

/** At most this share of what was found is added up and left out of the list. */
const UNLISTED_SHARE = 0.25;
/** How far a sum that was added up wrongly is from the right one, at most. */
const MOST_OFF = 9;

/** Adds up what was found, and then loses some of it before it is listed, or adds it up wrongly. */
function slipSum(
  found: readonly string[],
  options: { readonly reading: Reading; readonly sums: NonNullable<MistakeRates["sums"]>; readonly draw: Draw },
): SlippedSum {
  const { reading, sums, draw } = options;
  const isForgetful = draw() < sums.unlisted && found.length > 0;
  const most = Math.max(1, Math.floor(found.length * UNLISTED_SHARE));
  const places = found.map((_, place) => place);
  const lost = new Set(isForgetful ? shuffle(draw, places).slice(0, integer(draw, { low: 1, high: most })) : []);
  const said = found.filter((_, place) => !lost.has(place));
  const unlisted = [...lost].toSorted((left, right) => left - right).map((place): Mistake => {
    const fact = reading.wanted.find(({ value }) => value === found[place]);
    return { kind: "unlisted", fact: fact?.key ?? null, wanted: found[place]!, said: null };
  });
  const total = addUp(found);
  if (draw() >= sums.misadded) return { said, total, mistakes: unlisted };
  const right = addUp(reading.wanted.map(({ value }) => value));
  const offs = Array.from({ length: MOST_OFF }, (_, at) => [total - at - 1, total + at + 1]).flat();
  // A wrong sum that came out right, or as that of the list, would be no mistake, or another one.
  const [wrong = total + MOST_OFF] = shuffle(draw, offs).filter((sum) => sum !== right && sum !== addUp(said));
  const misadded: Mistake = { kind: "misadded", fact: null, wanted: String(total), said: String(wrong) };
  return { said, total: wrong, mistakes: [...unlisted, misadded] };
}

function addUp(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + (Number(value) || 0), 0);
}

/** A reply that is wrong as a whole. */
interface WholeFailure {
  readonly kind: MistakeKind;
  readonly text: string;
}

const REFUSALS = [
  " I'm sorry, but I cannot find that in the text.",
  " I am sorry, I am not able to answer that.",
];
/** How often a loop repeats a character, as small models repeat a zero for a number. */
const ROUNDS = 120;

/** Fails as a whole: copies the worked example where there is one, or fails in a way drawn by the rates. */
function failWhole(
  reading: Reading,
  options: { readonly rates: MistakeRates; readonly draw: Draw },
): WholeFailure {
  const { rates, draw } = options;
  const { whole, copying, wholeReplies } = rates;
  // Where there is an example, what the copying adds to the other failures is copied.
  const copied = reading.example.length > 0 && draw() < 1 - whole / Math.max(copying, whole, 1e-9);
  if (copied) return { kind: "example", text: reading.write(reading.example) };
  const kind = drawWeighted<keyof MistakeRates["wholeReplies"]>(draw, [
    ["empty", wholeReplies.empty],
    ["refused", wholeReplies.refused],
    ["looped", wholeReplies.looped],
    ["prior", wholeReplies.prior],
  ]);
  if (kind === "empty") return { kind, text: "" };
  const { refusals = REFUSALS } = reading;
  if (kind === "refused") return { kind, text: refusals[Math.floor(draw() * refusals.length)]! };
  if (kind === "prior") return { kind, text: reading.write(inventAll(reading, draw)) };
  const [[character] = ""] = inventAll(reading, draw);
  return { kind, text: reading.write([(character ?? "").repeat(ROUNDS)]) };
}

/** Makes up as many answers as are wanted, none of them right. */
function inventAll(reading: Reading, draw: Draw): string[] {
  const wanted = reading.wanted.map(({ value }) => value.toLowerCase());
  const isRight = (text: string): boolean => wanted.some((value) => text.toLowerCase().includes(value));
  const invented = Array.from({ length: 4 * wanted.length + 4 }, () => reading.invent(draw))
    .filter((text, at, all) => !isRight(text) && all.indexOf(text) === at);
  return invented.slice(0, Math.max(1, wanted.length));
}
