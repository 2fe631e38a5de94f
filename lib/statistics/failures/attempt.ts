import type { FailedOutcome, FailedSample } from "./failure_rows.ts";
import { afterLead, oneLine, plainWords, spell } from "./words.ts";
import { type Fact, userText } from "@/lib/generators/mod.ts";
import {
  type AnswerEnd,
  type AnswerRule,
  type AnswerShape,
  cleanPrediction,
  type FirstAnswer,
  firstAnswer,
  shapeOf,
} from "@/lib/scorers/mod.ts";

/** An answer with its sample, parsed without judging it. */
export interface Attempt {
  readonly sample: FailedSample;
  readonly shape: WantedAnswer;
  /** Spells an answer for comparison. */
  readonly spell: (text: string) => string;
  /** Whether the scorer found an answer of its form in the reply. */
  readonly isExtracted: boolean;
  /** The first answer of the reply, cleaned as RULER does: what it says before it rambles on. */
  readonly reply: string;
  /** What the reply says after it, and what begins that. */
  readonly rest: string;
  readonly endedBy: AnswerEnd | null;
  /** The answers in the first answer. */
  readonly found: readonly string[];
  /** The answers in it in another form only. */
  readonly otherForm: readonly string[];
  /** The answers not in it, in the order wanted. */
  readonly missing: readonly string[];
  /** Whether a text has all answers, in whatever form. */
  readonly holds: (said: string) => boolean;
  /** Whether a text has one of them. */
  readonly holdsOne: (said: string) => boolean;
  /** Whether the output limit ended it, and not what follows. */
  readonly isCut: boolean;
  /** Whether the provider's filter ended it. */
  readonly isFiltered: boolean;
  /** The model's answer without any context. */
  readonly closedBookAnswer: string | undefined;
  /** The prompt up to the line of the question, normalised for comparison, as one line. */
  readonly context: () => string;
  /** How often each word occurs in the list or text whose words are counted. */
  readonly counts: () => ReadonlyMap<string, number>;
  /** The line of the question with the answer prefix, normalised for comparison. */
  readonly question: string;
}

/** The characters of a reply that are read: a reply that never ends shows what it is long before. */
const MOST_READ = 20_000;

/** Parses an answer; `null` for a failed call. */
export function readAttempt(sample: FailedSample, outcome: FailedOutcome): Attempt | null {
  const { reply: answer, rule, closedBookAnswer } = outcome;
  if (answer.kind === "failure") return null;
  const { finishReason, completionTokens = 0 } = answer;
  const shape = readShape(sample, rule);
  const whole = cleanPrediction(answer.text.slice(0, MOST_READ));
  const { answerPrefix = "" } = sample.prompt;
  const user = userText(sample.prompt);
  const asks = questionStart(user);
  const question = oneLine(`${user.slice(asks)}${answerPrefix}`);
  const isExtracted = typeof rule.extract?.(whole) === "string";
  const first = rule.extract !== undefined
    ? firstAnswer(whole, sample.references, rule)
    : shape.kind === "text"
    ? readPlain(skipLead(whole, user), sample.references, rule)
    : readList(firstAnswer(whole, sample.references, rule), shape.asked);
  const { rest, endedBy } = first;
  const reply = cleanPrediction(first.text);
  const spellAnswer = speller(rule);
  const wanted = wantedAnswers(sample).map(spellAnswer);
  const isOther = (said: string, answer: string): boolean =>
    holdsOtherForm(said, answer) || shape.kind === "text" && holdsOtherWords(said, answer, sample);
  const gives = (said: string, answer: string): boolean =>
    holdsAnswer(spellAnswer(said), answer) || isOther(said, answer);
  const [found, lacking] = part(wanted, (answer) => holdsAnswer(spellAnswer(reply), answer));
  const [otherForm, missing] = part(lacking, (answer) => isOther(reply, answer));
  let spelled: string | undefined;
  let counted: ReadonlyMap<string, number> | undefined;
  const context = (): string => spelled ??= oneLine(user.slice(0, Math.max(0, asks - 1)));
  return {
    sample,
    shape,
    spell: spellAnswer,
    isExtracted,
    reply,
    rest,
    endedBy,
    found,
    otherForm,
    missing,
    holds: (said) => wanted.every((answer) => gives(said, answer)),
    holdsOne: (said) => wanted.some((answer) => gives(said, answer)),
    isCut: rest.trim() === "" &&
      (finishReason === "length" || finishReason === "unknown" && completionTokens >= sample.answerRoom),
    isFiltered: finishReason === "content_filter",
    closedBookAnswer,
    context,
    counts: () => counted ??= countWords(context()),
    question,
  };
}

/** Where the last line of a prompt starts; a start of the answer alone, such as "Value:", belongs to the line before. */
function questionStart(user: string): number {
  const last = user.lastIndexOf("\n");
  const isStart = /^[^.?!。？！]{0,40}[:：]\s*$/.test(user.slice(last + 1));
  return (isStart && last > 0 ? user.lastIndexOf("\n", last - 1) : last) + 1;
}

/** What leads to a plain answer: lines that announce one, and the prompt's own instructions. */
function skipLead(text: string, prompt: string): string {
  const said = plainWords(prompt).join(" ");
  let left = skipAnnounced(text);
  for (;;) {
    const [sentence = ""] = /^[^.!?。！？\n]*[.!?。！？]+/.exec(left.trimStart()) ?? [];
    const rest = left.trimStart().slice(sentence.length);
    const isInstruction = INSTRUCTING.test(sentence) && said.includes(plainWords(sentence).join(" "));
    if (!isInstruction || !/[\p{L}\p{N}]/u.test(rest)) return left;
    left = rest;
  }
}

/** The words of a sentence that tells a model what to do. */
const INSTRUCTING = /\b(?:please|you are|your answer|do not|don't|remember|memorize)\b|请|你是|不要|记住/i;

/** Leaves out the lines at the start of a text that only announce an answer. */
export function skipAnnounced(text: string): string {
  let end = 0;
  for (const line of text.split("\n")) {
    const isAnnounced = line.trim() === "" || /[:：][\s"”'’]*$/.test(line) && !/[?？.!。！]/.test(line);
    if (!isAnnounced) break;
    end += line.length + 1;
  }
  const left = text.slice(end);
  return left.trim() === "" ? text : left;
}

/**
 * The first answer in plain text: the first item of a numbered list, as one answer is asked for; nothing where only questions
 * were said and the last of them was cut.
 */
function readPlain(text: string, references: readonly string[], rule: AnswerRule): FirstAnswer {
  const first = firstAnswer(text, references, rule);
  const bare = (line: string): string => line.trim().replace(/^\d{1,3}[.)、]\s*/, "");
  const said = bare(first.text);
  const before = text.slice(0, text.lastIndexOf(said));
  if (first.endedBy === null && said !== "" && before.split("\n").some((line) => bare(line).startsWith(said))) {
    return { text: "", rest: text, endedBy: "a new question" };
  }
  const end = first.text.search(/(?<!\s)[^\S\n]*\n\s*2[.)、]/);
  const item = first.text.slice(0, Math.max(0, end)).replace(/^\s*1[.)、]/, "");
  if (!/^\s*1[.)、]/.test(first.text) || !/\p{L}/u.test(item)) return first;
  // A list of questions is no answer.
  if (/[?？]/.test(item)) return { text: "", rest: text, endedBy: "a new question" };
  return { text: item, rest: `${first.text.slice(end)}${first.rest}`, endedBy: "the next line" };
}

/**
 * Keeps the lines of a list that say an item again, and the start of a line that the output limit cut: that is how the list
 * fails, and no rambling. A number alone on its line is the answer where one is asked for.
 */
function readList(first: FirstAnswer, asked: number): FirstAnswer {
  const { text, rest, endedBy } = first;
  const [, number, others] = /^(\s*\d+)\n([^]*)$/.exec(text) ?? [];
  if (asked === 1 && number !== undefined) return { text: number, rest: `${others}${rest}`, endedBy: "the next line" };
  const said = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const form = (line: string): string => line.trim().replaceAll(/\d+/g, "0");
  const formOfRest = form(rest);
  if (asked > 1 && formOfRest !== "" && said.some((line) => form(line).startsWith(formOfRest))) {
    return { text: `${text}\n${rest}`, rest: "", endedBy: null };
  }
  if (endedBy !== "a repeated line" || asked < 2) return first;
  const isList = LIST_LINE.test(said.at(-1)!);
  // Without list marks, lines of one item each are a list, as in "It counted 7" over and over.
  if (!isList && said.some((line) => (line.match(/\d+/g) ?? []).length !== 1)) return first;
  let end = 0;
  for (const line of rest.split("\n")) {
    const isAgain = isList ? LIST_LINE.test(line) : said.some((each) => each.startsWith(line.trim()));
    if (line.trim() !== "" && !isAgain) break;
    end += line.length + 1;
  }
  return { text: `${text}\n${rest.slice(0, end)}`, rest: rest.slice(end), endedBy };
}

const LIST_LINE = /^\s*(?:[-*•+]|\d{1,3}[.)])/;

// Shorter numbers occur inside others by chance.
const LEAST_INSIDE = 5;

function holdsAnswer(said: string, answer: string): boolean {
  if (!/^\d+$/.test(answer) || answer.length >= LEAST_INSIDE) return said.includes(answer);
  return new RegExp(`(?<![\\d.]|(?<!\\d)-)${answer}(?!\\d)`).test(said);
}

function part(texts: readonly string[], holds: (text: string) => boolean): [string[], string[]] {
  return [texts.filter(holds), texts.filter((text) => !holds(text))];
}

/** Returns the function that normalises answers for comparison: {@linkcode spell}, then the scorer's own. */
function speller({ normalise = (text) => text }: AnswerRule): (text: string) => string {
  return (text) => normalise(spell(text));
}

/** How to understand a reply to a sample: from its references and the roles of its facts, whatever its task. */
export interface WantedAnswer {
  /** The form of one answer, which decides what counts as an item in a reply. */
  readonly kind: AnswerShape;
  /** How many items are asked for; 1 if any one of the references will do. */
  readonly asked: number;
  /** The fact of each wanted answer, by its normalised text. */
  readonly targets: ReadonlyMap<string, Fact>;
  /** The facts that could be given instead, by their normalised text; `null` for a wrong answer that is no fact. */
  readonly rivals: ReadonlyMap<string, Fact | null>;
  /** The facts of the worked example, by their normalised text. */
  readonly examples: ReadonlyMap<string, Fact>;
  /** What the facts are about, if their values are the answers; a reply may repeat it. */
  readonly keys: ReadonlySet<string>;
  /** The answers in the order of their chain; empty if they form none. */
  readonly chain: readonly string[];
  /** Intermediate values on the way to an answer, with their step, from 0. */
  readonly links: ReadonlyMap<string, number>;
  /** Answers that no fact says: numbers to be computed. */
  readonly computed: ReadonlySet<string>;
  /** Whether an answer is right because it is the most frequent in the context. */
  readonly isCounted: boolean;
  /** The possible lengths of an item, in characters. */
  readonly sizes: ReadonlySet<number>;
}

/** The references without questions, which a judge needs and no reply. */
function wantedAnswers({ references }: FailedSample): readonly string[] {
  const answers = references.filter((reference) => !/[?？]$/.test(reference));
  return [...new Set(answers.length > 0 ? answers : references)];
}

function readShape(sample: FailedSample, rule: AnswerRule): WantedAnswer {
  const spell = speller(rule);
  const { facts, references, distractors = [] } = sample;
  const ofRole = (...roles: readonly Fact["role"][]): Fact[] => facts.filter(({ role }) => roles.includes(role));
  const targets = ofRole("target");
  const keys = new Set(targets.map(({ key }) => spell(key)));
  const isKey = targets.length > 0 && references.every((reference) => keys.has(spell(reference)));
  const answerOf = (fact: Fact): string => spell(isKey ? fact.key : fact.value);
  const index = (some: readonly Fact[]): Map<string, Fact> =>
    new Map(
      some.toReversed().map((fact): [string, Fact] => [answerOf(fact), fact]).filter(([answer]) => answer !== ""),
    );
  const chain = isKey ? readChain(targets) : [];
  const wanted = new Set(wantedAnswers(sample).map(spell));
  const targetOf = index(targets);
  const rivals = new Map<string, Fact | null>(index(ofRole("distractor", "noise")));
  for (const distractor of distractors) if (!rivals.has(spell(distractor))) rivals.set(spell(distractor), null);
  for (const reference of wanted) rivals.delete(reference);
  const isCounted = isKey && chain.length === 0 &&
    targets.every(({ depth, value }) => depth === null && /^\d+$/.test(value));
  const says = new Set(facts.flatMap(({ key, value }) => [spell(key), spell(value)]));
  const examples = index(answersOf(ofRole("example"), isCounted));
  return {
    kind: kindOf(references, rule),
    asked: rule.contains === "any" ? 1 : wanted.size,
    targets: new Map([...wanted].flatMap((answer) => targetOf.has(answer) ? [[answer, targetOf.get(answer)!]] : [])),
    rivals,
    examples,
    keys: isKey ? new Set() : new Set(facts.map(({ key }) => spell(key))),
    chain: chain.map(answerOf),
    links: new Map(
      targets.filter((fact) => !wanted.has(answerOf(fact))).map((fact) => [answerOf(fact), countSteps(fact, targets)]),
    ),
    computed: new Set(
      references.filter((answer, at) => /^\d+$/.test(answer) && !says.has(spell(answer)) && !distractors[at]).map(
        spell,
      ),
    ),
    isCounted,
    sizes: new Set([...wanted, ...rivals.keys(), ...examples.keys()].map((answer) => answer.length)),
  };
}

/** The facts of a worked example that are its answer: of words that are counted, the most frequent. */
function answersOf(examples: readonly Fact[], isCounted: boolean): readonly Fact[] {
  if (!isCounted) return examples;
  const most = Math.max(...examples.map(({ value }) => Number(value)));
  return examples.filter(({ value }) => Number(value) === most);
}

/** Any one of several answers is read as plain text, unless it is a UUID. */
function kindOf(references: readonly string[], rule: AnswerRule): AnswerShape {
  const shape = shapeOf(references, rule);
  return rule.contains === "any" && shape !== "UUID" ? "text" : shape;
}

/**
 * Whether a reply has an answer in another form: with separators or spaces inside ("1,234,567", "A B C D E"), without its
 * hyphens, with or without accents. The answer must start and end at word boundaries.
 */
function holdsOtherForm(reply: string, answer: string): boolean {
  const wanted = plainWords(answer).join("");
  // The letters of shorter answers can occur by chance.
  if (wanted.length < 4) return false;
  const words = plainWords(reply);
  return words.some((_, start) => {
    let joined = "";
    for (let at = start; at < words.length && joined.length < wanted.length; at++) joined += words[at];
    return joined === wanted;
  });
}

/** Whether a reply says in another sentence what the asked facts say, or all that an answer says beyond the question. */
function holdsOtherWords(reply: string, answer: string, { facts, prompt }: FailedSample): boolean {
  const said = oneLine(reply);
  const values = facts.filter(({ role }) => role === "target").map(({ value }) => oneLine(value));
  const bare = values.map((value) => value.replace(/^(?:an?|the) /, ""));
  if (bare.length > 0 && !values.includes(oneLine(answer)) && bare.every((value) => value && said.includes(value))) {
    return true;
  }
  const user = userText(prompt);
  const question = user.slice(user.lastIndexOf("\n") + 1);
  const told = oneLine(afterLead(answer, question));
  if (told.split(" ").length >= LEAST_RESTATED && said.includes(told)) return true;
  const asked = new Set(plainWords(question));
  const words = plainWords(answer);
  const own = words.filter((word) => !asked.has(word));
  const given = new Set(plainWords(reply));
  return own.length > 0 && own.length <= words.length - LEAST_RESTATED && own.every((word) => given.has(word));
}

// How many words of the question an answer that restates it has at least.
const LEAST_RESTATED = 3;

/**
 * Counts the words of the context's last numbered list or, without one, of the whole context, instructions included.
 */
function countWords(context: string): Map<string, number> {
  const list = Math.max(context.lastIndexOf(" 1. "), context.startsWith("1. ") ? 0 : -1);
  const counts = new Map<string, number>();
  for (const [word] of context.slice(Math.max(0, list)).matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Puts variables in the order of their chain: each gets its value from the one before it. */
function readChain(facts: readonly Fact[]): Fact[] {
  const sourceOf = (fact: Fact): Fact | undefined => facts.find(({ key }) => key === fact.value);
  const sources = new Set(facts.map(sourceOf));
  const ends = facts.filter((fact) => !sources.has(fact));
  const chain: Fact[] = [];
  for (let fact = ends[0]; fact && !chain.includes(fact); fact = sourceOf(fact)) chain.push(fact);
  return ends.length === 1 && chain.length === facts.length && chain.length >= 2 ? chain.reverse() : [];
}

/** Counts the steps from a fact through others, each of which says the key of the next. */
function countSteps(fact: Fact, facts: readonly Fact[]): number {
  let steps = 0;
  for (let at: Fact | undefined = fact; at && steps <= facts.length; steps++) {
    const { key }: Fact = at;
    at = facts.find(({ value }) => value === key);
  }
  return steps - 1;
}
