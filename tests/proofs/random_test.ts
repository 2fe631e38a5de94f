import { equal } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { countRepeats, listPaths, listWorldPaths, notedPaths } from "../random/_real_paths.ts";

const openPaths = notedPaths(await openTestMaterials("cl100k_base"));

/** Real paths of each family. */
const MANY_PATHS = 100_000;

for (const [family, open] of openPaths) {
  Deno.test(`stream() begins differently for 100,000 paths of ${family}`, () => {
    equal(countRepeats(listPaths(open, MANY_PATHS)), 0);
  });
}

Deno.test("stream() begins differently for 100,000 paths of the generated world", () => {
  equal(countRepeats(listWorldPaths(MANY_PATHS)), 0);
});
