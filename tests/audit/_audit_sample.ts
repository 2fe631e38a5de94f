import { createHash } from "node:crypto";
import type { Encoded, FullEncoder } from "./_full_encode.ts";
import type { Audit, Solution } from "./_solution.ts";
import { type ChatTemplate, type Fact, PLAIN_TEMPLATE, type Prompt, type Sample } from "@/lib/generators/mod.ts";

/** What a sample is held against. */
export interface AuditOptions {
  /** Solves the prompt, answer prefix included, from its text. */
  readonly solve: Audit["solve"];
  /** The sample's answers as they are solved; its references by default. */
  readonly answersOf?: Audit["answersOf"] | undefined;
  readonly encode: FullEncoder;
  readonly template?: ChatTemplate;
  /** Whether the length is a budget in tokens, which it is not in editions that count otherwise. */
  readonly isBudget: boolean;
  /** Whether the budget is filled up; a fixed number of pairs or documents leaves it open. */
  readonly isFilled: boolean;
}

/** Checks everything that a sample says of itself, and gives a sentence for each thing that is not so. */
export function auditSample(sample: Sample, options: AuditOptions): string[] {
  const { encode, solve, template = PLAIN_TEMPLATE } = options;
  const { answerPrefix = "" } = sample.prompt;
  const sent = asSent(sample.prompt, template);
  const encoded = encodeAll(sent, encode);
  const apart = template.extraTokens + (sent.system === "" ? 0 : countTokens(encode(sent.system)));
  const faults = [...auditHash(sample, template), ...auditFacts(sample, encoded)];
  let solution: Solution;
  try {
    solution = solve(sent.body + answerPrefix, sample);
  } catch (error) {
    return [...faults, (error as Error).message];
  }
  const tokens = countTokens(encoded) + apart;
  if (tokens !== sample.promptTokens) faults.push(`has ${tokens} tokens and says ${sample.promptTokens}`);
  const left = sample.length - tokens - sample.answerRoom;
  const most = countTokens(encode(solution.unit));
  if (options.isBudget && left < 0) faults.push(`is ${-left} tokens over its length`);
  if (options.isFilled && left > most) faults.push(`leaves ${left} tokens, where a unit has ${most}`);
  const references = options.answersOf?.(sample) ?? sample.references;
  return [
    ...faults,
    ...auditAnswers({ ...sample, references }, solution),
    ...auditPlaces(sample, { encoded, skipped: template.before, body: sent.body, solution }),
  ];
}

/** A prompt as it is sent. */
interface Sent {
  /** The texts that are tokenized, each by itself: one, or one for each message. */
  readonly texts: readonly string[];
  /** The tokens of no text before each message but the first. */
  readonly added?: readonly number[];
  /** The texts without the template's and the answer prefix. */
  readonly body: string;
  /** A system message of the template. */
  readonly system: string;
}

/** One user message is sent as one text; several turns are sent as messages, or as one text with labels. */
function asSent({ messages, answerPrefix = "" }: Prompt, template: ChatTemplate): Sent {
  const { before, after, system = "" } = template;
  const own = system === "" ? messages : messages.slice(1);
  if (own.length === 1) {
    const body = own[0]!.text;
    return { texts: [before + body + after + answerPrefix], body, system };
  }
  if (template.messageTokens !== undefined) {
    const texts = own.map(({ text }) => text);
    const round = { assistant: Math.ceil, user: Math.floor, system: Math.floor };
    const added = own.map(({ role }) => round[role](template.messageTokens!));
    return { added, texts: texts.with(-1, texts.at(-1)! + answerPrefix), body: texts.join(""), system };
  }
  const LABELS = { system: "", user: "User: ", assistant: "Assistant: " };
  const body = own.map(({ role, text }) => `${LABELS[role]}${text}`).join("\n\n");
  return { texts: [`${body}\n\nAssistant:${answerPrefix}`], body, system };
}

/** Encodes texts one by one, with tokens of no bytes between two of them. */
function encodeAll({ texts, added = [] }: Sent, encode: FullEncoder): Encoded {
  const bytes: number[] = [];
  const starts: number[] = [];
  for (const [at, text] of texts.entries()) {
    if (at > 0) starts.push(...Array.from({ length: added[at] ?? 0 }, () => bytes.length));
    const encoded = encode(text);
    for (const start of encoded.starts.slice(0, -1)) starts.push(bytes.length + start);
    for (const byte of encoded.bytes) bytes.push(byte);
  }
  return { bytes: Uint8Array.from(bytes), starts: [...starts, bytes.length] };
}

function countTokens({ starts }: Encoded): number {
  return starts.length - 1;
}

/**
 * The hash is of system message, text before, user message, text after, and prefix, a zero after each; of several turns, of the
 * role and text of each message, text before, text after, and prefix.
 */
function auditHash({ prompt, sha256 }: Sample, template: ChatTemplate): string[] {
  const { answerPrefix = "" } = prompt;
  const { before, after } = template;
  const turns = prompt.messages.filter(({ role }) => role !== "system");
  const system = prompt.messages.find(({ role }) => role === "system")?.text ?? "";
  const hashed = turns.length === 1
    ? [system, before, turns[0]!.text, after, answerPrefix]
    : [...prompt.messages.flatMap(({ role, text }) => [role, text]), before, after, answerPrefix];
  const text = hashed.map((part) => `${part}\0`).join("");
  const found = createHash("sha256").update(text).digest("hex");
  return found === sha256 ? [] : [`has the hash ${found} and says ${sha256}`];
}

function auditAnswers(sample: Sample, solution: Solution): string[] {
  const { answers, anyOrder, distractors, paths, planted, counts } = solution;
  const faults: string[] = [];
  const differs = (left: unknown, right: unknown): boolean => JSON.stringify(left) !== JSON.stringify(right);
  const wanted = anyOrder ? sample.references.toSorted() : sample.references;
  if (differs(answers, wanted)) faults.push(`is answered by ${answers.join(", ")} and not by ${wanted.join(", ")}`);
  const tempting = distractors?.some((each) => each !== "") ? distractors : undefined;
  if (differs(tempting, sample.distractors)) {
    faults.push(`tempts with ${distractors?.join(", ")} and not with ${sample.distractors?.join(", ")}`);
  }
  if (sample.paths !== undefined && differs(paths, sample.paths)) faults.push("has other paths than it says");
  const inside = sample.facts.filter(({ depth }) => depth !== null).length;
  if (inside !== planted) faults.push(`has ${planted} planted things and says ${inside}`);
  if (counts === undefined) return faults;
  for (const { key, value } of sample.facts) {
    if (counts.get(key) !== Number(value)) faults.push(`has ${key} ${counts.get(key)} times and says ${value}`);
  }
  return faults;
}

/** Tells at which byte of the text a fact's words begin, near the token that it names. */
function findFact(fact: Fact, encoded: Encoded): number | undefined {
  const { bytes, starts } = encoded;
  const { tokenOffset: offset } = fact;
  if (offset === null) return undefined;
  const words = new TextEncoder().encode(fact.text);
  const last = Math.min(starts.length - 1, offset + 1);
  for (let byte = starts[Math.max(0, offset - 1)]!; byte <= starts[last]! + 1; byte++) {
    if (words.every((each, place) => bytes[byte + place] === each)) return byte;
  }
  return undefined;
}

/** The words of every fact stand at its token, one more or less where a token reaches over its beginning. */
function auditFacts({ facts }: Sample, encoded: Encoded): string[] {
  return facts.flatMap((fact) => {
    if (fact.tokenOffset === null || findFact(fact, encoded) !== undefined) return [];
    return [`does not say "${fact.text}" at token ${fact.tokenOffset}`];
  });
}

/** Tokens by which a place may be told wrongly: a token that reaches over a beginning or an end counts on either side. */
const [SLACK, FEW] = [3, 12];

/** Tokens of the longest sentence and of other needles, by which a needle may stand off the depth that it was asked for. */
const OFF = 150;

/**
 * A depth is the share of the context's other tokens that stand before the fact; where a sample was asked for a depth, its first
 * needle stands there.
 */
function auditPlaces(sample: Sample, options: {
  readonly encoded: Encoded;
  readonly skipped: string;
  readonly body: string;
  readonly solution: Solution;
}): string[] {
  const { encoded, skipped, body, solution: { context: [from, to] } } = options;
  const text = skipped + body;
  const utf8 = new TextEncoder();
  const tokenAt = tokenFinder(encoded);
  const start = tokenAt(utf8.encode(text.slice(0, skipped.length + from)).length);
  const end = tokenAt(utf8.encode(text.slice(0, skipped.length + to)).length);
  const first = sample.facts.find(({ role, depth }) => role === "target" && depth !== null);
  return sample.facts.flatMap((fact) => {
    if (fact.depth === null || fact.tokenOffset === null) return [];
    const byte = findFact(fact, encoded);
    if (byte === undefined) return [];
    const place = tokenAt(byte);
    const own = tokenAt(byte + utf8.encode(fact.text).length) - place;
    const others = end - start - own;
    if (others < FEW) return [];
    const depth = (place - start) / others;
    if (fact === first && sample.depth !== undefined && Math.abs(depth - sample.depth) > OFF / others) {
      return [`has its needle at depth ${depth.toFixed(4)} and was asked for ${sample.depth}`];
    }
    const isThere = Math.abs(depth - fact.depth) <= SLACK / others && fact.depth >= 0 && fact.depth <= 1;
    return isThere ? [] : [`has ${fact.key} at depth ${depth.toFixed(4)} and says ${fact.depth.toFixed(4)}`];
  });
}

/** Gives a function from a byte to the token that has it. */
function tokenFinder({ starts }: Encoded): (byte: number) => number {
  return (byte) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= byte) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}
