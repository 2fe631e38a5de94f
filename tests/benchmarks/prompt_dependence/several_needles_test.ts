import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { SEVERAL_NEEDLES } from "@/lib/benchmarks/prompt_dependence/several_needles.ts";
import { userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const make = (given: Parameters<typeof SEVERAL_NEEDLES.make>[0] = {}, index = 0) =>
  SEVERAL_NEEDLES.make(given).sample({ length: 4096, seed: "1", index, materials });

Deno.test("recall_pizza is Kamradt's test: his needles, his question, the other needles at even steps to the end", () => {
  const { prompt, references, facts } = make({ depth: 0.25 });
  const user = userText(prompt);
  ok(
    user.startsWith(
      "You are a helpful AI bot that answers questions for a user. Keep your response short and direct\n",
    ),
  );
  ok(user.endsWith(
    "\nWhat are the secret ingredients needed to build the perfect pizza? Don't give information outside the document or repeat your findings",
  ));
  deepEqual(references, ["Figs", "Prosciutto", "Goat cheese"]);
  // (100 - 25) / 3 is 25: a quarter, a half, three quarters, each moved back to the end of a sentence.
  const depths = facts.map(({ depth }) => depth!);
  deepEqual(depths.map((depth) => Math.round(20 * depth) / 20), [0.25, 0.5, 0.75]);
  ok(depths.every((depth, at) => depth <= [0.25, 0.5, 0.75][at]! + 0.005));
  equal(make({ depth: 1 }).facts.every(({ depth }) => depth! > 0.99), true);
});

Deno.test("the score is the share of the needles that a reply names", () => {
  const { scorer } = SEVERAL_NEEDLES.task("recall_pizza");
  const item = { references: ["Figs", "Prosciutto", "Goat cheese"] };
  equal(scorer.grade("It takes figs and goat cheese.", item).score.value, 2 / 3);
});

Deno.test("needles of one's own come with their words and a question, or are refused", () => {
  const own = { needles: "The cat is in Oslo.|The dog is in Rome.", answers: "Oslo|Rome", question: "Where are they?" };
  deepEqual(make(own).references, ["Oslo", "Rome"]);
  const refused = (changes: object, message: RegExp): void => throws(() => make({ ...own, ...changes }), { message });
  refused({ needles: "The cat is in Oslo." }, /as needles of your own must be at least two lines of text/);
  for (const answers of ["Oslo|Bern", "Rome|Oslo", "Oslo", "Oslo|Rome|Rome", "Oslo| ", "Oslo|"]) {
    refused({ answers }, /as answers must be words of each needle, in the same order/);
  }
  refused({ question: "two\nlines?" }, /as needles of your own must come with a question in one line/);
});
