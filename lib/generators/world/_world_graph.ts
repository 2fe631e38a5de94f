import { type Draw, integer, pick, shuffle, stream } from "@/lib/random/mod.ts";
import { RELATIONS } from "./_world_grammar.ts";
import { type NameKind, nameMaker, type WorldName } from "./_world_names.ts";
import type { EntityKind, Relation } from "./_world_phrasing.ts";

/** Entities come in districts of this make-up, whose members know each other. */
const DISTRICT: readonly { kind: EntityKind; first: number; count: number }[] = [
  { kind: "town", first: 0, count: 3 },
  { kind: "firm", first: 3, count: 4 },
  { kind: "person", first: 7, count: 7 },
];
/** How many entities a district has. */
export const DISTRICT_SIZE = 14;
const RIVERS_PER_DISTRICT = 2;
const DISTRICTS = 4500;
/** How many entities, and so how many paragraphs, a world has. */
export const ENTITY_COUNT: number = DISTRICTS * DISTRICT_SIZE;

/** One thing that has a paragraph. */
export interface Entity {
  readonly number: number;
  readonly kind: EntityKind;
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

/** A world of entities and what holds between them, each told by its number alone. */
export interface Graph {
  entity(number: number): Entity;
  /** The facts that its paragraph states, in the order it states them: three or four. */
  facts(number: number): readonly GraphFact[];
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
  const entity = (number: number): Entity => {
    const { kind, rank } = place(number);
    return { number, kind, name: names[kind](rank) };
  };
  return {
    entity,
    facts(number): GraphFact[] {
      const { kind, rank } = place(number);
      const draw = stream(seed, "facts", number);
      const began = integer(draw, BEGINNINGS[kind]);
      const taken = new Set([number]);
      const facts = RELATIONS[kind].map((relation): GraphFact => {
        const [low, high] = relation.years;
        const year = began + integer(draw, { low, high });
        if (!hasParagraph(relation.object)) {
          const object = relation.object === "river" ? drawRiver(draw, number) : rank;
          return {
            relation,
            year,
            entity: null,
            object: names[relation.object](object),
          };
        }
        const other = drawOther(draw, { kind: relation.object, number, taken });
        taken.add(other);
        return { relation, year, entity: other, object: entity(other).name };
      });
      const stated = integer(draw, { low: 3, high: 4 });
      return shuffle(draw, facts).slice(0, stated);
    },
  };
}

/** The years in which entities of a kind began. */
const BEGINNINGS: Readonly<Record<EntityKind, { low: number; high: number }>> = {
  person: { low: 1840, high: 1880 },
  firm: { low: 1780, high: 1870 },
  town: { low: 1640, high: 1720 },
};

function hasParagraph(kind: NameKind): kind is EntityKind {
  return kind in RELATIONS;
}

/** Tells an entity's kind, and its rank among those of its kind. */
function place(
  number: number,
): { readonly kind: EntityKind; readonly rank: number } {
  const slot = number % DISTRICT_SIZE;
  const district = (number - slot) / DISTRICT_SIZE;
  const { kind, first, count } = DISTRICT.find((group) => slot < group.first + group.count)!;
  return { kind, rank: district * count + slot - first };
}

/** Draws an entity of the same district or the next, none twice for one paragraph. */
function drawOther(
  draw: Draw,
  { kind, number, taken }: {
    readonly kind: EntityKind;
    readonly number: number;
    readonly taken: ReadonlySet<number>;
  },
): number {
  const district = Math.floor(number / DISTRICT_SIZE) +
    (draw() < 0.7 ? 0 : 1);
  const { first, count } = DISTRICT.find((group) => group.kind === kind)!;
  const start = (district % DISTRICTS) * DISTRICT_SIZE + first;
  const candidates = Array.from({ length: count }, (_, rank) => start + rank);
  return pick(draw, candidates.filter((candidate) => !taken.has(candidate)));
}

function drawRiver(draw: Draw, number: number): number {
  const district = Math.floor(number / DISTRICT_SIZE);
  return district * RIVERS_PER_DISTRICT +
    integer(draw, { low: 0, high: RIVERS_PER_DISTRICT - 1 });
}
