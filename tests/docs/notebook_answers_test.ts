import { ok } from "node:assert/strict";

// The answer under the title of a notebook can be read aloud: its first sentence has one number at most. "3 of 13" is one, and lengths
// and names of models are none.
const NUMBER = /(?<![\w.-])(?!0\d)\d[\d,]*(?:\.\d+)?(?:%| of \d+| to \d+)?(?![\w-]|\.\d)/g;

for (const { name } of Deno.readDirSync("notebooks")) {
  if (!name.endsWith(".ipynb")) continue;
  Deno.test(`the answer of ${name} begins with a sentence that can be read aloud`, async () => {
    const [title] = JSON.parse(await Deno.readTextFile(`notebooks/${name}`)).cells;
    const answer = [title.source].flat().join("").split("\n").find((line) => line.startsWith("> "));
    ok(answer !== undefined, "it has no answer");
    const [first] = answer.slice("> ".length).split(/(?<=[.!?])\s/);
    const numbers = first!.match(NUMBER) ?? [];
    ok(numbers.length <= 1, `${numbers.join(" and ")} in: ${first}`);
    ok(first!.split(" ").length <= 30, `it has more than 30 words: ${first}`);
  });
}
