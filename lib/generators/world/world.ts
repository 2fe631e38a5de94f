import type { Document, DocumentSet, Question } from "../documents.ts";
import { PADDING, SLOT_WORDS } from "./world_padding.ts";
import { type EntityKind, fillSlots, type Relation, RELATIONS, type Role } from "./world_relations.ts";
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
export function worldDocuments(options: WorldOptions): DocumentSet {
  const { seed = "world", hops } = options;
  const graph = openGraph(seed);
  const name = hops === 1 ? "world_one_hop" : "world_two_hop";
  return {
    name: seed === "world" ? name : `${name}_${seed}`,
    documentCount: ENTITY_COUNT,
    questionCount: ENTITY_COUNT,
    document(number): Document {
      const described = graph.describe(number);
      const text = writeParagraph(described);
      if (hops === 1) return { title: "", text };
      const title = described.entity.name.full;
      return { title, text: `${title}\n${text}` };
    },
    question(number): Question {
      const draw = stream(seed, "question", hops, number);
      if (hops === 1) {
        const { entity, facts } = graph.describe(number);
        const fact = pick(draw, facts);
        const wording = pick(draw, fact.relation.questions);
        return ask(wording.replace("{s}", entity.name.full), fact.object, [number]);
      }
      const [first, last] = pick(draw, pairFacts(graph, number));
      const wording = pick(draw, last.relation.questions)
        .replace("{s}", pick(draw, first.relation.descriptions));
      const gold = [number, first.entity!];
      return ask(wording.replace("{s}", graph.name(number).full), last.object, gold);
    },
  };
}

/** Lists the pairs of facts that lead from an entity through another one to a third. */
function pairFacts(graph: Graph, number: number): [GraphFact, GraphFact][] {
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
  readonly name: WorldName;
}

/** What a paragraph states of its entity. */
interface GraphFact {
  readonly relation: Relation;
  readonly object: WorldName;
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

/** A world of entities and the relations between them, each a function of its number. */
interface Graph {
  name(number: number): WorldName;
  describe(number: number): Described;
}

function openGraph(seed: string): Graph {
  const names = {
    person: nameMaker(seed, "person"),
    town: nameMaker(seed, "town"),
    firm: nameMaker(seed, "firm"),
    river: nameMaker(seed, "river"),
    book: nameMaker(seed, "book"),
    product: nameMaker(seed, "product"),
    festival: nameMaker(seed, "festival"),
  };
  const name = (number: number): WorldName => {
    const { kind, rank } = place(number);
    return names[kind](rank);
  };
  return {
    name,
    describe(number): Described {
      const { kind, role, slot, district, rank } = place(number);
      const draw = stream(seed, "entity", number);
      const began = drawYear(draw, ROLES[role].began);
      const taken = new Set<number>();
      const facts = TELLINGS[slot]!.map(({ relation, objects, holder }): GraphFact => {
        const year = began + drawYear(draw, relation.years);
        if (objects.length === 0) {
          const river = district * RIVERS_PER_DISTRICT + integer(draw, { low: 0, high: RIVERS_PER_DISTRICT - 1 });
          const object = names[relation.object](relation.object === "river" ? river : rank);
          return { relation, year, entity: null, object };
        }
        const entity = holder === null ? drawOther(draw, { objects, district, taken }) : locate(holder, district);
        taken.add(entity);
        return { relation, year, entity, object: name(entity) };
      });
      const stated = integer(draw, { low: 3, high: 4 });
      return {
        entity: { number, kind, role, began, name: names[kind](rank) },
        facts: shuffle(draw, facts).slice(0, stated),
        draw,
      };
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
    readonly taken: ReadonlySet<number>;
  },
): number {
  const districtsOn = draw() < 0.7 ? 0 : 1;
  const candidates = objects.map((slot) => locate({ slot, districtsOn }, district));
  return pick(draw, candidates.filter((candidate) => !taken.has(candidate)));
}

function drawYear(draw: Draw, [low, high]: readonly [number, number]): number {
  return integer(draw, { low, high });
}

/** Remarks are left out beyond this many characters, so that the longest paragraphs are not twice the usual length. */
const MOST_CHARACTERS = 640;

/** Writes the paragraph of one entity: an opening, three or four facts and some remarks, from five to nine sentences. */
function writeParagraph({ entity, facts, draw }: Described): string {
  const { openings, remarks } = PADDING[entity.kind];
  const opening = fill(pick(draw, openings), { draw, entity, full: true });
  const stated = facts.map((fact) => stateFact(fact, { draw, entity }));
  const described = shuffle(draw, remarks).slice(0, integer(draw, REMARKS))
    .map((remark) => fill(remark, { draw, entity, full: false }));
  const least = 4 - facts.length;
  let length = [opening, ...stated].join(" ").length;
  const kept = described.filter((remark, index) => {
    length += remark.length + 1;
    return index < least || length <= MOST_CHARACTERS;
  });
  return [opening, ...shuffle(draw, [...stated, ...kept])].join(" ");
}

/** How many remarks are drawn for a paragraph. */
const REMARKS = { low: 1, high: 4 } as const;

interface Writing {
  readonly draw: Draw;
  readonly entity: Entity;
}

function stateFact(fact: GraphFact, { draw, entity }: Writing): string {
  const subject = draw() < 0.5 ? entity.name.full : entity.name.word;
  return fillSlots(pick(draw, fact.relation.statements), (slot) => {
    if (slot === "s") return subject;
    return slot === "o" ? fact.object.full : String(fact.year);
  });
}

function fill(phrasing: string, { draw, entity, full }: Writing & { readonly full: boolean }): string {
  const [earliest, latest] = PADDING[entity.kind].years;
  return fillSlots(phrasing, (slot) => {
    if (slot === "s") return full ? entity.name.full : entity.name.word;
    if (slot === "year") return String(entity.began + integer(draw, { low: earliest, high: latest }));
    return pick(draw, SLOT_WORDS[slot]!);
  });
}
