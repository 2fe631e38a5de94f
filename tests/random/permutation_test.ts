import { deepEqual, equal, notDeepEqual, ok } from "node:assert/strict";
import { permutation } from "@/lib/random/mod.ts";

function listOrder(path: readonly string[], size: number): number[] {
  return Array.from({ length: size }, (_, place) => permutation(path, size)(place));
}

Deno.test("permutation() gives every number once, whatever the size", () => {
  for (const size of [1, 2, 3, 7, 16, 17, 100, 1000]) {
    const order = listOrder(["a"], size);
    deepEqual(order.toSorted((left, right) => left - right), Array.from({ length: size }, (_, number) => number));
  }
});

Deno.test("permutation() gives every number once below 63,000", () => {
  const order = permutation(["a"], 63_000);
  const seen = new Set(Array.from({ length: 63_000 }, (_, place) => order(place)));
  equal(seen.size, 63_000);
  ok([...seen].every((number) => number >= 0 && number < 63_000));
});

Deno.test("permutation() is another order for another path, the same for the same", () => {
  deepEqual(listOrder(["a"], 50), listOrder(["a"], 50));
  notDeepEqual(listOrder(["a"], 50), listOrder(["b"], 50));
});

Deno.test("permutation() puts each number of five first about equally often over 2,000 paths", () => {
  const firsts = [0, 0, 0, 0, 0];
  for (let path = 0; path < 2000; path++) firsts[permutation([path], 5)(0)]!++;
  // Expected 400 each, with a standard deviation of 18.
  ok(firsts.every((count) => count > 310 && count < 490), firsts.join(", "));
});
