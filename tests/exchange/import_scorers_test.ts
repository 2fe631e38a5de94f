import { deepEqual, equal } from "node:assert/strict";
import { type ForeignOptions, readMade, readScoring } from "@/lib/exchange/_foreign.ts";
import { BENCHMARKS, listFamilies } from "@/lib/benchmarks/mod.ts";

const options = { benchmarks: BENCHMARKS } as ForeignOptions;

Deno.test("readScoring() keeps the name of every scorer there is, and of no other", () => {
  const names = [...new Set(listFamilies(BENCHMARKS).flatMap(({ scorers }) => scorers.map(({ name }) => name)))];
  deepEqual(names.map((name) => readScoring(name, options)), names);
  for (const name of ["no such scorer", "", undefined, 7, names, "constructor"]) {
    equal(readScoring(name, options), undefined);
  }
});

Deno.test.each([
  [{ sample: "a", sha256: "b" }, { id: "a", sha256: "b" }],
  [{ sample: "a" }, undefined],
  [{ sha256: "b" }, undefined],
  [{ sample: 1, sha256: "b" }, undefined],
])("readMade() of %j", (fields, wanted) => {
  deepEqual(readMade(fields), wanted);
});
