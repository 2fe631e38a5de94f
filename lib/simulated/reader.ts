import { sum } from "@/lib/base/mod.ts";
import type { Finding, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { createHash } from "node:crypto";
import { canSlip, copiesExample, drawWeighted, hasLikeKey, slipDigit, writeLost } from "./words.ts";
import type { FactForm, MistakeRates, Profile, ReplyForm } from "./profiles.ts";
import { estimateTokens, type PromptFeatures, readingFeatures, recallOf } from "./reading.ts";
import { type Draw, integer, pick, shuffle, stream } from "@/lib/random/mod.ts";

/** A reply of the simulated reader, and, apart from it, its mistakes. */
export interface SimulatedReply {
  /** The text that continues the prompt. */
  readonly text: string;
  /** All differences from the ideal reader's text; never part of a record. */
  readonly mistakes: readonly Mistake[];
  /** The recognised task; `null` for an unknown prompt. */
  readonly task: string | null;
  /** Why even the ideal reader cannot solve the item; the reply then measures nothing. */
  readonly unsolved?: string;
}

/**
 * A kind of mistake: a replacement of one fact or a form of the whole reply that profiles have rates for, or one of these:
 *
 * - `lost_hop`: a fact is missing, as the chain that leads to it was lost there or before;
 * - `stopped`: it is replaced by the value of the thread's last found step;
 * - `miscounted`: it is replaced by a less frequent word;
 * - `unlisted`: it is part of the sum, but missing in the list;
 * - `example`: the reply is the answer of the worked example;
 * - `misadded`: it has a wrong sum of what was found;
 * - `listed`: it lists everything that could be an answer.
 */
export type MistakeKind =
  | FactForm
  | ReplyForm
  | ("lost_hop" | "stopped" | "miscounted" | "unlisted" | "example" | "misadded" | "listed");

/** One mistake of the simulated reader, by which explanations of failures are tested. */
export interface Mistake {
  readonly kind: MistakeKind;
  /** The fact's key and value; `null` if the whole reply is wrong. */
  readonly fact: string | null;
  readonly wanted: string | null;
  /** The replacement; `null` if there is none. */
  readonly given: string | null;
}

/** The beginning of messages for items that the reader cannot solve. */
const UNSOLVED = "The simulated reader cannot solve this item";

/** A prompt read by rule, which is the same for every profile. */
export interface PromptRead {
  readonly task: string;
  readonly reading: Reading;
  readonly features: PromptFeatures;
  /** The SHA-256 of the prompt, which seeds the losses of a profile. */
  readonly sha256: string;
}

/**
 * Reads a prompt, as one text, and answers it with the losses of a profile.
 *
 * It is not a language model: it recognises a task by its wording, extracts the facts by rule, and then loses some of them. Its only
 * input is the text, and the same prompt and profile always give the same reply.
 */
export function readAs(
  prompt: string,
  { profile, readers, read = readPrompt(prompt, readers) }: {
    readonly profile: Profile;
    readonly readers: readonly TaskReader[];
    /** The result of `readPrompt` for this prompt, if another profile has read it already. */
    readonly read?: PromptRead | null | undefined;
  },
): SimulatedReply {
  const task = read?.task ?? null;
  if (profile.manner === "stays silent") return { text: "", mistakes: [wholeMistake("empty", "")], task };
  if (read === null) {
    return { text: "I do not know.", mistakes: [], task, unsolved: `${UNSOLVED}: it has no rule for such a question` };
  }
  const { reading, features, sha256 } = read;
  if (reading.isUnsolved) {
    const unsolved = `${UNSOLVED}: no sentence of the text begins as the answer is to`;
    return { text: reading.write([]), mistakes: [], task, unsolved };
  }
  if (profile.manner === "lists everything") return { ...listEverything(reading), task };
  const draw = stream("simulated reader", profile.name, sha256);
  const recall = recallOf(features, profile);
  const { rates } = profile;
  const isLost = draw() < recall.wholeLoss;
  if (isLost && copiesExample(reading, rates, draw)) {
    const text = reading.write(reading.example);
    return { text, mistakes: [wholeMistake("example", text)], task };
  }
  const found = isLost ? reading.wanted.map(() => false) : findSteps(reading.wanted, recall.steps, draw);
  const written = isLost || isOpen(reading, found) ? writeLost(reading, { prompt, rates, draw }) : null;
  // A lost reply stays lost if the rates have no form for it: the rest of a thread would earn a part of the score.
  const lost = written ?? (isLost ? { kind: "empty" as const, text: "" } : null);
  if (lost !== null && lost.text !== null) {
    return { text: lost.text, mistakes: [wholeMistake(lost.kind, lost.text)], task };
  }
  const facts = lost === null ? rates.facts : { [lost.kind]: 1 };
  const { items, mistakes } = loseFacts({ reading, rates: { ...rates, facts }, draw }, { found, steps: recall.steps });
  if (rates.sums && reading.writeTotal) {
    const summed = slipSum(items, { reading, sums: rates.sums, draw });
    return { text: reading.writeTotal(summed.items, summed.total), mistakes: [...mistakes, ...summed.mistakes], task };
  }
  const text = reading.write(items);
  // If every fact is left out, the reply is empty.
  return { text, mistakes: text === "" && mistakes.length > 0 ? [wholeMistake("empty", "")] : mistakes, task };
}

/**
 * Returns whether nothing was found, so that the reply may fail as a whole without a change of its score. A graded text would have
 * another grade, and the values on the way of a chain have partial credit.
 */
function isOpen({ isGraded = false, category }: Reading, found: readonly boolean[]): boolean {
  return !isGraded && category !== "multi-hop tracing" && found.length > 0 && !found.includes(true);
}

/** Maximum number of facts that a prompt is read for, more than any task asks for. */
const MAX_WANTED = 10_000;

/** Reads a prompt by rule; `null` if its task is unknown. */
export function readPrompt(prompt: string, readers: readonly TaskReader[]): PromptRead | null {
  for (const { name: task, recognise } of readers) {
    const all = recognise(prompt);
    if (all === null) continue;
    const reading = all.wanted.length > MAX_WANTED ? { ...all, wanted: all.wanted.slice(0, MAX_WANTED) } : all;
    const sha256 = createHash("sha256").update(prompt).digest("hex");
    return { task, reading, features: readingFeatures(reading, estimateTokens(prompt)), sha256 };
  }
  return null;
}

function wholeMistake(kind: MistakeKind, text: string): Mistake {
  return { kind, fact: null, wanted: null, given: text || null };
}

/** Lists everything that could be an answer, which fools a score that counts only what was found. */
function listEverything({ wanted, rivals, write }: Reading): Pick<SimulatedReply, "text" | "mistakes"> {
  const text = write([...wanted, ...rivals].map(({ value }) => value).toSorted());
  const ideal = write(wanted.map(({ value }) => value));
  return { text, mistakes: text === ideal ? [] : [wholeMistake("listed", text)] };
}

/** The items of a reply, and the mistakes that replaced the others. */
interface Recollection {
  readonly items: readonly string[];
  readonly mistakes: readonly Mistake[];
}

/** How facts are lost. */
interface Losing {
  readonly reading: Reading;
  readonly rates: Pick<MistakeRates, "nearness" | "facts">;
  readonly draw: Draw;
}

/** Loses facts one by one, and replaces or leaves out each lost one; `steps` are the probabilities of finding them. */
function loseFacts(
  losing: Losing,
  { found, steps }: { readonly found: readonly boolean[]; readonly steps: readonly number[] },
): Recollection {
  const { wanted } = losing.reading;
  const right = wanted.filter((_, at) => found[at]).map(({ value }) => value);
  const used = new Set<string>(right);
  // A replacement that contains an answer would be no mistake.
  const isUsable = (text: string): boolean =>
    !used.has(text) &&
    wanted.every(({ value }) => !text.toLowerCase().includes(value.toLowerCase()));
  const mistakes: Mistake[] = [];
  const items = wanted.flatMap((fact, at): string[] => {
    if (found[at]) return [fact.value];
    // The probability of each link; their product is that of the whole way.
    const hold = steps[at]! ** (1 / (fact.links ?? 1));
    const { kind, text } = replaceFact({ ...losing, fact, right, hold, isUsable });
    mistakes.push({ kind, fact: fact.key, wanted: fact.value, given: text });
    if (text === null) return [];
    used.add(text);
    return [text];
  });
  return { items, mistakes };
}

/** Draws which facts are found; in a chain, none after the first that is lost. */
function findSteps(wanted: readonly Finding[], steps: readonly number[], draw: Draw): boolean[] {
  let isHeld = true;
  return wanted.map(({ hop = 0 }, at) => {
    isHeld = (hop === 0 || isHeld) && draw() < steps[at]!;
    return isHeld;
  });
}

interface Loss extends Losing {
  readonly fact: Finding;
  /** The right answers of the reply. */
  readonly right: readonly string[];
  /** The probability of following one link of the way to the fact. */
  readonly hold: number;
  isUsable(text: string): boolean;
}

/** Draws of a replacement before the fact is left out. */
const MAX_DRAWS = 20;

function replaceFact(loss: Loss): { readonly kind: MistakeKind; readonly text: string | null } {
  const { reading, fact, right, rates, draw } = loss;
  const isCounted = fact.count !== undefined;
  const isChained = fact.hop !== undefined;
  const leftOut: MistakeKind = isChained ? "lost_hop" : "left_out";
  const weigh = (form: FactForm): number => rates.facts[form] ?? 0;
  const kind = drawWeighted<MistakeKind>(draw, [
    // A single answer that is left out would be an empty reply, which is another kind of mistake.
    [leftOut, reading.wanted.length > 1 ? weigh("left_out") * (isChained ? 3 : 1) : 0],
    ["stopped", (fact.way?.length ?? 0) > 0 ? weigh("left_out") * 3 : 0],
    [isCounted ? "miscounted" : "distractor", reading.rivals.length > 0 ? weigh("distractor") : 0],
    ["partial", reading.category === "retrieval" ? weigh("partial") * Math.min(1, fact.value.length / 36) : 0],
    ["repeated", right.length > 0 && reading.wanted.length > 1 ? weigh("repeated") : 0],
    ["invented", weigh("invented")],
    ["near_miss", canSlip(fact) ? weigh("near_miss") : 0],
    ["key", hasLikeKey(fact) ? weigh("key") : 0],
  ]);
  if (kind === "repeated") return { kind, text: pick(draw, right) };
  if (kind === leftOut) return { kind, text: null };
  for (let tries = 0; tries < MAX_DRAWS; tries++) {
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
  "near_miss": ({ fact, draw }) => slipDigit(fact.value, draw),
  key: ({ fact }) => fact.key,
};

function nearest(rivals: readonly Finding[], { depth }: Finding): string {
  const distance = (rival: Finding): number => Math.abs((rival.depth ?? 0) - (depth ?? 0));
  return rivals.reduce((best, rival) => distance(rival) < distance(best) ? rival : best).value;
}

/** Maximum share of the found values that are missing in the list. */
const UNLISTED_SHARE = 0.25;
/** Maximum error of a wrong sum. */
const MAX_ERROR = 9;

/** Adds up the found values, then loses some of them in the list, or adds up wrongly. */
function slipSum(
  found: readonly string[],
  { reading, sums, draw }: Pick<Losing, "reading" | "draw"> & { readonly sums: NonNullable<MistakeRates["sums"]> },
): Recollection & { readonly total: number } {
  const isForgetful = draw() < sums.unlisted && found.length > 0;
  const maxLost = Math.max(1, Math.floor(found.length * UNLISTED_SHARE));
  const places = found.map((_, place) => place);
  const lost = new Set(isForgetful ? shuffle(draw, places).slice(0, integer(draw, { low: 1, high: maxLost })) : []);
  const items = found.filter((_, place) => !lost.has(place));
  const unlisted = [...lost].toSorted((left, right) => left - right).map((place): Mistake => {
    const fact = reading.wanted.find(({ value }) => value === found[place]);
    return { kind: "unlisted", fact: fact?.key ?? null, wanted: found[place]!, given: null };
  });
  const total = addUp(found);
  if (draw() >= sums.misadded) return { items, total, mistakes: unlisted };
  const right = addUp(reading.wanted.map(({ value }) => value));
  const offs = Array.from({ length: MAX_ERROR }, (_, at) => [total - at - 1, total + at + 1]).flat();
  // The right sum would be no mistake, and that of the list another one.
  const wrong = shuffle(draw, offs).find((sum) => sum !== right && sum !== addUp(items))!;
  const misadded: Mistake = { kind: "misadded", fact: null, wanted: String(total), given: String(wrong) };
  return { items, total: wrong, mistakes: [...unlisted, misadded] };
}

function addUp(values: readonly string[]): number {
  return sum(values, (value) => Number(value) || 0);
}
