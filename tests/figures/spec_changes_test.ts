import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { changesBetween, withChanges } from "@/lib/figures/spec_changes.ts";

Deno.test("changes of a specification, written as JSON and applied to it, make the other one", () => {
  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value))
    .filter((text) => !text.includes("__proto__")).map((text) => JSON.parse(text));
  fc.assert(fc.property(json, json, (from, to) => {
    const [one, other] = [{ part: from }, { part: to }];
    deepEqual(withChanges(one, JSON.parse(JSON.stringify(changesBetween(one, other)))), other);
  }));
});

Deno.test("equal members are no changes, and a removed one has no value", () => {
  const one = { width: 700, layer: [{ mark: "line", aria: false }, { mark: "point" }] };
  const other = { width: 344, layer: [{ mark: "line" }] };
  const changes = changesBetween(one, other);
  deepEqual(changes, [[["width"], 344], [["layer", "0", "aria"]], [["layer", "length"], 1]]);
  deepEqual(withChanges(one, changes) as unknown, other);
  equal(one.layer.length, 2);
});
