import type { Document, DocumentPieces, DocumentSet, Question } from "../documents.ts";
import { packCounts, packWorld, type ToldWorld, unpackCounts, unpackWorld, type WorldCounts } from "./world_file.ts";
import {
  describeEntity,
  DISTRICT_SIZE,
  DISTRICTS,
  ENTITY_COUNT,
  entityOf,
  FIRST_RIVER,
  type GraphFact,
  kindOf,
  OWN_OBJECT,
  rankOf,
  RIVERS_PER_DISTRICT,
} from "./world_graph.ts";
import { openNames, OWN_KINDS, type WorldName } from "./world_names.ts";
import { FIRST_LIST, OBJECT, openPieces, SUBJECT, SUBJECT_WORD } from "./world_phrases.ts";
import { MOST_WRITTEN, openWriter, type Telling, tellParagraph } from "./world_writer.ts";
import { pick, stream } from "@/lib/random/mod.ts";
import { AsciiSheet, type Tokenizer } from "@/lib/text/mod.ts";

/** Options for {@linkcode worldDocuments}. */
export interface WorldOptions {
  /** Each seed is another world, with other names and facts; `world` by default. */
  readonly seed?: string;
  /** Documents needed to answer a question: 1 as in SQuAD, 2 as in HotpotQA. */
  readonly hops: 1 | 2;
  /**
   * Reads what {@linkcode tellWorld} gave for the seed, when it is first needed. Without it, or where it is of another world,
   * each paragraph is told when it is first asked for.
   */
  readonly told?: () => Uint8Array | undefined;
  /**
   * Keeps the tokens of all paragraphs for a tokenizer of which the told world has none; `count` takes a few seconds. Without it
   * each paragraph is counted when it is first asked for.
   */
  readonly keepCounts?: KeepCounts;
}

/** Gives what was kept for a tokenizer, or counts and keeps it; `undefined` where nothing can be kept. */
export type KeepCounts = (tokenizer: Tokenizer, count: () => Uint8Array) => Uint8Array | undefined;

/**
 * Makes documents about people, towns and firms that do not exist, with questions that only these documents answer.
 *
 * The world is a knowledge graph drawn from the seed: 63,000 entities in districts of fifteen, each with a paragraph of five to
 * nine sentences and a question. A document depends on the seed and its number alone. No name is part of
 * another. Each fact is stated in one paragraph only, no two contradict each other, and no date is impossible. Each question has
 * exactly one right answer in the whole world, also by implication (a firm's manager works for it), and no model can have learned
 * it. With two hops a document begins with its title, as in HotpotQA. Near a question are the other documents of its districts,
 * which mention the same people and places.
 *
 * The set is named `world_one_hop` or `world_two_hop`, with the seed at the end unless it is the default.
 *
 * @example
 * ```ts
 * import { equal, match } from "node:assert/strict";
 *
 * const { question, gold } = worldDocuments({ hops: 1 }).question(17);
 * match(question, /\?$/);
 * equal(gold.length, 1);
 * ```
 */
export function worldDocuments({ seed = "world", hops, ...kept }: WorldOptions): WorldDocuments {
  return documentsOf(once(() => openWorld(seed, kept)), { seed, hops });
}

/** The documents of a world. */
export interface WorldDocuments extends DocumentSet {
  /** What their texts are made of. */
  readonly pieces: DocumentPieces;
  /** The documents of the same world for another number of hops; the two share what they hold in memory. */
  withHops(hops: WorldOptions["hops"]): WorldDocuments;
}

function documentsOf(
  open: () => World,
  { seed, hops }: { readonly seed: string; readonly hops: WorldOptions["hops"] },
): WorldDocuments {
  const name = hops === 1 ? "world_one_hop" : "world_two_hop";
  const titleOf = (number: number): string => hops === 1 ? "" : open().nameOf(number).full;
  const write = (number: number, sheet: AsciiSheet): void => open().write(number, sheet, hops > 1);
  return {
    withHops: (others) => documentsOf(open, { seed, hops: others }),
    name: seed === "world" ? name : `${name}_${seed}`,
    documentCount: ENTITY_COUNT,
    questionCount: ENTITY_COUNT,
    document(number): Document {
      const sheet = new AsciiSheet(MOST_WRITTEN);
      write(number, sheet);
      return { title: titleOf(number), text: sheet.read() };
    },
    get pieces(): DocumentPieces {
      const { count, textOf, list, last, countsOf } = open();
      const tokens = (tokenizer: Tokenizer): ((number: number) => number) | undefined => {
        const counts = countsOf(tokenizer);
        if (counts === undefined) return undefined;
        const { paragraphs, titles } = counts;
        return hops === 1 ? (number) => paragraphs[number]! : (number) => titles[number]! + paragraphs[number]!;
      };
      return { count, textOf, titleOf, list, last, write, tokens };
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

/**
 * A world of entities and the relations between them, each a function of its number. Paragraphs are kept as they are told, in
 * some twenty bytes each.
 */
interface World extends Pick<DocumentPieces, "count" | "textOf" | "list" | "last"> {
  /** Each seed is another world. */
  readonly seed: string;
  readonly tellings: Tellings;
  /** Writes the paragraph of an entity, below its title if that is wanted. */
  write(number: number, sheet: AsciiSheet, isTitled: boolean): void;
  /** The tokens of all paragraphs, where they are known beforehand. */
  countsOf(tokenizer: Tokenizer): WorldCounts | undefined;
  nameOf(number: number): WorldName;
  /** The name of what a fact is about. */
  objectOf(fact: StatedFact): WorldName;
  /** What names are written with. */
  readonly names: readonly string[];
}

/** Opens the world of a seed; nothing of it is told yet. */
function openWorld(seed: string, { told: read, keepCounts }: Pick<WorldOptions, "told" | "keepCounts"> = {}): World {
  const pieces = openPieces();
  const names = openNames(seed);
  const { texts, phrases } = pieces;
  // After the pieces of phrasings come two for each entity, one for what it wrote, makes or celebrates, and the rivers.
  const firstName = texts.length;
  const firstOwn = firstName + 2 * ENTITY_COUNT;
  const firstRiver = firstOwn + ENTITY_COUNT;
  /** Finds a name by the piece of it in full. */
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
  const textOf = (piece: number): string => {
    if (piece < firstName) return texts[piece]!;
    const { full, word } = nameAt(piece);
    return ` ${piece < firstOwn && (piece - firstName) % 2 === 1 ? word : full}`;
  };
  /** Lists the pieces of a paragraph, or of a part of it. */
  const listPieces = (telling: ArrayLike<number>, subject: number): number[] => {
    const list: number[] = [];
    for (let at = 0; at < telling.length;) {
      for (const part of phrases[telling[at++]!]!.parts) {
        if (part >= 0) list.push(part);
        else if (part === SUBJECT) list.push(firstName + 2 * subject);
        else if (part === SUBJECT_WORD) list.push(firstName + 2 * subject + 1);
        else if (part === OBJECT) list.push(pieceOf(telling[at++]!, subject));
        else list.push(FIRST_LIST - part + telling[at++]!);
      }
    }
    return list;
  };
  const open = once(() => {
    const bytes = read?.();
    return bytes && unpackWorld(bytes, { seed, names: names.texts });
  });
  const tell = (number: number): readonly number[] =>
    tellParagraph(
      describeEntity(seed, number),
      pieces,
      (sentence) => listPieces(sentence, number).reduce((length, piece) => length + textOf(piece).length, 0),
    );
  const tellings = new Tellings(open, tell);
  const writeParagraph = openWriter(pieces, names);
  const write: World["write"] = (number, sheet, isTitled) => {
    writeParagraph(number, tellings.find(number), { sheet, isTitled });
  };
  const nameOf = (number: number): WorldName => nameAt(firstName + 2 * number);
  const counted = new Map<string, WorldCounts | undefined>();
  return {
    seed,
    count: firstRiver + DISTRICTS * RIVERS_PER_DISTRICT,
    names: names.texts,
    tellings,
    textOf,
    list(number): number[] {
      const { bytes, start, end } = tellings.find(number);
      return listPieces(bytes.subarray(start, end), number);
    },
    nameOf,
    objectOf: ({ object, subject }) => nameAt(pieceOf(object, subject)),
    countsOf(tokenizer): WorldCounts | undefined {
      const told = open();
      const known = told?.counts.get(tokenizer.name);
      if (told === undefined || known !== undefined || keepCounts === undefined) return known;
      if (!counted.has(tokenizer.name)) {
        const kept = keepCounts(tokenizer, () => packCounts(countWorld({ write, nameOf }, tokenizer)));
        counted.set(tokenizer.name, kept && unpackCounts(kept));
      }
      return counted.get(tokenizer.name);
    },
    last(number): number {
      const { bytes, start, end } = tellings.find(number);
      let phrase = phrases[bytes[start]!]!;
      for (let at = start + 1 + phrase.slots.length; at < end; at += 1 + phrase.slots.length) {
        phrase = phrases[bytes[at]!]!;
      }
      return phrase.parts.at(-1) as number;
    },
    write,
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Tellings one after another: all that were told beforehand, or each from when it is first asked for. */
class Tellings {
  readonly #open: () => ToldWorld | undefined;
  readonly #tell: (number: number) => readonly number[];
  readonly #starts = new Uint32Array(ENTITY_COUNT);
  #lengths: Uint8Array | undefined;
  #bytes: Uint8Array = new Uint8Array(2 ** 12);
  #size = 0;

  constructor(open: () => ToldWorld | undefined, tell: (number: number) => readonly number[]) {
    [this.#open, this.#tell] = [open, tell];
  }

  find(number: number): Telling {
    const lengths = this.#lengths ??= this.#begin();
    if (lengths[number] === 0) this.#add(number, lengths);
    const start = this.#starts[number]!;
    return { bytes: this.#bytes, start, end: start + lengths[number]! };
  }

  #begin(): Uint8Array {
    const told = this.#open();
    if (told === undefined) return new Uint8Array(ENTITY_COUNT);
    this.#bytes = told.tellings;
    told.lengths.forEach((length, number) => {
      this.#starts[number] = this.#size;
      this.#size += length;
    });
    return told.lengths;
  }

  #add(number: number, lengths: Uint8Array): void {
    const telling = this.#tell(number);
    if (this.#size + telling.length > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#bytes.length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes.set(telling, this.#size);
    [this.#starts[number], lengths[number]] = [this.#size, telling.length];
    this.#size += telling.length;
  }
}

/**
 * Tells a whole world, and counts its paragraphs and titles, so that {@linkcode worldDocuments} need not; takes some seconds.
 *
 * @param seed The world's.
 * @param tokenizers Those that count; at most 255 tokens a paragraph.
 */
export function tellWorld(seed: string, tokenizers: readonly Tokenizer[]): Uint8Array {
  const world = openWorld(seed);
  const { tellings, names } = world;
  const told = Array.from({ length: ENTITY_COUNT }, (_, number) => tellings.find(number));
  const counts = tokenizers.map((tokenizer) => [tokenizer.name, countWorld(world, tokenizer)!] as const);
  const lengths = Uint8Array.from(told, ({ start, end }) => end - start);
  const { bytes, end } = told.at(-1)!;
  return packWorld({ tellings: bytes.subarray(0, end), lengths, counts: new Map(counts) }, { seed, names });
}

/** Counts all paragraphs and titles; `undefined` where one has more tokens than a byte can say. */
function countWorld(
  { write, nameOf }: Pick<World, "write" | "nameOf">,
  { countAfterCut }: Tokenizer,
): WorldCounts | undefined {
  const after = countAfterCut("A");
  const [paragraphs, titles] = [new Uint8Array(ENTITY_COUNT), new Uint8Array(ENTITY_COUNT)];
  const sheet = new AsciiSheet(MOST_WRITTEN);
  for (let number = 0; number < ENTITY_COUNT; number++) {
    sheet.end = 0;
    write(number, sheet, false);
    const [paragraph, title] = [
      countAfterCut(`${sheet.read()}\n\nA`) - after,
      countAfterCut(`${nameOf(number).full}\n`),
    ];
    if (paragraph > 255 || title > 255) return undefined;
    [paragraphs[number], titles[number]] = [paragraph, title];
  }
  return { paragraphs, titles };
}
