import { defined, sum } from "@/lib/base/mod.ts";
import { type FactForm, type LostReply, type MistakeRates, openProfile, type Profile } from "./profiles.ts";
import { type Asked, readAsked, recallOf, type Wanted } from "./recall.ts";
import { formOf, PLAIN_TEMPLATE, type Sample, writeReply } from "@/lib/generators/mod.ts";
import type { Model, Reply } from "@/lib/models/mod.ts";
import type { Likelihood, RightAnswer } from "@/lib/scorers/mod.ts";
import { type Draw, integer, pick, stream, uuid } from "@/lib/random/mod.ts";

/** Raised whenever the reader answers the same prompt differently; part of every record's settings. */
export const SIMULATION_VERSION = 3;

/**
 * Makes a model of the simulated reader, which needs no key and no network.
 *
 * It answers from the facts and references of a sample. Its replies are not cut to the answer room.
 *
 * @param name A profile's name, with or without `sim:` before it.
 * @throws {RangeError} If there is no such profile; the message lists them.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(simulatedModel("gpt-4").name, "sim:gpt-4");
 * equal(simulatedModel("gpt-4").origin, "simulated");
 * ```
 */
export function simulatedModel(name: string): Model {
  const profile = openProfile(name);
  return {
    name: `sim:${profile.name}`,
    origin: "simulated",
    settings: { profile: profile.name, simulation: SIMULATION_VERSION },
    template: PLAIN_TEMPLATE,
    ...defined({ claimedWindow: profile.window === Infinity ? undefined : profile.window }),
    ask(sample): Promise<Reply> {
      const { text, mistakes } = answerAs(profile, sample);
      const finishReason = mistakes.includes("looped") ? "length" : "stop";
      return Promise.resolve({ kind: "answer", text, finishReason, latencyMs: 0, attempts: 1 });
    },
    weigh: (sample, answers) => Promise.resolve(weighAs(profile, sample, answers)),
  };
}

/**
 * A kind of mistake: what replaced a fact or the whole reply, or one of these: `example`, the answer of the worked example;
 * `stopped`, a value on the way; `unlisted`, a count that is in the sum alone; `misadded`, a wrong sum; `listed`, everything that
 * could be an answer.
 */
export type MistakeKind = FactForm | LostReply | ("example" | "stopped" | "unlisted" | "misadded" | "listed");

/** A reply of the simulated reader, and its mistakes, which are no part of a record. */
export interface SimulatedReply {
  readonly text: string;
  readonly mistakes: readonly MistakeKind[];
}

/**
 * Answers a sample with the losses of a profile.
 *
 * The reader is no language model: it knows the facts and references of the sample and loses some of them. The same prompt and
 * profile always give the same reply.
 */
export function answerAs(profile: Profile, sample: Sample): SimulatedReply {
  if (profile.manner === "stays silent") return { text: "", mistakes: ["empty"] };
  const asked = readAsked(sample);
  if (profile.manner === "lists everything") {
    const text = [...asked.wanted, ...asked.rivals].map(({ value }) => value).toSorted().join(", ");
    return { text, mistakes: asked.rivals.length === 0 ? [] : ["listed"] };
  }
  const { rates, name } = profile;
  const answering: Answering = { sample, asked, rates, draw: stream("simulated reader", name, sample.sha256) };
  if (formOf(sample).isClosedBook) return loseReply("prior", answering);
  const { wholeLoss, steps } = recallOf(asked.features, profile);
  if (answering.draw() < wholeLoss) return loseReply(drawLoss(answering), answering);
  return loseFacts(steps, answering);
}

/** Weighs right answers by the expected share of the facts that a profile retains. */
function weighAs(profile: Profile, sample: Sample, answers: readonly RightAnswer[]): Likelihood {
  const share = profile.manner === "reads" ? recallOf(readAsked(sample).features, profile).expected : 0;
  const logprob = Math.log(Math.max(share, 1e-6));
  const weighed = answers.map((answer) => ({ ...answer, tokens: [[answer.text, logprob] as const] }));
  return { kind: "likelihood", way: "simulated", answers: weighed, latencyMs: 0, calls: 1 };
}

interface Answering {
  readonly sample: Sample;
  readonly asked: Asked;
  readonly rates: MistakeRates;
  readonly draw: Draw;
}

/** Draws how a whole reply is lost; with a worked example, most often by copying its answer. */
function drawLoss({ asked: { example, rivals }, rates, draw }: Answering): LostReply | "example" {
  const { whole, copying, replies } = rates;
  if (example.length > 0 && draw() < 1 - whole / Math.max(copying, whole, 1e-9)) return "example";
  const kinds = Object.entries(replies) as [LostReply, number][];
  return drawWeighted(draw, kinds.filter(([kind]) => kind !== "distractor" || rivals.length > 0)) ?? "empty";
}

/** Repeats of an item in a loop. */
const REPEATS = 40;

/** The most frequent words of English, which a reader guesses without the text. */
const FREQUENT_WORDS = "the of and to a in that is was for it with as his on be".split(" ");

/** Well-known names and numbers, which a reader answers from memory. */
export const FAMOUS_ANSWERS: readonly string[] = [
  ...["Paris", "London", "William Shakespeare", "New York City", "1945", "Albert Einstein", "the United States"],
  ...["Microsoft", "1066", "Leonardo da Vinci"],
];

function loseReply(kind: LostReply | "example", { sample, asked, draw }: Answering): SimulatedReply {
  const { wanted, rivals, example, features } = asked;
  const known = features.category === "aggregation" ? FREQUENT_WORDS : FAMOUS_ANSWERS;
  const writeEach = (make: () => string): string => writeReply(sample, wanted.map(make));
  const texts: Readonly<Record<typeof kind, () => string>> = {
    empty: () => "",
    refused: () => "I'm sorry, but I cannot find that in the text.",
    looped: () => Array(REPEATS).fill(pick(draw, known)).join(", "),
    prior: () => writeEach(() => pick(draw, known)),
    distractor: () => writeEach(() => pick(draw, rivals).value),
    example: () => writeReply(sample, example),
  };
  return { text: texts[kind](), mistakes: [kind] };
}

/** Loses facts one by one, and replaces or leaves out each lost one. */
function loseFacts(steps: readonly number[], answering: Answering): SimulatedReply {
  const { sample, asked, rates, draw } = answering;
  const { wanted, features } = asked;
  let isHeld = true;
  const isFound = steps.map((step, at) => isHeld = (!features.facts[at]!.isChained || isHeld) && draw() < step);
  const used = new Set(wanted.filter((_, at) => isFound[at]).map(({ value }) => value));
  const mistakes: MistakeKind[] = [];
  const items = wanted.flatMap((fact, at): string[] => {
    if (isFound[at]) return [fact.value];
    const { kind, text } = replaceFact(fact, answering, used);
    mistakes.push(kind);
    if (text === null) return [];
    used.add(text);
    return [text];
  });
  if (items.length === 0 && wanted.length > 0) return { text: "", mistakes };
  if (rates.sums === undefined || !asked.hasTotal) return { text: writeReply(sample, items), mistakes };
  const { listed, total, slips } = addWrongly(items, rates.sums, draw);
  return { text: writeReply(sample, listed, total), mistakes: [...mistakes, ...slips] };
}

/** Draws of a replacement before the fact is left out. */
const MAX_DRAWS = 20;

/** The least characters of a value that can be cut, and of one that no other text may contain: counts are in many. */
const [LONG, TELLING] = [6, 4];

function replaceFact(
  { value, key, way }: Wanted,
  { asked: { wanted, rivals }, rates: { facts }, draw }: Answering,
  used: ReadonlySet<string>,
): { readonly kind: MistakeKind; readonly text: string | null } {
  const has: Readonly<Record<FactForm, boolean>> = {
    omitted: wanted.length > 1 || way.length > 0,
    distractor: rivals.length > 0,
    partial: value.length >= LONG,
    invented: true,
  };
  const forms = (Object.entries(facts) as [FactForm, number][]).filter(([form]) => has[form]);
  const form = drawWeighted(draw, forms) ?? "omitted";
  const kind = form === "omitted" && way.length > 0 ? "stopped" : form;
  if (kind === "omitted") return { kind, text: null };
  const rivalsOfKey = rivals.filter((rival) => rival.key === key);
  const texts: Readonly<Record<typeof kind, () => string>> = {
    stopped: () => pick(draw, way),
    distractor: () => pick(draw, rivalsOfKey.length > 0 ? rivalsOfKey : rivals).value,
    partial: () => value.slice(0, Math.floor(value.length * (0.3 + 0.6 * draw()))),
    invented: invent(value, draw),
  };
  // A replacement that contains an answer would be no mistake.
  const isWrong = (text: string): boolean =>
    text !== "" && !used.has(text) &&
    wanted.every((other) => text !== other.value && !(other.value.length >= TELLING && text.includes(other.value)));
  for (let tries = 0; tries < MAX_DRAWS; tries++) {
    const text = texts[kind]();
    if (isWrong(text)) return { kind, text };
  }
  return { kind: "omitted", text: null };
}

/** Returns a function that makes up values of the same form: UUIDs, numbers of as many digits, words of as many letters. */
function invent(value: string, draw: Draw): () => string {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value)) return () => uuid(draw);
  if (/^\d{1,15}$/.test(value)) {
    const low = value.length === 1 ? 0 : 10 ** (value.length - 1);
    return () => String(integer(draw, { low, high: 10 ** value.length - 1 }));
  }
  const [, letter] = /^([a-z])[a-z]*$/i.exec(value) ?? [];
  if (letter === undefined) return () => pick(draw, FAMOUS_ANSWERS);
  const first = letter === letter.toLowerCase() ? 97 : 65;
  return () => String.fromCharCode(...Array.from(value, () => integer(draw, { low: first, high: first + 25 })));
}

/** Adds up the values that were found, then loses the last one in the list, or adds up wrongly. */
function addWrongly(
  found: readonly string[],
  { unlisted, misadded }: NonNullable<MistakeRates["sums"]>,
  draw: Draw,
): { readonly listed: readonly string[]; readonly total: number; readonly slips: readonly MistakeKind[] } {
  const slips = ([["unlisted", unlisted], ["misadded", misadded]] as const).flatMap(([kind, share]) =>
    draw() < share ? [kind] : []
  );
  const error = slips.includes("misadded") ? integer(draw, { low: 1, high: 9 }) : 0;
  const listed = slips.includes("unlisted") ? found.slice(0, -1) : found;
  return { listed, total: sum(found, Number) + error, slips };
}

/** Draws one of several choices by weight; `undefined` if all weights are 0. */
function drawWeighted<T>(draw: Draw, choices: readonly (readonly [T, number])[]): T | undefined {
  let left = draw() * sum(choices, ([, weight]) => weight);
  return choices.find(([, weight]) => (left -= weight) < 0)?.[0];
}
