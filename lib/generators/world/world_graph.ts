import type { NameKind } from "./world_names.ts";
import wordings from "./world_wordings.json" with { type: "json" };
import {
  type EntityKind,
  FIRST_YEAR,
  PADDING,
  type Pieces,
  type Relation,
  RELATIONS,
  type Role,
  SLOT_WORDS,
} from "./world_wordings.ts";
import { type Draw, integer, pick, placeIn, shuffle, stream } from "@/lib/random/mod.ts";

/** What entities of a role have in common. */
interface RoleTraits {
  readonly kind: EntityKind;
  readonly count: number;
  /** Relations between two of a kind lead one rank up, towards 0: so there is no circle, and teachers are older than pupils. */
  readonly rank: number;
  /** The years of their birth or founding, from and to; for towns, the year in which records begin. */
  readonly began: readonly [number, number];
}

/**
 * The roles of a district, in the order of its entities.
 *
 * The years of a relation count from the beginning of its subject. With these spans no date is impossible for any person drawn:
 *
 * | event | years | who takes part |
 * | --- | --- | --- |
 * | a firm is founded | 1888 to 1900 | by a founder of 26 to 46 |
 * | a manager or mayor is apprenticed, at 14 to 18 | 1888 to 1904 | to a founder of 26 to 50 |
 * | a worker is apprenticed, at 14 to 18 | 1910 to 1924 | to a manager or mayor of 24 to 50 |
 * | a mayor or worker, aged 26 to 31, is employed | 1900 to 1937 | by a firm founded by then |
 * | a firm is supplied, 12 to 36 years after its founding | 1900 to 1936 | by a firm founded by then |
 * | a firm is managed, 33 to 37 years after its founding | 1921 to 1937 | by a manager of 35 to 63 |
 * | a bridge is designed | 1910 to 1920 | by a founder of 48 to 66, or a manager or mayor of 24 to 46 |
 * | a town receives its charter | 1886 to 1910 | before any mayor |
 * | a mayor is elected | 1922 to 1937 | at 36 to 63 |
 * | a home, a book, an aside about a person | 1878 to 1937 | at 24 to 31 |
 *
 * The texts look back from 1938: none of their years is later, and everybody in them is alive, at 84 at most.
 */
export const ROLES = wordings.roles as unknown as Readonly<Record<Role, RoleTraits>>;

const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** Lists the roles that the object of a relation can have if its subject has `role`; none if that is never stated. */
export function objectRoles(relation: Relation, role: Role): Role[] {
  if (ROLES[role].kind !== relation.subject || isSettled(relation.name, role)) return [];
  return candidateRoles(relation, role);
}

function candidateRoles(relation: Relation, role: Role): Role[] {
  const named = relation.objectRoles ?? ROLE_NAMES.filter((other) => ROLES[other].kind === relation.object);
  if (relation.subject !== relation.object) return [...named];
  return named.filter((other) => ROLES[other].rank === ROLES[role].rank - 1);
}

/** Whether another relation, with these entities as its object, already implies this one. */
function isSettled(name: string, role: Role): boolean {
  return Object.values(RELATIONS).flat().some((other) =>
    other.settles === name &&
    ROLE_NAMES.some((subject) => ROLES[subject].kind === other.subject && candidateRoles(other, subject).includes(role))
  );
}

/** The roles of a district, whose members know each other and some of the next district. */
const DISTRICT = ROLE_NAMES.flatMap((role) => Array<Role>(ROLES[role].count).fill(role));
export const DISTRICT_SIZE: number = DISTRICT.length;
export const DISTRICTS = 4200;
export const RIVERS_PER_DISTRICT = 2;
/** How many entities, and so paragraphs, a world has. */
export const ENTITY_COUNT: number = DISTRICTS * DISTRICT_SIZE;

/**
 * The possible objects of a fact, as numbers below 256 relative to its subject: the entities of its district and of the next by their
 * slots, then what it alone wrote, makes or celebrates, then the rivers of its district.
 */
export const [OWN_OBJECT, FIRST_RIVER] = [2 * DISTRICT_SIZE, 2 * DISTRICT_SIZE + 1];

/** The facts in the paragraph of an entity. */
export interface GraphFact {
  readonly relation: Relation;
  /** Its object, as seen from the entity. */
  readonly object: number;
  readonly year: number;
}

/** A person, firm or town, and what its paragraph states of it. */
export interface Entity {
  readonly number: number;
  readonly kind: EntityKind;
  /** The year of its birth or founding. */
  readonly began: number;
  /** Three or four facts, in the order of the paragraph. */
  readonly facts: readonly GraphFact[];
  readonly draw: Draw;
}

/** Draws an entity of the world of a seed. */
export function describeEntity(seed: string, number: number): Entity {
  const role = DISTRICT[number % DISTRICT_SIZE]!;
  const { kind, began: years } = ROLES[role];
  const draw = stream(seed, "entity", number);
  const began = drawYear(draw, years);
  const taken: number[] = [];
  const facts = TELLINGS[number % DISTRICT_SIZE]!.map(({ relation, objects, holder }): GraphFact => {
    const year = began + drawYear(draw, relation.years);
    if (objects.length === 0) {
      const river = integer(draw, { low: 0, high: RIVERS_PER_DISTRICT - 1 });
      return { relation, year, object: relation.object === "river" ? FIRST_RIVER + river : OWN_OBJECT };
    }
    const object = holder ?? drawOther(draw, objects, taken);
    taken.push(object);
    return { relation, year, object };
  });
  const stated = integer(draw, { low: 3, high: 4 });
  return { number, kind, began, facts: shuffle(draw, facts).slice(0, stated), draw };
}

/** The number of an object that has its own paragraph; `null` for others. */
export function entityOf(object: number, subject: number): number | null {
  return object < OWN_OBJECT ? (subject - subject % DISTRICT_SIZE + object) % ENTITY_COUNT : null;
}

/** A relation that can be stated about the entity in a slot of a district, and its possible objects. */
interface Telling {
  readonly relation: Relation;
  /** The slots of its possible objects; none if they have no paragraph. */
  readonly objects: readonly number[];
  /** The holder of the office, in this district or the next. */
  readonly holder: number | null;
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
    return holder === undefined ? [] : [{ relation, objects, holder: holder + which % 2 * DISTRICT_SIZE }];
  })
);

function slotsOf(roles: readonly Role[]): number[] {
  return DISTRICT.flatMap((role, slot) => roles.includes(role) ? [slot] : []);
}

function hasParagraph(kind: NameKind): kind is EntityKind {
  return kind in RELATIONS;
}

/** The kind of an entity. */
export function kindOf(number: number): EntityKind {
  return ROLES[DISTRICT[number % DISTRICT_SIZE]!].kind;
}

/** The number of an entity among those of its kind. */
export function rankOf(number: number): number {
  const slot = number % DISTRICT_SIZE;
  const { first, count } = STRETCHES[slot]!;
  return (number - slot) / DISTRICT_SIZE * count + slot - first;
}

/** For each slot of a district, the first slot of its kind and how many the kind has. */
const STRETCHES = DISTRICT.map((_, of) => {
  const slots = DISTRICT.flatMap((_, slot) => kindOf(slot) === kindOf(of) ? [slot] : []);
  return { first: slots[0]!, count: slots.length };
});

/** Draws an entity of the same district or the next that its paragraph does not mention yet. */
function drawOther(draw: Draw, slots: readonly number[], taken: readonly number[]): number {
  const first = draw() < 0.7 ? 0 : DISTRICT_SIZE;
  return pick(draw, slots.map((slot) => first + slot).filter((object) => !taken.includes(object)));
}

function drawYear(draw: Draw, [low, high]: readonly [number, number]): number {
  return integer(draw, { low, high });
}

/** Remarks are left out beyond this length of a paragraph, so that the longest is not twice the usual length. */
const MAX_CHARACTERS = 640;

/** The number of remarks drawn for a paragraph. */
const REMARKS = { low: 1, high: 4 } as const;

/**
 * Draws the paragraph of an entity: an opening, three or four facts and some remarks, five to nine sentences in all.
 *
 * Each sentence is the number of its phrase and the filling of each slot: an object, a year counted from the first one, or the
 * place of a word in its list. All numbers are below 256.
 *
 * @param lengthOf Counts the characters of a sentence with the space before it.
 */
export function encodeParagraph(
  { kind, began, facts, draw }: Entity,
  pieces: Pieces,
  lengthOf: (sentence: readonly number[]) => number,
): number[] {
  const { openings, remarks } = pieces.padding(kind);
  const [low, high] = PADDING[kind].years;
  const pad = (phrase: number): number[] => [
    phrase,
    ...pieces.phrases[phrase]!.slots.map((slot) =>
      slot === "year" ? began + integer(draw, { low, high }) - FIRST_YEAR : placeIn(draw, SLOT_WORDS[slot]!)
    ),
  ];
  const state = ({ relation, object, year }: GraphFact): number[] => {
    const inFull = draw() < 0.5;
    const phrase = pick(draw, pieces.statements(relation)) + (inFull ? 0 : 1);
    return [phrase, ...pieces.phrases[phrase]!.slots.map((slot) => slot === "o" ? object : year - FIRST_YEAR)];
  };
  const opening = pad(pick(draw, openings));
  const stated = facts.map(state);
  const described = shuffle(draw, remarks).slice(0, integer(draw, REMARKS)).map(pad);
  const required = 4 - facts.length;
  // The paragraph has no space before it.
  let length = [opening, ...stated].reduce((sum, sentence) => sum + lengthOf(sentence), -1);
  const kept = described.filter((remark, index) => {
    length += lengthOf(remark);
    return index < required || length <= MAX_CHARACTERS;
  });
  return [opening, ...shuffle(draw, [...stated, ...kept])].flat();
}
