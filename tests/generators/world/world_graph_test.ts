import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { describeEntity, type Entity, entityOf, kindOf, rankOf } from "@/lib/generators/world/world_graph.ts";
import { RELATIONS } from "@/lib/generators/world/world_wordings.ts";

const DISTRICT = 15;
const WORLD = 63_000;
const ENTITIES: readonly Entity[] = Array.from(
  { length: cases(1200, 4200) * DISTRICT },
  (_, number) => describeEntity("graph", number),
);

/** Facts of all entities with their subject. */
const FACTS = ENTITIES.flatMap(({ number, began, facts }) =>
  facts.map((fact) => ({ ...fact, subject: number, began }))
);
const factsOf = (name: string): typeof FACTS => FACTS.filter(({ relation }) => relation.name === name);

Deno.test("entities are three towns, three firms and nine people, in every district", () => {
  const wanted = [..."tttfffppppppppp"].map((letter) => ({ t: "town", f: "firm", p: "person" })[letter]);
  for (const first of [0, 15, 62_985]) {
    deepEqual(Array.from({ length: DISTRICT }, (_, slot) => kindOf(first + slot)), wanted);
  }
});

Deno.test("rankOf() numbers the entities of each kind from 0 without a gap", () => {
  const ranks: Record<string, number[]> = { town: [], firm: [], person: [] };
  for (let number = 0; number < 40 * DISTRICT; number++) ranks[kindOf(number)]!.push(rankOf(number));
  for (const [kind, count] of [["town", 3], ["firm", 3], ["person", 9]] as const) {
    deepEqual(ranks[kind], Array.from({ length: 40 * count }, (_, rank) => rank));
  }
});

Deno.test("entityOf() counts from the first of the subject's district, round from the last district to the first", () => {
  deepEqual([entityOf(0, 0), entityOf(14, 7), entityOf(15, 14), entityOf(3, 32)], [0, 14, 15, 33]);
  deepEqual([entityOf(14, WORLD - 1), entityOf(15, WORLD - 1), entityOf(29, WORLD - 15)], [WORLD - 1, 0, 14]);
  deepEqual([entityOf(29, 0), entityOf(30, 0), entityOf(31, 0), entityOf(32, 7)], [29, null, null, null]);
});

// Those of the table of roles; the years of a relation count from the beginning of its subject.
Deno.test.each(
  [
    ["bornIn", 1854, 1906],
    ["livesIn", 1878, 1936],
    ["worksFor", 1900, 1937],
    ["taughtBy", 1888, 1924],
    ["wrote", 1878, 1937],
    ["foundedBy", 1888, 1900],
    ["basedIn", 1890, 1909],
    ["makes", 1898, 1924],
    ["runBy", 1921, 1937],
    ["suppliedBy", 1900, 1936],
    ["ledBy", 1922, 1937],
    ["bridgedBy", 1910, 1920],
    ["marketsAt", 1890, 1936],
    ["celebrates", 1850, 1936],
  ] as [string, number, number][],
)("facts %s happen from %i to %i", (name, first, last) => {
  const years = factsOf(name).map(({ year }) => year);
  deepEqual([Math.min(...years), Math.max(...years)], [first, last]);
});

Deno.test("an entity has three or four facts of different relations about different entities, as often three as four", () => {
  let four = 0;
  for (const { number, facts } of ENTITIES) {
    ok(facts.length === 3 || facts.length === 4);
    if (facts.length === 4) four++;
    equal(new Set(facts.map(({ relation }) => relation)).size, facts.length);
    const others = facts.map(({ object }) => entityOf(object, number)).filter((other) => other !== null);
    equal(new Set(others).size, others.length);
    ok(!others.includes(number));
  }
  // The three founders of a district have no more than three to state; the standard error of the share of the others is 0.004.
  const share = four / (ENTITIES.length * 12 / DISTRICT);
  ok(share > 0.47 && share < 0.53, `${share}`);
});

Deno.test("what facts are about is of the kind that the relation wants", () => {
  for (const { relation, object, subject } of FACTS) {
    const other = entityOf(object, subject);
    equal(other === null, !(relation.object in RELATIONS));
    if (other !== null) equal(kindOf(other), relation.object, relation.name);
  }
});

Deno.test("seven in ten of those that a fact can choose among are of the subject's own district", () => {
  for (const name of ["bornIn", "livesIn", "worksFor", "basedIn", "bridgedBy"]) {
    const objects = factsOf(name).map(({ object }) => object);
    const share = objects.filter((object) => object < DISTRICT).length / objects.length;
    ok(Math.abs(share - 0.7) < 0.04, `${name}: ${share}`);
  }
});

Deno.test("offices are held by one each, the second of a district by somebody of the next one", () => {
  for (const name of ["foundedBy", "runBy", "ledBy"]) {
    const holders = new Map<number, number>();
    for (const { subject, object } of factsOf(name)) {
      const holder = entityOf(object, subject)!;
      ok(!holders.has(holder) || holders.get(holder) === subject);
      holders.set(holder, subject);
      // The first and the third of a district are led from there.
      equal(object >= DISTRICT, subject % 3 === 1, name);
    }
  }
});

Deno.test("rivers of a district are both named, as often the one as the other", () => {
  const rivers = factsOf("liesOn").map(({ object }) => object);
  deepEqual([...new Set(rivers)].toSorted((left, right) => left - right), [31, 32]);
  const share = rivers.filter((river) => river === 31).length / rivers.length;
  ok(Math.abs(share - 0.5) < 0.05, `${share}`);
});
