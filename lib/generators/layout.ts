import { defined } from "@/lib/base/mod.ts";
import { type ChatTemplate, textsAround, tokensOfMessage } from "./chat_template.ts";
import type { Part, SeeFact } from "./fillers.ts";
import type { Message, Role, Wrapping } from "./prompt.ts";
import type { Fact, FactRole, Materials, Sample } from "./task.ts";
import {
  EMPTY,
  join,
  type Joining,
  measure,
  type Measured,
  type Meetings,
  startJoin,
  type Tokenizer,
} from "@/lib/text/mod.ts";

/** Starts a message in a layout of several turns, whose first part must start one too. */
export function startMessage(role: Role): Part {
  return { measured: EMPTY, starts: role };
}

/** The parts of a prompt, in order: those of one user message, or of several messages, each after {@linkcode startMessage}. */
export interface Layout {
  readonly before: readonly Part[];
  /** The filler and the facts in it; depth is measured here. */
  readonly context: readonly Part[];
  readonly after: readonly Part[];
}

/** Makes a counter for layouts of a sample. The texts before and after their contexts are mostly the same and joined once. */
export function layoutCounter(tokenizer: Tokenizer): (layout: Layout) => number {
  const joinParts = (parts: readonly Part[]): Measured => join(parts.map(({ measured }) => measured), tokenizer);
  const [joinBefore, joinAfter] = [rememberLast(joinParts), rememberLast(joinParts)];
  const meetings: Meetings = { opens: [], heads: [], tokens: [] };
  return ({ before, context, after }) => {
    const joining = startJoin(tokenizer, meetings);
    joining.add(joinBefore(before));
    for (const { measured } of context) joining.add(measured);
    joining.add(joinAfter(after));
    return joining.tokens();
  };
}

/** Makes a function that keeps the result for the object that it was last called with. */
export function rememberLast<Given extends object, Made>(make: (given: Given) => Made): (given: Given) => Made {
  let last: { readonly given: Given; readonly made: Made } | undefined;
  return (given) => {
    if (last?.given !== given) last = { given, made: make(given) };
    return last.made;
  };
}

/** Writes the text of a layout, or of some of its stretches. */
export function writeLayout(layout: Partial<Layout>): string {
  return partsOf(layout).map(({ measured }) => measured.text).join("");
}

/** Writes the messages of a layout. */
export function writeMessages(layout: Layout): readonly Message[] {
  const messages: { readonly role: Role; text: string }[] = [];
  if (!hasTurns(layout)) return [{ role: "user", text: writeLayout(layout) }];
  for (const { starts, measured } of partsOf(layout)) {
    if (starts !== undefined) messages.push({ role: starts, text: "" });
    else messages.at(-1)!.text += measured.text;
  }
  return messages;
}

/** Returns whether a layout is one of several messages. */
export function hasTurns({ before, context, after }: Layout): boolean {
  return (before[0] ?? context[0] ?? after[0])?.starts !== undefined;
}

/** Replaces each start of a message by a part, given the roles of all messages. */
function replaceStarts(layout: Layout, partsFor: (roles: readonly Role[]) => readonly Part[]): Layout {
  const roles = partsOf(layout).flatMap(({ starts }) => starts === undefined ? [] : [starts]);
  const replacing = partsFor(roles).values();
  const replace = (parts: readonly Part[]): Part[] =>
    parts.map((part) => part.starts === undefined ? part : replacing.next().value!);
  return { before: replace(layout.before), context: replace(layout.context), after: replace(layout.after) };
}

function partsOf({ before = [], context = [], after = [] }: Partial<Layout>): Part[] {
  return [...before, ...context, ...after];
}

/** The text around a layout. */
interface WrapOptions {
  readonly template: ChatTemplate;
  readonly tokenizer: Tokenizer;
  readonly answerPrefix: string;
  /** Text around the prompt that replaces the template's own. */
  readonly wrapping?: Wrapping;
}

/** Joins the messages of a layout to one text, without the answer prefix. */
export function joinTurns(layout: Layout, { template, wrapping, tokenizer }: WrapOptions): Layout {
  let closing = "";
  const { before, context, after } = replaceStarts(layout, (roles) => {
    const messages = roles.map((role) => ({ role }));
    const around = textsAround({ messages, ...defined({ wrapping }) }, template);
    closing = around.at(-1)!;
    // Most are one of two texts.
    const parts = new Map<string, Part>();
    return around.slice(0, -1).map((text) =>
      parts.getOrInsertComputed(text, () => ({ measured: measure(text, tokenizer) }))
    );
  });
  return { before, context, after: [...after, { measured: measure(closing, tokenizer) }] };
}

/** Parts the messages of a layout, each after the first with the tokens that the server adds. */
function partTurns(layout: Layout, { template, tokenizer, wrapping = template }: WrapOptions): Layout {
  // Nothing is joined across it: its safe cuts are at both ends.
  const border = (role: Role): Measured => (
    { text: "", head: "", tail: "", inner: tokensOfMessage(role, template.messageTokens!) }
  );
  const words = measure(wrapping.before, tokenizer);
  const { before, context, after } = replaceStarts(layout, (roles) => {
    const first = roles.indexOf("user");
    const [user, assistant] = [border("user"), border("assistant")].map((measured): Part => ({ measured }));
    return roles.map((role, at): Part => {
      if (at > first) return role === "user" ? user! : assistant!;
      return { measured: join([...(at === 0 ? [] : [border(role)]), ...(at === first ? [words] : [])], tokenizer) };
    });
  });
  return { before, context, after: [...after, { measured: measure(wrapping.after, tokenizer) }] };
}

/** Makes a function that puts a template and the answer prefix around layouts. */
export function layoutWrapper(options: WrapOptions): (layout: Layout) => Layout {
  const { template, tokenizer, answerPrefix, wrapping = template } = options;
  const ending = wrapping.after + (template.answerPrefix ? answerPrefix : "");
  const before = wrapping.before === "" ? [] : [{ measured: measure(wrapping.before, tokenizer) }];
  const after = ending === "" ? [] : [{ measured: measure(ending, tokenizer) }];
  const withBefore = rememberLast((parts: Layout["before"]) => [...before, ...parts]);
  const withAfter = rememberLast((parts: Layout["after"]) => [...parts, ...after]);
  const wrapTurns = template.messageTokens === undefined ? joinTurns : partTurns;
  return (layout) => {
    if (!hasTurns(layout)) {
      return { before: withBefore(layout.before), context: layout.context, after: withAfter(layout.after) };
    }
    const wrapped = wrapTurns(layout, options);
    const prefix = measure(template.answerPrefix ? answerPrefix : "", tokenizer);
    return { ...wrapped, after: [...wrapped.after, { measured: prefix }] };
  };
}

/** Measures a text that many samples share, once. */
export function measureOnce(
  text: string,
  { tokenizer, remember }: Pick<Materials, "tokenizer" | "remember">,
): Measured {
  return remember(`measured/${text}`, () => measure(text, tokenizer));
}

/**
 * Lists the facts of a layout with their depth and token offset.
 *
 * @param options.wanted The only role to list, which is faster; all by default.
 * @param options.question The number of the question that is asked of the context, if there are several.
 */
export function locateFacts(
  layout: Layout,
  options: { readonly tokenizer: Tokenizer; readonly wanted?: FactRole; readonly question?: number },
): Fact[] {
  const { tokenizer, wanted, question = 0 } = options;
  const joining = startJoin(tokenizer);
  const facts: Fact[] = [];
  const ends: number[] = [];
  const see: SeeFact = ({ text, key, answers, ...fact }, from, to) => {
    const role = answers === undefined || answers[question] !== undefined ? fact.role : "distractor";
    const value = answers?.[question] ?? fact.value;
    if (wanted !== undefined && role !== wanted) return;
    facts.push({ role, text, key, value, depth: null, tokenOffset: from });
    ends.push(to);
  };
  locate(layout.before, { joining, tokenizer, wanted, see });
  const [first, start] = [facts.length, joining.tokens()];
  locate(layout.context, { joining, tokenizer, wanted, see });
  const contextTokens = joining.tokens() - start;
  for (let place = first; place < ends.length; place++) {
    const from = facts[place]!.tokenOffset!;
    const others = contextTokens - (ends[place]! - from);
    facts[place] = { ...facts[place]!, depth: others > 0 ? Math.min(1, Math.max(0, (from - start) / others)) : 0 };
  }
  locate(layout.after, { joining, tokenizer, wanted, see });
  return facts;
}

/** Adds parts to a join and shows the facts among them. */
function locate(parts: readonly Part[], place: {
  readonly joining: Joining;
  readonly tokenizer: Tokenizer;
  readonly wanted: FactRole | undefined;
  readonly see: SeeFact;
}): void {
  const { joining, tokenizer, wanted, see } = place;
  for (const { measured, fact, parts: smaller, seeFacts, role } of parts) {
    const isOther = wanted !== undefined && (fact?.role ?? role ?? wanted) !== wanted;
    if (smaller && !isOther) {
      locate(smaller, place);
      continue;
    }
    const start = fact && !isOther ? joining.tokens() : 0;
    joining.add(measured);
    if (isOther) continue;
    if (fact) see(fact, start, joining.tokens());
    if (!seeFacts) continue;
    const cut = joining.tokens() - measured.inner - tokenizer.countAfterCut(measured.tail);
    seeFacts((placed, from, to) => see(placed, cut + from, cut + to), wanted);
  }
}

/** How the facts and the question of a sample are found, and what they are in. */
interface SampleSource {
  /** The layout of the prompt, with the template and the answer prefix around it. */
  readonly layout: Layout;
  list(): readonly Fact[];
  /** Counts the tokens before the first target; `null` if it has no single place. */
  firstTarget(): number | null;
  question(): string;
}

/**
 * Adds the question and the facts of a sample, which are found when they are first read: some samples have thousands of facts, and
 * most are never read.
 */
export function addLazily<T extends object>(
  sample: T,
  { list, ...rest }: SampleSource,
): T & Pick<Sample, "question" | "facts"> {
  let facts: readonly Fact[] | undefined;
  const source: SampleSource = { list: () => facts ??= list(), ...rest };
  Object.defineProperty(sample, SOURCE, { value: source });
  return Object.defineProperties(sample, LAZY) as T & Pick<Sample, "question" | "facts">;
}

const SOURCE = Symbol("source");

/** A sample with its source. */
interface Sourced {
  readonly [SOURCE]: SampleSource;
}

// Subtle: samples share their getters. V8 retains objects that have their own getters until a full collection.
const LAZY: PropertyDescriptorMap = {
  question: {
    enumerable: true,
    get(this: Sourced): string {
      return this[SOURCE].question();
    },
  },
  facts: {
    enumerable: true,
    get(this: Sourced): readonly Fact[] {
      return this[SOURCE].list();
    },
  },
};

/**
 * Counts the tokens of a whole prompt before the first fact that is asked for, in a fraction of the time that all facts take;
 * `null` if no such fact has a single place, such as the count of a word.
 */
export function firstTargetOffset(sample: Sample): number | null {
  const { [SOURCE]: source } = sample as Partial<Sourced>;
  if (source !== undefined) return source.firstTarget();
  return sample.facts.find(({ role }) => role === "target")?.tokenOffset ?? null;
}

/** A prompt in three parts; joined, they are the text that is sent. */
export interface PromptParts {
  /** The template's words, the instructions and the context, with the white space after it. */
  readonly context: string;
  /** The question, with the white space after it. */
  readonly question: string;
  /** The start of the answer; empty if there is none. */
  readonly answerPrefix: string;
}

/**
 * Splits a prompt at the end of its context, where white space belongs to the part before it, as in the data sets of NVIDIA's kvpress.
 *
 * Returns `null` if that is not possible: a prompt of several messages, without a context or without a question after it, or a
 * sample of a file, whose parts are not known.
 */
export function splitPrompt(sample: Sample): PromptParts | null {
  const { [SOURCE]: source } = sample as Partial<Sourced>;
  const { messages, answerPrefix = "" } = sample.prompt;
  if (source === undefined || messages.length > 1 || source.layout.context.length === 0) return null;
  const { before, context, after } = source.layout;
  const rest = writeLayout({ after });
  const asked = rest.slice(0, rest.length - answerPrefix.length);
  if (asked.trim() === "") return null;
  const space = asked.length - asked.trimStart().length;
  const prefix = answerPrefix.trimStart();
  return {
    context: writeLayout({ before, context }) + asked.slice(0, space),
    question: rest.slice(space, rest.length - prefix.length),
    answerPrefix: prefix,
  };
}
