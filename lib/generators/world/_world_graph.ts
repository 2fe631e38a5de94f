import { type Draw, integer, pick, shuffle, stream } from "@/lib/random/mod.ts";
import { objectRoles, RELATIONS, ROLES } from "./_world_grammar.ts";
import { type NameKind, nameMaker, type WorldName } from "./_world_names.ts";
import type { EntityKind, Relation, Role } from "./_world_phrasing.ts";

/** Entities come in districts of this make-up, whose members know each other and some of the next district. */
const DISTRICT: readonly Role[] = (Object.keys(ROLES) as Role[]).flatMap((role) =>
  Array.from({ length: ROLES[role].count }, () => role)
);
/** How many entities a district has. */
export const DISTRICT_SIZE: number = DISTRICT.length;
const RIVERS_PER_DISTRICT = 2;
const DISTRICTS = 4200;
/** How many entities, and so how many paragraphs, a world has. */
export const ENTITY_COUNT: number = DISTRICTS * DISTRICT_SIZE;

/** One thing that has a paragraph. */
export interface Entity {
  readonly number: number;
  readonly kind: EntityKind;
  readonly role: Role;
  /** The year of its birth or founding. */
  readonly began: number;
  readonly name: WorldName;
}

/** What a paragraph states of its entity. */
export interface GraphFact {
  readonly relation: Relation;
  readonly object: WorldName;
  /** The number of the object where it has a paragraph of its own. */
  readonly entity: number | null;
  readonly year: number;
}

/** An entity and what its paragraph states of it. */
export interface Told {
  readonly entity: Entity;
  /** The facts that its paragraph states, in the order it states them: three or four. */
  readonly facts: readonly GraphFact[];
  /** Further randomness of its own, for the wording. */
  readonly draw: Draw;
}

/** A world of entities and what holds between them, each told by its number alone. */
export interface Graph {
  /** Gives the name of an entity. */
  name(number: number): WorldName;
  /** Tells an entity. */
  tell(number: number): Told;
}

/** Opens the world of a seed. */
export function openGraph(seed: string): Graph {
  const kinds = [
    ...["person", "town", "firm"] as const,
    ...["river", "book", "product", "festival"] as const,
  ];
  const names = Object.fromEntries(
    kinds.map((kind) => [kind, nameMaker(seed, kind)]),
  ) as Record<NameKind, (number: number) => WorldName>;
  const name = (number: number): WorldName => {
    const { kind, rank } = place(number);
    return names[kind](rank);
  };
  return {
    name,
    tell(number): Told {
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

/** A relation that can be told of the entity in a slot of a district, and who its object can be. */
interface Telling {
  readonly relation: Relation;
  /** The slots that the object can come from; none where it has no paragraph. */
  readonly objects: readonly number[];
  /** The slot of the one who holds an office, of this district or a further one. */
  readonly holder: { readonly slot: number; readonly districtsOn: number } | null;
}

/** What can be told of the entity in each slot of a district. */
const TELLINGS: readonly (readonly Telling[])[] = DISTRICT.map((role, slot) =>
  RELATIONS[ROLES[role].kind].flatMap((relation): Telling[] => {
    if (!hasParagraph(relation.object)) return [{ relation, objects: [], holder: null }];
    const roles = objectRoles(relation, role);
    const objects = slotsOf(roles);
    if (objects.length === 0) return [];
    if (!relation.isOffice) return [{ relation, objects, holder: null }];
    // Each office is paired with its own holder: the second of a district with one of the next. The last have none.
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

/** Tells an entity's kind and role, where it stands, and its rank among those of its kind. */
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

/** Where the entities of a kind stand in a district. */
const STRETCHES = Object.fromEntries(
  (Object.keys(RELATIONS) as EntityKind[]).map((kind) => {
    const slots = DISTRICT.flatMap((role, slot) => ROLES[role].kind === kind ? [slot] : []);
    return [kind, { first: slots[0]!, count: slots.length }];
  }),
) as Readonly<Record<EntityKind, { readonly first: number; readonly count: number }>>;

function locate(
  { slot, districtsOn }: { readonly slot: number; readonly districtsOn: number },
  district: number,
): number {
  return (district + districtsOn) % DISTRICTS * DISTRICT_SIZE + slot;
}

/** Draws an entity of the same district or the next, none twice for one paragraph. */
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
