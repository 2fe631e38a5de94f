import { deepEqual, equal, match, ok } from "node:assert/strict";
import { encodeWorld, worldDocuments } from "@/lib/generators/world/world.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

const SEED = "pieces";
const [ONE_HOP, TWO_HOP] = [worldDocuments({ seed: SEED, hops: 1 }), worldDocuments({ seed: SEED, hops: 2 })];
const WORLD = 63_000;
/** Some documents of the first districts, the last two, and each slot of a district. */
const NUMBERS = [...Array.from({ length: 45 }, (_, number) => number), 31_507, 62_985, 62_998, 62_999];

Deno.test("a document of the world is the list of its pieces, each with the space before it", () => {
  const { pieces } = ONE_HOP;
  for (const number of NUMBERS) {
    const list = pieces.list(number);
    const texts = list.map(pieces.textOf);
    equal(texts.join("").slice(1), ONE_HOP.document(number).text);
    deepEqual(TWO_HOP.pieces.list(number), list);
    ok(list.every((piece) => Number.isInteger(piece) && piece >= 0 && piece < pieces.count));
    // A mark stands only at the end of a piece, or at its beginning after a name.
    for (const text of texts) match(text, /^(?: |[.,])/);
  }
});

Deno.test("documents begin with their title for two hops alone", () => {
  for (const number of NUMBERS) {
    const [titled, bare] = [TWO_HOP.document(number), ONE_HOP.document(number)];
    equal(titled.text, `${titled.title}\n${bare.text}`);
    deepEqual([TWO_HOP.pieces.titleOf(number), ONE_HOP.pieces.titleOf(number)], [titled.title, ""]);
  }
});

Deno.test("documents near a question are all others of the districts of its gold documents, each once", () => {
  for (const set of [ONE_HOP, TWO_HOP]) {
    for (let number = 0; number < 300; number++) {
      const { gold, near } = set.question(number);
      const districts = new Set(gold.map((document) => Math.floor(document / 15)));
      const all = [...districts].flatMap((district) => Array.from({ length: 15 }, (_, slot) => 15 * district + slot));
      deepEqual(
        [...gold, ...near].toSorted((left, right) => left - right),
        all.toSorted((left, right) => left - right),
      );
      equal(gold[0], number);
    }
  }
});

Deno.test("a question takes the name in full and its one word, which is the same for a town, a river or a festival", () => {
  const kinds = new Set<number>();
  for (let number = 0; number < 300; number++) {
    const { answers } = ONE_HOP.question(number);
    const [full, word] = answers as [string, string?];
    kinds.add(answers.length);
    if (word === undefined) ok(!full.includes(" "), full);
    else ok(word !== full && !word.includes(" ") && full.split(" ").includes(word), `${full}, ${word}`);
  }
  deepEqual([...kinds].toSorted(), [1, 2]);
});

const WITHOUT_COUNTS = encodeWorld(SEED, []);

/** Counts characters in fours, and every line break, as if each were a token. */
const COUNTER: Tokenizer = {
  name: "fours",
  count: (text) => Math.ceil(text.length / 4) + text.split("\n").length - 1,
  countAfterCut: (text) => Math.ceil(text.length / 4) + text.split("\n").length - 1,
  isCut: () => true,
};

Deno.test("encodeWorld() encodes and counts each document as it is, with and without its title", () => {
  const packed = encodeWorld(SEED, [COUNTER]);
  const read = ([1, 2] as const).map((hops) => worldDocuments({ seed: SEED, hops, packed: () => packed }));
  const [paragraphs, titled] = read.map(({ pieces }) => pieces.tokens(COUNTER)!);
  const after = COUNTER.countAfterCut("A");
  for (const number of NUMBERS) {
    const { title, text } = TWO_HOP.document(number);
    deepEqual(read[1]!.document(number), { title, text });
    const bare = ONE_HOP.document(number).text;
    equal(paragraphs!(number), COUNTER.countAfterCut(`${bare}\n\nA`) - after);
    equal(titled!(number), paragraphs!(number) + COUNTER.countAfterCut(`${title}\n`));
  }
  equal(read[0]!.pieces.tokens({ ...COUNTER, name: "others" }), undefined);
});

Deno.test("tokens that the packed world lacks are counted once, kept, and left out where a paragraph has over 255", () => {
  const asked: string[] = [];
  const openWith = (tokenizer: Tokenizer): ReturnType<typeof ONE_HOP.pieces.tokens> => {
    const { pieces } = worldDocuments({
      ...{ seed: SEED, hops: 1, packed: () => WITHOUT_COUNTS },
      keepCounts(known, count): Uint8Array {
        asked.push(known.name);
        return count();
      },
    });
    pieces.tokens(tokenizer);
    return pieces.tokens(tokenizer);
  };
  const tokens = openWith(COUNTER)!;
  deepEqual(asked, ["fours"]);
  const after = COUNTER.countAfterCut("A");
  for (const number of [0, 7, WORLD - 1]) {
    equal(tokens(number), COUNTER.countAfterCut(`${ONE_HOP.document(number).text}\n\nA`) - after);
  }
  const letters = { ...COUNTER, name: "letters", countAfterCut: (text: string) => text.length };
  equal(openWith(letters), undefined);
  deepEqual(asked, ["fours", "letters"]);
});

Deno.test("tokens are counted where no paragraph and no title has more than 255, which a byte can say", () => {
  const countedWith = (paragraph: number, title: number): number | undefined => {
    const countAfterCut = (text: string): number => text === "A" ? 1 : text.endsWith("A") ? paragraph + 1 : title;
    const { pieces } = worldDocuments({
      ...{ seed: SEED, hops: 2, packed: () => WITHOUT_COUNTS },
      keepCounts: (_tokenizer, count) => count(),
    });
    return pieces.tokens({ ...COUNTER, countAfterCut })?.(3);
  };
  deepEqual([countedWith(255, 255), countedWith(256, 1), countedWith(1, 256)], [510, undefined, undefined]);
});
