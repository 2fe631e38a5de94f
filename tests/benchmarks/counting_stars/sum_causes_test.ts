import { deepEqual, equal, ok } from "node:assert/strict";
import { STARS, sumCauses } from "@/lib/benchmarks/counting_stars/mod.ts";
import { readSimulated } from "@/lib/benchmarks/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { joinPrompt, openProfile } from "@/lib/models/mod.ts";
import { openMaterials } from "@/lib/runs/mod.ts";

const materials = await openMaterials();

function samples(language: "en" | "zh", count: number): Sample[] {
  const task = STARS.task(`counting_stars_sum_${language}`, { stars: 12, order: "shuffled" });
  return Array.from({ length: count }, (_, index) => task.sample({ length: 8192, seed: "causes", index, materials }));
}

for (const language of ["en", "zh"] as const) {
  Deno.test(`sumCauses() tells every cause of a reader that says what it did wrong, in ${language}`, () => {
    const rows = sumCauses(samples(language, 150), openProfile("poor-at-sums"));
    deepEqual(rows.filter(({ known, told }) => known !== told), []);
    const causes = ["not found", "not remembered", "nothing", "summed wrongly", "unclear"];
    deepEqual(rows.map(({ told }) => told).toSorted(), causes);
    ok(rows.every(({ replies }) => replies >= 5), JSON.stringify(rows));
    equal(rows.reduce((sum, { replies }) => sum + replies, 0), 150);
  });
}

Deno.test("sumCauses() has no cause to tell of the ideal reader, and one of readers that add up what they list", () => {
  const few = samples("zh", 30);
  deepEqual(sumCauses(few, openProfile("ideal")), [{ known: "nothing", told: "nothing", replies: 30 }]);
  const told = new Set(sumCauses(few, openProfile("lost-in-the-tail")).map((row) => `${row.known}/${row.told}`));
  deepEqual(told, new Set(["nothing/nothing", "not found/not found"].filter((pair) => told.has(pair))));
});

Deno.test("readSimulated() as poor-at-sums adds up what it lists where no sum is asked for", () => {
  const [sample] = [STARS.task("counting_stars_search_en", { stars: 12 })]
    .map((task) => task.sample({ length: 8192, seed: "causes", index: 0, materials }));
  const { mistakes } = readSimulated(joinPrompt(sample!.prompt), openProfile("poor-at-sums"));
  equal(mistakes.some(({ kind }) => kind === "unlisted" || kind === "misadded"), false);
});
