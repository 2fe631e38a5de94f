import { deepEqual, match } from "node:assert/strict";
import { importTests, listTests } from "../_part.ts";
import { inFolder } from "../_folder.ts";

const TESTS = new URL("../", import.meta.url);
const PARTS = new URL("../parts/", import.meta.url);

/** What the parts import, in the order of their names. */
function placesOfParts(): string[] {
  const parts = [...Deno.readDirSync(PARTS)].map(({ name }) => Deno.readTextFileSync(new URL(name, PARTS)));
  return parts.flatMap((text) => Array.from(text.matchAll(/"([^".]\S*)"/g), ([, place]) => place!));
}

Deno.test("each test file is in one part of tests/parts, but for those that deno.json names", () => {
  const tests = listTests(".").filter((path) => !/^(?:e2e|slow)\//.test(path));
  deepEqual(placesOfParts().flatMap(listTests).sort(), tests.sort());
});
