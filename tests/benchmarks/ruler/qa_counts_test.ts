import { equal, ok } from "node:assert/strict";
import { smallSet } from "./_questions.ts";
import { openTestMaterials, withOther } from "../../generators/_materials.ts";
import { OTHER_ENCODINGS } from "../../generators/_encodings.ts";
import { documentCounts } from "@/lib/benchmarks/ruler/qa_documents.ts";
import type { DocumentSet } from "@/lib/generators/mod.ts";

/** The documents of a context, by their numbers. */
const ORDERS = [[0, 1, 2, 3], [3, 0, 2, 5], [7, 7, 1, 4]] as const;

for (const [encoding] of OTHER_ENCODINGS) {
  Deno.test(`documentCounts() add up to the tokens of whole contexts in ${encoding}, with titles and without`, async () => {
    const materials = await openTestMaterials(encoding);
    const { tokenizer, documents: { oneHop, twoHop } } = materials;
    const plain = smallSet(8);
    const titled: DocumentSet = {
      ...plain,
      name: "titled",
      document: (number) => ({ title: `T${number}`, text: `T${number}\nIt is “${number}” — or is it…` }),
    };
    const { pieces: _, ...whole } = oneHop;
    for (const set of [plain, titled, oneHop, twoHop, { ...whole, name: "without pieces" }]) {
      const counts = documentCounts(withOther(materials, {}), set)!;
      for (const order of ORDERS) {
        const costs = order.map((number) => counts.own(number));
        if (costs.some((cost) => cost < 0)) continue;
        const texts = order.map((number, at) => `Document ${at + 1}:\n${set.document(number).text}\n\n`);
        const sum = tokenizer.count("Document") + counts.labels(4) + costs.reduce((total, cost) => total + cost, 0);
        equal(sum, tokenizer.count(`${texts.join("")}Document`), `${set.name} ${order}`);
        for (const number of order) {
          const { tail, alone, meeting } = counts.end(number);
          ok(`${set.document(number).text}\n\n`.endsWith(tail));
          equal(alone, tokenizer.countAfterCut(tail));
          equal(meeting, tokenizer.countAfterCut(`${tail}Document`));
        }
      }
      ok(counts.own(0) > 0 || set.name === "titled", set.name);
    }
  });
}
