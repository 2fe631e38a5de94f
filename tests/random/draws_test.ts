import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { distinct } from "@/lib/random/draws.ts";
import { integer, pick, shuffle, stream, uuid } from "@/lib/random/mod.ts";

Deno.test("integer() stays in its range and reaches both ends", () => {
  const draw = stream("integer");
  const drawn = new Set(Array.from({ length: 200 }, () => integer(draw, { low: 3, high: 6 })));
  deepEqual([...drawn].sort(), [3, 4, 5, 6]);
});

Deno.test("integer() refuses an empty range", () => {
  throws(() => integer(stream("a"), { low: 2, high: 1 }), {
    name: "RangeError",
    message: "Cannot draw a number as high must be at least low (2): current value is 1",
  });
});

Deno.test("pick() refuses an empty list", () => {
  throws(() => pick(stream("a"), []), {
    name: "RangeError",
    message: "Cannot pick an item as the list must hold at least one: current value is 0",
  });
});

Deno.test("shuffle() keeps the items and leaves its input as it is", () => {
  fc.assert(fc.property(fc.array(fc.integer()), fc.string(), (items, seed) => {
    const frozen = Object.freeze([...items]);
    deepEqual(shuffle(stream(seed), frozen).sort(), [...items].sort());
  }));
});

Deno.test("shuffle() puts each of the 6 orders of 3 items a sixth of the time", () => {
  const draw = stream("orders");
  const counts = new Map<string, number>();
  for (let round = 0; round < 60_000; round++) {
    const order = shuffle(draw, ["a", "b", "c"]).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  equal(counts.size, 6);
  // The standard error of a count is sqrt(60000 / 6 * 5 / 6) = 91.3; four of them are 365.
  for (const count of counts.values()) ok(Math.abs(count - 10_000) < 365, `${count}`);
});

Deno.test("distinct() gives as many different numbers below the bound as were asked for", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), (count, more) => {
    const below = count + more;
    const drawn = distinct(stream("distinct", count, more), { count, below });
    equal(new Set(drawn).size, count);
    ok(drawn.every((number) => Number.isInteger(number) && number >= 0 && number < below));
  }));
});

Deno.test("distinct() refuses more numbers than there are", () => {
  throws(() => distinct(stream("a"), { count: 3, below: 2 }), {
    name: "RangeError",
    message: "Cannot draw distinct numbers as count must be at most 2: current value is 3",
  });
});

Deno.test("uuid() gives version 4 of variant 1, never the same one in 10,000", () => {
  const draw = stream("uuid");
  const drawn = Array.from({ length: 10_000 }, () => uuid(draw));
  for (const one of drawn) match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  equal(new Set(drawn).size, drawn.length);
});
