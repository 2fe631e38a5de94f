import type { EntityKind, Padding, Relation } from "./_world_phrasing.ts";
import { FIRM_PADDING, FIRM_RELATIONS } from "./_world_firms.ts";
import { PERSON_PADDING, PERSON_RELATIONS } from "./_world_people.ts";
import { TOWN_PADDING, TOWN_RELATIONS } from "./_world_towns.ts";

/** Every relation of the world, by the kind that it is told of. */
export const RELATIONS: Readonly<Record<EntityKind, readonly Relation[]>> = {
  person: PERSON_RELATIONS,
  firm: FIRM_RELATIONS,
  town: TOWN_RELATIONS,
};

/** The sentences that state no relation. */
export const PADDING: Readonly<Record<EntityKind, Padding>> = {
  person: PERSON_PADDING,
  firm: FIRM_PADDING,
  town: TOWN_PADDING,
};

/** Words for the slots of {@linkcode PADDING}. */
export const SLOT_WORDS: Readonly<Record<string, readonly string[]>> = {
  trade:
    "bookbinder carver cooper dyer ferryman gardener glazier locksmith miller potter printer ropemaker saddler surveyor tailor thatcher tinsmith watchmaker"
      .split(" "),
  manner: "blunt careful cheerful curious modest patient quiet restless slow solemn stubborn thrifty"
    .split(" "),
  subject: [
    ..."astronomy beekeeping chess fencing geometry grammar heraldry mosses music weather"
      .split(" "),
    "old maps",
    "the tides",
    "the history of roads",
    "pressed flowers",
  ],
  thing: [
    ..."baskets bells brushes buttons candles combs kettles ladders lanterns mirrors needles ribbons saddles spoons stoves whistles"
      .split(" "),
    "writing desks",
    "weather vanes",
  ],
  material: "birch brass clay copper flax granite leather linen maple pewter slate tin walnut willow"
    .split(" "),
  season: "spring summer autumn winter".split(" "),
};

/** Puts words into the slots of a phrasing. */
export function fillSlots(
  phrasing: string,
  wordFor: (slot: string) => string,
): string {
  return phrasing.replace(/\{(\w+)\}/g, (_, slot: string) => wordFor(slot));
}
