// What the years of the synthetic world allow, shared with no code of the generator.

import type { Reading, RelationName } from "./_world_reading.ts";

/** `later` is at least `gap` years after `earlier`. */
interface Order {
  readonly earlier: string;
  readonly later: string;
  readonly gap: number;
  readonly why: string;
}

const YEAR_0 = "the year 0";
const NOW = "now";
/** Ages beyond which nobody works, and nobody lives. */
const OLDEST_AT_WORK = 85;
const OLDEST = 95;

/** Lists statements whose years cannot all be true, given what is known about lives and firms. */
export function findImpossibleDates({ statements, asides }: Reading): string[] {
  const orders: Order[] = [];
  const atLeast = (later: string, earlier: string, { gap, why }: { gap: number; why: string }): void => {
    orders.push({ earlier, later, gap, why });
  };
  const notBefore = (what: string, year: number, why: string): void => atLeast(what, YEAR_0, { gap: year, why });
  const notAfter = (what: string, year: number, why: string): void => atLeast(YEAR_0, what, { gap: -year, why });
  /** A person's age in a year is within bounds. */
  const aged = (person: string, year: number, { low, high, why }: { low: number; high: number; why: string }): void => {
    notAfter(`birth of ${person}`, year - low, why);
    notBefore(`birth of ${person}`, year - high, why);
  };
  const kinds = new Map<string, "person" | "firm" | "town">();
  for (const { relation, subject, object, year, sentence: why } of statements) {
    kinds.set(subject, KIND_OF_SUBJECT[relation]);
    if (year !== null) notBefore(NOW, year, why);
    // The texts are in the present tense: everybody in them is alive.
    for (const person of PEOPLE_OF[relation].map((side) => ({ subject, object })[side])) {
      atLeast(`birth of ${person}`, NOW, { gap: -OLDEST, why });
    }
    switch (relation) {
      case "birthplace":
        if (year !== null) aged(subject, year, { low: 0, high: 0, why });
        break;
      case "home":
      case "book":
        if (year !== null) aged(subject, year, { low: 16, high: OLDEST, why });
        break;
      case "employer":
        if (year !== null) {
          aged(subject, year, { low: 14, high: OLDEST_AT_WORK, why });
          notAfter(`founding of ${object}`, year, why);
        }
        break;
      case "teacher":
        atLeast(`birth of ${subject}`, `birth of ${object}`, { gap: 8, why });
        if (year !== null) {
          aged(subject, year, { low: 10, high: 22, why });
          aged(object, year, { low: 20, high: OLDEST_AT_WORK, why });
        }
        break;
      case "founder":
        if (year !== null) {
          notBefore(`founding of ${subject}`, year, why);
          notAfter(`founding of ${subject}`, year, why);
        }
        atLeast(`founding of ${subject}`, `birth of ${object}`, { gap: 18, why });
        atLeast(`birth of ${object}`, `founding of ${subject}`, { gap: -OLDEST_AT_WORK, why });
        break;
      case "head office":
      case "product":
        if (year !== null) notAfter(`founding of ${subject}`, year, why);
        break;
      case "manager":
        if (year !== null) {
          notAfter(`founding of ${subject}`, year, why);
          aged(object, year, { low: 20, high: OLDEST_AT_WORK, why });
        }
        atLeast(NOW, `birth of ${object}`, { gap: 20, why });
        break;
      case "supplier":
        if (year !== null) {
          notAfter(`founding of ${subject}`, year, why);
          notAfter(`founding of ${object}`, year, why);
        }
        break;
      case "mayor":
        if (year !== null) {
          aged(object, year, { low: 20, high: OLDEST_AT_WORK, why });
          notAfter(`charter of ${subject}`, year, why);
        }
        break;
      case "bridge":
        if (year !== null) aged(object, year, { low: 18, high: OLDEST_AT_WORK, why });
        break;
    }
  }
  for (const { subject, year, sentence: why } of asides) {
    notBefore(NOW, year, why);
    const kind = kinds.get(subject);
    if (kind === "firm") notAfter(`founding of ${subject}`, year, why);
    if (kind === "person") notAfter(`birth of ${subject}`, year - 16, why);
    if (/was a village until/.test(why)) notBefore(`charter of ${subject}`, year, why);
  }
  return findImpossible(orders);
}

const KIND_OF_SUBJECT: Readonly<Record<RelationName, "person" | "firm" | "town">> = {
  birthplace: "person",
  home: "person",
  employer: "person",
  teacher: "person",
  book: "person",
  founder: "firm",
  "head office": "firm",
  product: "firm",
  manager: "firm",
  supplier: "firm",
  river: "town",
  mayor: "town",
  bridge: "town",
  market: "town",
  festival: "town",
};

/** Which sides of a relation are people. */
const PEOPLE_OF: Readonly<Record<RelationName, readonly ("subject" | "object")[]>> = {
  birthplace: ["subject"],
  home: ["subject"],
  employer: ["subject"],
  teacher: ["subject", "object"],
  book: ["subject"],
  founder: ["object"],
  "head office": [],
  product: [],
  manager: ["object"],
  supplier: [],
  river: [],
  mayor: ["object"],
  bridge: ["object"],
  market: [],
  festival: [],
};

/** Lists circles of orders that no years can satisfy: differences with a negative cycle (Bellman and Ford). */
function findImpossible(orders: readonly Order[]): string[] {
  const faults: string[] = [];
  let left = orders;
  for (;;) {
    const circle = findImpossibleCircle(left);
    if (circle === null) return faults;
    faults.push(`no year fits: ${[...new Set(circle.map(({ why }) => why))].join(" | ")}`);
    // Without one of them there can be another circle.
    const [dropped] = circle.filter(({ why }) => why !== "");
    left = left.filter((order) => order.why !== dropped!.why);
    if (faults.length >= MOST_DATE_FAULTS) return faults;
  }
}

const MOST_DATE_FAULTS = 5;

function findImpossibleCircle(orders: readonly Order[]): Order[] | null {
  // The earliest year of everything: all begin at 0 and are moved up until every order is satisfied.
  const earliest = new Map<string, number>();
  const because = new Map<string, Order>();
  for (const { earlier, later } of orders) earliest.set(earlier, 0).set(later, 0);
  for (let round = 0; round <= earliest.size; round++) {
    let moved: string | null = null;
    for (const order of orders) {
      const bound = earliest.get(order.earlier)! + order.gap;
      if (bound <= earliest.get(order.later)!) continue;
      earliest.set(order.later, bound);
      because.set(order.later, order);
      moved = order.later;
    }
    if (moved === null) return null;
    // Checked now and then, so that a circle is found long before the last round.
    if (round % 8 === 7 || round === earliest.size) {
      const circle = followBack(because, moved);
      if (circle) return circle;
    }
  }
  return null;
}

function followBack(because: ReadonlyMap<string, Order>, start: string): Order[] | null {
  const seen = new Map<string, number>();
  const path: Order[] = [];
  let at = start;
  for (;;) {
    const from = seen.get(at);
    if (from !== undefined) return path.slice(from);
    const order = because.get(at);
    if (order === undefined) return null;
    seen.set(at, path.length);
    path.push(order);
    at = order.earlier;
  }
}
