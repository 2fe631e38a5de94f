import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { describeEntity, type Entity, entityOf, kindOf } from "@/lib/generators/world/world_graph.ts";

const DISTRICT = 15;
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
