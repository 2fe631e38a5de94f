import { once, sum } from "@/lib/base/mod.ts";
import type { Document, DocumentPieces, DocumentSet, Question } from "../documents.ts";
import {
  describeEntity,
  DISTRICT_SIZE,
  DISTRICTS,
  encodeParagraph,
  ENTITY_COUNT,
  entityOf,
  FIRST_RIVER,
  type GraphFact,
  kindOf,
  OWN_OBJECT,
  rankOf,
  RIVERS_PER_DISTRICT,
  ROLES,
} from "./world_graph.ts";
import { openNames, OWN_KINDS, type WorldName } from "./world_names.ts";
import {
  FIRST_LIST,
  OBJECT,
  openPieces,
  PADDING,
  RELATIONS,
  SLOT_WORDS,
  SUBJECT,
  SUBJECT_WORD,
} from "./world_wordings.ts";
import { pick, stream } from "@/lib/random/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";
import { createHash } from "node:crypto";

/** Options for {@linkcode worldDocuments}. */
export interface WorldOptions {
  /** Each seed makes a world with other names and facts; `world` by default. */
  readonly seed?: string;
  /** Documents needed to answer a question: 1 as in SQuAD, 2 as in HotpotQA. */
  readonly hops: 1 | 2;
  /** Reads the result of {@linkcode encodeWorld} for the seed. Without it, or with another world's, paragraphs are drawn on demand. */
  readonly packed?: () => Uint8Array | undefined;
  /** Keeps the token counts of a tokenizer that the packed world lacks; `count` takes a few seconds. */
  readonly keepCounts?: KeepCounts;
}

/** Returns the kept counts of a tokenizer, or makes and keeps them; `undefined` if nothing can be kept. */
export type KeepCounts = (tokenizer: Tokenizer, count: () => Uint8Array) => Uint8Array | undefined;

/**
 * Makes documents about people, towns and firms that do not exist, with questions that only these documents answer.
 *
 * The world is a knowledge graph drawn from the seed: 63,000 entities in districts of fifteen, each with a paragraph of five to
 * nine sentences and a question. A document depends on the seed and its number alone. No name is part of another. Each fact is
 * stated in one paragraph only, no two contradict each other, and no date is impossible. Each question has exactly one right
 * answer in the whole world, also by implication (a firm's manager works for it), and no model can have learned it. With two hops
 * a document begins with its title, as in HotpotQA. Near a question are the other documents of its districts, which mention the
 * same people and places.
 *
 * The set is named `world_one_hop` or `world_two_hop`, with the seed at the end unless it is the default.
 */
export function worldDocuments({ seed = "world", hops, ...kept }: WorldOptions): WorldDocuments {
  return documentsOf(once(() => openWorld(seed, kept)), { seed, hops });
}

/** The names of the documents of the default world, by hops. */
export const WORLD_NAMES = { 1: "world_one_hop", 2: "world_two_hop" } as const;

/** The documents of a world. */
export interface WorldDocuments extends DocumentSet {
  readonly pieces: DocumentPieces;
  /** Returns the documents of the same world for another number of hops; both share one copy in memory. */
  withHops(hops: WorldOptions["hops"]): WorldDocuments;
}

function documentsOf(
  open: () => World,
  { seed, hops }: { readonly seed: string; readonly hops: WorldOptions["hops"] },
): WorldDocuments {
  const name = WORLD_NAMES[hops];
  const titleOf = (number: number): string => hops === 1 ? "" : open().nameOf(number).full;
  return {
    withHops: (others) => documentsOf(open, { seed, hops: others }),
    name: seed === "world" ? name : `${name}_${seed}`,
    documentCount: ENTITY_COUNT,
    questionCount: ENTITY_COUNT,
    document(number): Document {
      const [title, text] = [titleOf(number), open().write(number)];
      return { title, text: title === "" ? text : `${title}\n${text}` };
    },
    get pieces(): DocumentPieces {
      const { count, textOf, list, countsOf } = open();
      const tokens: DocumentPieces["tokens"] = (tokenizer) => {
        const counts = countsOf(tokenizer);
        if (counts === undefined) return undefined;
        return hops === 1 ? (number) => counts[number]! : (number) => counts[ENTITY_COUNT + number]! + counts[number]!;
      };
      return { count, textOf, titleOf, list, tokens };
    },
    question(number): Question {
      const { nameOf, objectOf } = open();
      const draw = stream(seed, "question", hops, number);
      const facts = factsOf(seed, number);
      if (hops === 1) {
        const fact = pick(draw, facts);
        const wording = pick(draw, fact.relation.questions);
        return ask(wording.replace("{s}", nameOf(number).full), objectOf(fact), [number]);
      }
      const [first, last] = pick(draw, pairFacts(seed, facts));
      const wording = pick(draw, last.relation.questions)
        .replace("{s}", pick(draw, first.relation.descriptions));
      return ask(wording.replace("{s}", nameOf(number).full), objectOf(last), [number, last.subject]);
    },
  };
}

/** A fact with its subject. */
interface StatedFact extends GraphFact {
  readonly subject: number;
}

function factsOf(seed: string, subject: number): StatedFact[] {
  return describeEntity(seed, subject).facts.map((fact) => ({ ...fact, subject }));
}

/** Lists the pairs of facts that lead from an entity through another one to a third. */
function pairFacts(seed: string, facts: readonly StatedFact[]): [StatedFact, StatedFact][] {
  return facts.flatMap((first) => {
    const between = entityOf(first.object, first.subject);
    if (between === null) return [];
    return factsOf(seed, between).filter((last) => entityOf(last.object, between) !== first.subject)
      .map((last): [StatedFact, StatedFact] => [first, last]);
  });
}

function ask(question: string, answer: WorldName, gold: readonly number[]): Question {
  const near: number[] = [];
  for (const first of new Set(gold.map((number) => number - number % DISTRICT_SIZE))) {
    for (let number = first; number < first + DISTRICT_SIZE; number++) if (!gold.includes(number)) near.push(number);
  }
  const answers = answer.full === answer.word ? [answer.full] : [answer.full, answer.word];
  return { question, answers, gold, near };
}

/** A paragraph as bytes: for each sentence the number of its phrase, then the filling of each slot. */
type ParagraphCode = ArrayLike<number>;

/** The tokens of each paragraph with the blank line after it, then those of each title with its line break. */
type WorldCounts = Uint8Array;

/** A world of entities and the relations between them, each a function of its number. */
interface World extends Pick<DocumentPieces, "count" | "textOf" | "list"> {
  /** Returns the code of an entity's paragraph. */
  readonly codeOf: (number: number) => ParagraphCode;
  write(number: number): string;
  /** Returns the tokens of all paragraphs; `undefined` if they are not kept. */
  countsOf(tokenizer: Tokenizer): WorldCounts | undefined;
  nameOf(number: number): WorldName;
  objectOf(fact: StatedFact): WorldName;
  readonly names: readonly string[];
}

/** Opens the world of a seed; its paragraphs are drawn or read on demand. */
function openWorld(seed: string, { packed: read, keepCounts }: Omit<WorldOptions, "seed" | "hops"> = {}): World {
  const pieces = openPieces();
  const names = openNames(seed);
  const { texts, phrases } = pieces;
  // Numbers of pieces: those of phrases, two for each entity's name, its book, product or festival, and the rivers.
  const firstName = texts.length;
  const firstOwn = firstName + 2 * ENTITY_COUNT;
  const firstRiver = firstOwn + ENTITY_COUNT;
  const nameAt = (piece: number): WorldName => {
    if (piece >= firstRiver) return names.name("river", piece - firstRiver);
    const entity = piece >= firstOwn ? piece - firstOwn : (piece - firstName) >> 1;
    const kind = kindOf(entity);
    return names.name(piece >= firstOwn ? OWN_KINDS[kind] : kind, rankOf(entity));
  };
  const pieceOf = (object: number, subject: number): number => {
    const entity = entityOf(object, subject);
    if (entity !== null) return firstName + 2 * entity;
    if (object === OWN_OBJECT) return firstOwn + subject;
    return firstRiver + Math.floor(subject / DISTRICT_SIZE) * RIVERS_PER_DISTRICT + object - FIRST_RIVER;
  };
  const nameTexts: string[] = [];
  const writeName = (piece: number): string => {
    const { full, word } = nameAt(piece);
    return ` ${piece < firstOwn && (piece - firstName) % 2 === 1 ? word : full}`;
  };
  const textOf = (piece: number): string =>
    piece < firstName ? texts[piece]! : nameTexts[piece - firstName] ??= writeName(piece);
  const decode = (code: ParagraphCode, subject: number): number[] => {
    const list: number[] = [];
    for (let at = 0; at < code.length;) {
      for (const part of phrases[code[at++]!]!.parts) {
        if (part >= 0) list.push(part);
        else if (part === SUBJECT) list.push(firstName + 2 * subject);
        else if (part === SUBJECT_WORD) list.push(firstName + 2 * subject + 1);
        else if (part === OBJECT) list.push(pieceOf(code[at++]!, subject));
        else list.push(FIRST_LIST - part + code[at++]!);
      }
    }
    return list;
  };
  const unpack = once(() => {
    const bytes = read?.();
    return bytes && unpackWorld(bytes, { seed, names: names.texts });
  });
  const drawn = new Map<number, Uint8Array>();
  const drawCode = (number: number): Uint8Array =>
    Uint8Array.from(encodeParagraph(
      describeEntity(seed, number),
      pieces,
      (sentence) => sum(decode(sentence, number), (piece) => textOf(piece).length),
    ));
  const codeOf = (number: number): Uint8Array =>
    unpack()?.codeOf(number) ?? drawn.getOrInsertComputed(number, () => drawCode(number));
  const list = (number: number): number[] => decode(codeOf(number), number);
  // All paragraphs together take 40 MB.
  const paragraphs: string[] = [];
  const write = (number: number): string => paragraphs[number] ??= list(number).map(textOf).join("").slice(1);
  const nameOf = (number: number): WorldName => nameAt(firstName + 2 * number);
  const counted = new Map<string, WorldCounts | undefined>();
  return {
    codeOf,
    textOf,
    list,
    write,
    nameOf,
    count: firstRiver + DISTRICTS * RIVERS_PER_DISTRICT,
    names: names.texts,
    objectOf: ({ object, subject }) => nameAt(pieceOf(object, subject)),
    countsOf(tokenizer): WorldCounts | undefined {
      const packed = unpack();
      const known = packed?.counts.get(tokenizer.name);
      if (packed === undefined || known !== undefined || keepCounts === undefined) return known;
      return counted.getOrInsertComputed(tokenizer.name, () => {
        // No bytes are kept if there are no counts.
        const kept = keepCounts(tokenizer, () => countWorld({ write, nameOf }, tokenizer) ?? new Uint8Array());
        return kept?.length === 2 * ENTITY_COUNT ? kept : undefined;
      });
    },
  };
}

/**
 * Encodes a whole world and counts its paragraphs and titles, as {@linkcode worldDocuments} reads it; takes some seconds.
 *
 * @param tokenizers The tokenizers that count; at most 255 tokens per paragraph.
 */
export function encodeWorld(seed: string, tokenizers: readonly Tokenizer[]): Uint8Array {
  const world = openWorld(seed);
  const codes = Array.from({ length: ENTITY_COUNT }, (_, number) => world.codeOf(number));
  const counts = tokenizers.map((tokenizer) => [tokenizer.name, countWorld(world, tokenizer)!] as const);
  return packWorld(codes, new Map(counts), { seed, names: world.names });
}

/** Counts all paragraphs and titles; `undefined` if one has more tokens than fit in a byte. */
function countWorld(
  { write, nameOf }: Pick<World, "write" | "nameOf">,
  { countAfterCut }: Tokenizer,
): WorldCounts | undefined {
  const after = countAfterCut("A");
  const counts = new Uint8Array(2 * ENTITY_COUNT);
  for (let number = 0; number < ENTITY_COUNT; number++) {
    const paragraph = countAfterCut(`${write(number)}\n\nA`) - after;
    const title = countAfterCut(`${nameOf(number).full}\n`);
    if (paragraph > 255 || title > 255) return undefined;
    [counts[number], counts[ENTITY_COUNT + number]] = [paragraph, title];
  }
  return counts;
}

const HASH_BYTES = 32;

/** The seed of a world and the texts of its names, which its hash covers. */
interface WorldNamed {
  readonly seed: string;
  readonly names: readonly string[];
}

/** Packs a world as bytes: a hash, the names of the tokenizers up to a zero, the lengths of the codes, the counts, the codes. */
export function packWorld(
  codes: readonly ParagraphCode[],
  counts: ReadonlyMap<string, WorldCounts>,
  world: WorldNamed,
): Uint8Array {
  const names = new TextEncoder().encode(`${[...counts.keys()].join(" ")}\0`);
  const parts = [new Uint8Array(HASH_BYTES), names, codes.map(({ length }) => length), ...counts.values(), ...codes];
  const bytes = new Uint8Array(sum(parts, ({ length }) => length));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.set(hashOf(bytes, world));
  return bytes;
}

/** Unpacks the bytes of {@linkcode packWorld}; `undefined` if a byte, the seed or a text of the world has changed. */
export function unpackWorld(bytes: Uint8Array, world: WorldNamed): {
  readonly codeOf: (number: number) => Uint8Array;
  readonly counts: ReadonlyMap<string, WorldCounts>;
} | undefined {
  const hash = hashOf(bytes, world);
  if (hash.some((byte, at) => byte !== bytes[at])) return undefined;
  const namesEnd = bytes.indexOf(0, HASH_BYTES);
  const names = new TextDecoder().decode(bytes.subarray(HASH_BYTES, namesEnd));
  let at = namesEnd + 1;
  const take = (size: number): Uint8Array => bytes.subarray(at, at += size);
  const lengths = take(ENTITY_COUNT);
  const counts = new Map(names.split(" ").filter(Boolean).map((name) => [name, take(2 * ENTITY_COUNT)]));
  const ends = Uint32Array.from(lengths, (length) => at += length);
  return { counts, codeOf: (number) => bytes.subarray(ends[number]! - lengths[number]!, ends[number]) };
}

/** Hashes the bytes after the hash, and everything that paragraphs are made of. */
function hashOf(bytes: Uint8Array, { seed, names }: WorldNamed): Uint8Array {
  const made = JSON.stringify([seed, names, ENTITY_COUNT, ROLES, RELATIONS, PADDING, SLOT_WORDS]);
  return createHash("sha256").update(made).update(bytes.subarray(HASH_BYTES)).digest();
}
