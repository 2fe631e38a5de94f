import { type Draw, integer, pick, shuffle } from "@/lib/random/mod.ts";
import { fillSlots, PADDING, SLOT_WORDS } from "./_world_grammar.ts";
import type { Entity, GraphFact, Told } from "./_world_graph.ts";

/** Paragraphs end before they are longer than this, in characters, so that the longest are not twice the usual. */
const MOST_CHARACTERS = 640;

/** Writes what is told of one entity: an opening, three or four facts and some remarks, from five to nine sentences. */
export function writeParagraph({ entity, facts, draw }: Told): string {
  const { openings, remarks } = PADDING[entity.kind];
  const opening = fill(pick(draw, openings), { draw, entity, full: true });
  const stated = facts.map((fact) => stateFact(fact, { draw, entity }));
  const told = shuffle(draw, remarks).slice(0, integer(draw, REMARKS))
    .map((remark) => fill(remark, { draw, entity, full: false }));
  const least = 4 - facts.length;
  let length = [opening, ...stated].join(" ").length;
  const kept = told.filter((remark, index) => {
    length += remark.length + 1;
    return index < least || length <= MOST_CHARACTERS;
  });
  return [opening, ...shuffle(draw, [...stated, ...kept])].join(" ");
}

/** How many remarks a paragraph is given. */
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

function fill(
  phrasing: string,
  { draw, entity, full }: Writing & { readonly full: boolean },
): string {
  const [earliest, latest] = PADDING[entity.kind].years;
  return fillSlots(phrasing, (slot) => {
    if (slot === "s") return full ? entity.name.full : entity.name.word;
    if (slot === "year") return String(entity.began + integer(draw, { low: earliest, high: latest }));
    return pick(draw, SLOT_WORDS[slot]!);
  });
}
