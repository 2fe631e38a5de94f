import { deepEqual, equal, notEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
// @ts-types="npm:@types/seedrandom@3.0.8"
import seedrandom from "seedrandom";
import { stream } from "@/lib/random/mod.ts";

const take = (draw: () => number, count: number): number[] => Array.from({ length: count }, () => draw());

Deno.test("stream() gives known numbers for a known path", () => {
  // Recorded once from seedrandom 3.0.5 with the SHA-256 of `["fathom",1]` in hexadecimal as its seed: a change here changes every published sample.
  deepEqual(take(stream("fathom", 1), 2), [0.510236423213057, 0.5426447913423772]);
});

Deno.test("stream() gives the numbers of seedrandom", () => {
  for (let number = 0; number < 200; number++) {
    const path = ["seedrandom", number];
    const theirs = seedrandom(createHash("sha256").update(JSON.stringify(path)).digest("hex"));
    // Beyond 256 bytes ARC4 has gone round its state.
    deepEqual(take(stream(...path), 100), take(() => theirs(), 100));
  }
  const theirs = seedrandom(createHash("sha256").update('["long"]').digest("hex"));
  deepEqual(take(stream("long"), 100_000), take(() => theirs(), 100_000));
});

Deno.test("stream() gives the same numbers whatever was drawn from other streams", () => {
  const alone = take(stream("42", "vt", 17), 5);
  take(stream("42", "vt", 16), 1000);
  deepEqual(take(stream("42", "vt", 17), 5), alone);
});

Deno.test("stream() keeps paths apart that read the same when joined", () => {
  notEqual(stream("a", "b")(), stream("ab")());
  notEqual(stream("a", "b")(), stream("a,b")());
  notEqual(stream(1)(), stream("1")());
});

Deno.test("stream() puts a tenth of 100,000 numbers into each tenth of [0, 1), within 4 standard errors", () => {
  const counts = new Array<number>(10).fill(0);
  for (const number of take(stream("deciles"), 100_000)) counts[Math.floor(number * 10)]!++;
  // The standard error of a count is sqrt(100000 * 0.1 * 0.9) = 94.9.
  equal(counts.every((count) => Math.abs(count - 10_000) < 380), true);
});
