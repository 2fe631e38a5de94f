import type { Document, DocumentSet, Question } from "../documents.ts";
import { PADDING } from "./world_padding.ts";
import { openPieces, type Phrase } from "./world_pieces.ts";
import { type EntityKind, type Relation, RELATIONS, type Role } from "./world_relations.ts";
import { objectRoles, ROLES } from "./world_roles.ts";
import { type NameKind, nameMaker, type WorldName } from "./world_names.ts";
import { type Draw, integer, pick, shuffle, stream } from "@/lib/random/mod.ts";

/** Options for {@linkcode worldDocuments}. */
export interface WorldOptions {
  /** Each seed is another world, with other names and facts; `world` by default. */
  readonly seed?: string;
  /** Documents needed to answer a question: 1 as in SQuAD, 2 as in HotpotQA. */
  readonly hops: 1 | 2;
}

/**
 * Makes documents about people, towns and firms that do not exist, with questions that only these documents answer.
 *
 * The world is a knowledge graph drawn from the seed: 63,000 entities in districts of fifteen, each with a paragraph of five to
 * nine sentences and a question. Nothing is stored; a document depends on the seed and its number alone. No name is part of
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
export function worldDocuments({ seed = "world", hops }: WorldOptions): WorldDocuments {
  return documentsOf(openWorld(seed), hops);
}

/** The documents of a world. */
export interface WorldDocuments extends DocumentSet {
  /** The documents of the same world for another number of hops; the two share what they hold in memory. */
  withHops(hops: WorldOptions["hops"]): WorldDocuments;
}

function documentsOf(graph: World, hops: WorldOptions["hops"]): WorldDocuments {
  const { seed } = graph;
  const name = hops === 1 ? "world_one_hop" : "world_two_hop";
  const writeTitle = (number: number): string => hops === 1 ? "" : graph.textOf(graph.pieceOf(number)).slice(1);
  return {
    withHops: (others) => documentsOf(graph, others),
    name: seed === "world" ? name : `${name}_${seed}`,
    documentCount: ENTITY_COUNT,
    questionCount: ENTITY_COUNT,
    document(number): Document {
      const [title, text] = [writeTitle(number), graph.write(number)];
      return { title, text: hops === 1 ? text : `${title}\n${text}` };
    },
    pieces: {
      count: graph.pieceCount,
      textOf: graph.textOf,
      titleOf: writeTitle,
      list: graph.list,
    },
    question(number): Question {
      const draw = stream(seed, "question", hops, number);
      if (hops === 1) {
        const { entity, facts } = graph.describe(number);
        const fact = pick(draw, facts);
        const wording = pick(draw, fact.relation.questions);
        return ask(wording.replace("{s}", graph.name(entity.piece).full), graph.name(fact.object), [number]);
      }
      const [first, last] = pick(draw, pairFacts(graph, number));
      const wording = pick(draw, last.relation.questions)
        .replace("{s}", pick(draw, first.relation.descriptions));
      const gold = [number, first.entity!];
      return ask(wording.replace("{s}", graph.name(graph.pieceOf(number)).full), graph.name(last.object), gold);
    },
  };
}

/** Lists the pairs of facts that lead from an entity through another one to a third. */
function pairFacts(graph: World, number: number): [GraphFact, GraphFact][] {
  return graph.describe(number).facts.filter(({ entity }) => entity !== null)
    .flatMap((first) =>
      graph.describe(first.entity!).facts
        .filter((last) => last.entity !== number)
        .map((last): [GraphFact, GraphFact] => [first, last])
    );
}

function ask(question: string, answer: WorldName, gold: readonly number[]): Question {
  const districts = new Set(gold.map((number) => Math.floor(number / DISTRICT_SIZE)));
  const near = [...districts].flatMap((district) =>
    Array.from({ length: DISTRICT_SIZE }, (_, slot) => district * DISTRICT_SIZE + slot)
  );
  return {
    question,
    answers: answer.full === answer.word ? [answer.full] : [answer.full, answer.word],
    gold,
    near: near.filter((number) => !gold.includes(number)),
  };
}

/** The roles of a district, whose members know each other and some of the next district. */
const DISTRICT: readonly Role[] = (Object.keys(ROLES) as Role[]).flatMap((role) =>
  Array.from({ length: ROLES[role].count }, () => role)
);
const DISTRICT_SIZE = DISTRICT.length;
const RIVERS_PER_DISTRICT = 2;
const DISTRICTS = 4200;
/** How many entities, and so paragraphs, a world has. */
const ENTITY_COUNT = DISTRICTS * DISTRICT_SIZE;

/** A person, firm or town with a paragraph of its own. */
interface Entity {
  readonly number: number;
  readonly kind: EntityKind;
  readonly role: Role;
  /** The year of its birth or founding. */
  readonly began: number;
  /** The piece of its name in full; the next one is the one word of it. */
  readonly piece: number;
}

/** What a paragraph states of its entity. */
interface GraphFact {
  readonly relation: Relation;
  /** The piece of the object's name in full. */
  readonly object: number;
  /** The number of the object, if it has a paragraph of its own. */
  readonly entity: number | null;
  readonly year: number;
}

/** An entity and what its paragraph states of it. */
interface Described {
  readonly entity: Entity;
  /** Three or four facts, in the order of the paragraph. */
  readonly facts: readonly GraphFact[];
  /** Draws the wording. */
  readonly draw: Draw;
}

/**
 * A world of entities and the relations between them, each a function of its number. Paragraphs are kept as lists of pieces, a
 * fifth of a kilobyte each.
 */
interface World {
  /** Each seed is another world. */
  readonly seed: string;
  readonly pieceCount: number;
  /** The text of a piece, with the space before it. */
  textOf(piece: number): string;
  /** The pieces of an entity's paragraph. */
  list(number: number): Uint32Array;
  write(number: number): string;
  /** The piece of an entity's name in full. */
  pieceOf(number: number): number;
  /** The name of the piece of a name in full. */
  name(piece: number): WorldName;
  describe(number: number): Described;
}

/** Opens the world of a seed; nothing of it is told yet. */
function openWorld(seed: string): World {
  const makers = Object.fromEntries(NAME_KINDS.map((kind) => [kind, nameMaker(seed, kind)])) as Readonly<
    Record<NameKind, (rank: number) => WorldName>
  >;
  const pieces = openPieces();
  // After the pieces of phrasings come two for each entity, one for what it wrote, makes or celebrates, and the rivers.
  const firstName = pieces.texts.length;
  const firstOwn = firstName + 2 * ENTITY_COUNT;
  const firstRiver = firstOwn + ENTITY_COUNT;
  const pieceCount = firstRiver + DISTRICTS * RIVERS_PER_DISTRICT;
  const name = (piece: number): WorldName => {
    if (piece >= firstRiver) return makers.river(piece - firstRiver);
    if (piece < firstOwn) {
      const { kind, rank } = place((piece - firstName) >> 1);
      return makers[kind](rank);
    }
    const { kind, rank } = place(piece - firstOwn);
    return makers[OWN_KINDS[kind]](rank);
  };
  const texts = new Array<string | undefined>(pieceCount).fill(undefined);
  pieces.texts.forEach((text, piece) => texts[piece] = text);
  const textOf = (piece: number): string => {
    const known = texts[piece];
    if (known !== undefined) return known;
    const isWord = piece < firstOwn && (piece - firstName) % 2 === 1;
    return texts[piece] = ` ${isWord ? name(piece - 1).word : name(piece).full}`;
  };
  const pieceOf = (number: number): number => firstName + 2 * number;
  const describe = (number: number): Described => {
    const { kind, role, slot, district } = place(number);
    const draw = stream(seed, "entity", number);
    const began = drawYear(draw, ROLES[role].began);
    const taken: number[] = [];
    const facts = TELLINGS[slot]!.map(({ relation, objects, holder }): GraphFact => {
      const year = began + drawYear(draw, relation.years);
      if (objects.length === 0) {
        const river = district * RIVERS_PER_DISTRICT + integer(draw, { low: 0, high: RIVERS_PER_DISTRICT - 1 });
        return {
          relation,
          year,
          entity: null,
          object: relation.object === "river" ? firstRiver + river : firstOwn + number,
        };
      }
      const entity = holder === null ? drawOther(draw, { objects, district, taken }) : locate(holder, district);
      taken.push(entity);
      return { relation, year, entity, object: pieceOf(entity) };
    });
    const stated = integer(draw, { low: 3, high: 4 });
    return {
      entity: { number, kind, role, began, piece: pieceOf(number) },
      facts: shuffle(draw, facts).slice(0, stated),
      draw,
    };
  };
  const { list } = keepLists(ENTITY_COUNT, (number) =>
    tellParagraph(describe(number), {
      ...pieces,
      lengthOf: (piece) => textOf(piece).length,
    }));
  const write = (number: number): string => {
    let text = "";
    const told = list(number);
    for (let place = 0; place < told.length; place++) text += textOf(told[place]!);
    return text.slice(1);
  };
  return { seed, pieceCount, textOf, list, write, pieceOf, name, describe };
}

const NAME_KINDS = ["person", "town", "firm", "river", "book", "product", "festival"] as const;

/** What is named in the paragraph of one entity alone. */
const OWN_KINDS: Readonly<Record<EntityKind, NameKind>> = { person: "book", firm: "product", town: "festival" };

/** Keeps lists of numbers one after another, each made when it is first asked for. */
function keepLists(count: number, make: (number: number) => readonly number[]): { list(number: number): Uint32Array } {
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  let kept = new Uint32Array(2 ** 12);
  let size = 0;
  return {
    list(number): Uint32Array {
      if (ends[number] === 0) {
        const made = make(number);
        if (size + made.length > kept.length) {
          const longer = new Uint32Array(2 * kept.length);
          longer.set(kept);
          kept = longer;
        }
        kept.set(made, size);
        [starts[number], ends[number]] = [size, size + made.length];
        size += made.length;
      }
      return kept.subarray(starts[number], ends[number]);
    },
  };
}

/** A relation that can be stated about the entity in a slot of a district, and its possible objects. */
interface Telling {
  readonly relation: Relation;
  /** The slots of its possible objects; none if they have no paragraph. */
  readonly objects: readonly number[];
  /** The slot of the office holder, in this district or a later one. */
  readonly holder: { readonly slot: number; readonly districtsOn: number } | null;
}

/** What can be stated about the entity in each slot of a district. */
const TELLINGS: readonly (readonly Telling[])[] = DISTRICT.map((role, slot) =>
  RELATIONS[ROLES[role].kind].flatMap((relation): Telling[] => {
    if (!hasParagraph(relation.object)) return [{ relation, objects: [], holder: null }];
    const roles = objectRoles(relation, role);
    const objects = slotsOf(roles);
    if (objects.length === 0) return [];
    if (!relation.isOffice) return [{ relation, objects, holder: null }];
    // Each office has its own holder: the second of a district comes from the next one. The last have none.
    const which = slotsOf(DISTRICT.filter((other) => objectRoles(relation, other).length > 0)).indexOf(slot);
    const holder = objects[which];
    return holder === undefined ? [] : [{ relation, objects, holder: { slot: holder, districtsOn: which % 2 } }];
  })
);

function slotsOf(roles: readonly Role[]): number[] {
  return DISTRICT.flatMap((role, slot) => roles.includes(role) ? [slot] : []);
}

function hasParagraph(kind: NameKind): kind is EntityKind {
  return kind in RELATIONS;
}

/** Finds an entity's kind and role, its slot and district, and its rank among all of its kind. */
function place(number: number): {
  readonly kind: EntityKind;
  readonly role: Role;
  readonly slot: number;
  readonly district: number;
  readonly rank: number;
} {
  const slot = number % DISTRICT_SIZE;
  const district = (number - slot) / DISTRICT_SIZE;
  const role = DISTRICT[slot]!;
  const { kind } = ROLES[role];
  const { first, count } = STRETCHES[kind];
  return { kind, role, slot, district, rank: district * count + slot - first };
}

/** The slots of each kind in a district. */
const STRETCHES = Object.fromEntries(
  (Object.keys(RELATIONS) as EntityKind[]).map((kind) => {
    const slots = DISTRICT.flatMap((role, slot) => ROLES[role].kind === kind ? [slot] : []);
    return [kind, { first: slots[0]!, count: slots.length }];
  }),
) as Readonly<Record<EntityKind, { readonly first: number; readonly count: number }>>;

function locate({ slot, districtsOn }: NonNullable<Telling["holder"]>, district: number): number {
  return (district + districtsOn) % DISTRICTS * DISTRICT_SIZE + slot;
}

/** Draws an entity of the same district or the next that its paragraph does not mention yet. */
function drawOther(
  draw: Draw,
  { objects, district, taken }: {
    readonly objects: readonly number[];
    readonly district: number;
    readonly taken: readonly number[];
  },
): number {
  const districtsOn = draw() < 0.7 ? 0 : 1;
  const candidates = objects.map((slot) => locate({ slot, districtsOn }, district));
  return pick(draw, candidates.filter((candidate) => !taken.includes(candidate)));
}

function drawYear(draw: Draw, [low, high]: readonly [number, number]): number {
  return integer(draw, { low, high });
}

/** Remarks are left out beyond this many characters, so that the longest paragraphs are not twice the usual length. */
const MOST_CHARACTERS = 640;

/** What the pieces of a paragraph are taken from. */
interface PieceSource extends Omit<ReturnType<typeof openPieces>, "texts"> {
  /** Characters of a piece, the space before it included. */
  lengthOf(piece: number): number;
}

/** Tells the paragraph of one entity in pieces: an opening, three or four facts and some remarks, from five to nine sentences. */
function tellParagraph({ entity, facts, draw }: Described, source: PieceSource): number[] {
  const { openings, remarks, years } = PADDING[entity.kind];
  const fill = (phrasing: string, subject: number): number[] =>
    fillPhrase(source.phrase(phrasing), (slot) => {
      if (slot === "s") return subject;
      if (slot === "year") return source.year(entity.began + drawYear(draw, years));
      return pick(draw, source.words(slot));
    });
  const state = ({ relation, object, year }: GraphFact): number[] => {
    const subject = draw() < 0.5 ? entity.piece : entity.piece + 1;
    return fillPhrase(source.phrase(pick(draw, relation.statements)), (slot) => {
      if (slot === "s") return subject;
      return slot === "o" ? object : source.year(year);
    });
  };
  const lengthOf = (sentence: readonly number[]): number =>
    sentence.reduce((length, piece) => length + source.lengthOf(piece), 0);
  const opening = fill(pick(draw, openings), entity.piece);
  const stated = facts.map(state);
  const described = shuffle(draw, remarks).slice(0, integer(draw, REMARKS))
    .map((remark) => fill(remark, entity.piece + 1));
  const least = 4 - facts.length;
  // The paragraph has no space before it.
  let length = [opening, ...stated].reduce((sum, sentence) => sum + lengthOf(sentence), -1);
  const kept = described.filter((remark, index) => {
    length += lengthOf(remark);
    return index < least || length <= MOST_CHARACTERS;
  });
  return [opening, ...shuffle(draw, [...stated, ...kept])].flat();
}

/** How many remarks are drawn for a paragraph. */
const REMARKS = { low: 1, high: 4 } as const;

function fillPhrase(phrase: Phrase, pieceFor: (slot: string) => number): number[] {
  return phrase.map((part) => typeof part === "number" ? part : pieceFor(part));
}
