import { deepEqual } from "node:assert/strict";
import { RELATIONS } from "@/lib/generators/world/world_wordings.ts";
import { objectRoles } from "@/lib/generators/world/world_graph.ts";

Deno.test.each(
  [
    ["worksFor", "manager", []],
    ["worksFor", "founder", []],
    ["worksFor", "mayor", ["source", "maker", "finisher"]],
    ["livesIn", "mayor", []],
    ["livesIn", "worker", ["market", "borough", "parish"]],
    ["taughtBy", "worker", ["manager", "mayor"]],
    ["taughtBy", "founder", []],
    ["suppliedBy", "source", []],
    ["suppliedBy", "finisher", ["maker"]],
    ["marketsAt", "market", []],
    ["marketsAt", "parish", ["market"]],
    ["bornIn", "maker", []],
  ] as const,
)("objectRoles() of %s stated about a %s", (name, role, want) => {
  const relation = Object.values(RELATIONS).flat().find((known) => known.name === name)!;
  deepEqual(objectRoles(relation, role), want);
});
