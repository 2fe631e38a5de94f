import { deepEqual } from "node:assert/strict";
import { listPlaces, listTests } from "../_part.ts";

const PARTS = new URL("../parts/", import.meta.url);

/** The test files that the parts import. */
function listImported(): string[] {
  const parts = [...Deno.readDirSync(PARTS)].map(({ name }) => Deno.readTextFileSync(new URL(name, PARTS)));
  return parts.flatMap((text) => Array.from(text.matchAll(/^.*importTests\(([^)]*)\)/gms), ([, places]) => places!))
    .flatMap((places) => listPlaces(Array.from(places.matchAll(/"([^"]+)"/g), ([, place]) => place!)));
}

Deno.test("tests/parts imports each test file once, but for those that deno.json names by their folders", () => {
  const imported = listImported();
  const tests = listTests(".").filter((path) => !/^(?:slow|proofs)\//.test(path));
  deepEqual(tests.filter((path) => !imported.includes(path)), [], "write its folder into a file of tests/parts");
  deepEqual(imported.filter((path, place) => imported.indexOf(path) !== place), []);
});
