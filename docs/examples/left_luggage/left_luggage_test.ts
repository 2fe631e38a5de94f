import { deepEqual, equal, throws } from "node:assert/strict";
import { openTestMaterials } from "@/tests/generators/_materials.ts";
import { LEFT_LUGGAGE } from "@/docs/examples/left_luggage/left_luggage.ts";
import { BAGS } from "@/docs/examples/left_luggage/scorer.ts";
import { writeEntry } from "@/docs/examples/left_luggage/wording.ts";

const [family] = LEFT_LUGGAGE.families;

Deno.test("left_luggage: a sample asks for the bags that its facts leave in the locker", async () => {
  const materials = await openTestMaterials("cl100k_base");
  const { facts, references } = family!.make({ entries: 9 }).sample({ length: 2048, seed: "1", index: 3, materials });
  equal(facts.length, 9);
  deepEqual(facts.filter(({ role }) => role === "target").map(({ value }) => value), references);
});

Deno.test("left_luggage: an entry says where a bag comes from and where it goes", () => {
  const entries = [{ from: undefined, to: 200 }, { from: 100, to: undefined }, { from: 100, to: 200 }];
  deepEqual(entries.map((entry) => writeEntry({ bag: "B1234", ...entry })), [
    "B1234 is put into locker 200.",
    "B1234 is taken out of locker 100.",
    "B1234 is moved from locker 100 to locker 200.",
  ]);
});

Deno.test.each([
  ["B1234, B56789", 1],
  ["It holds B56789 and B1234.", 1],
  ["B1234", 1 / 2],
  ["B1234, B56789, B7777777, B8888", 1 / 2],
  ["B12345", 0],
  ["It is empty.", 0],
] as [string, number][])("left_luggage: the reply %j scores %d", (reply, value) => {
  equal(BAGS.grade(reply, { references: ["B1234", "B56789"] }).score.value, value);
});

Deno.test("left_luggage: a knob outside its range is refused", () => {
  throws(() => family!.make({ entries: 51 }), {
    name: "RangeError",
    message: "Cannot make task left_luggage as entries must be a whole number from 1 to 50: current value is 51",
  });
});
