import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { openTestMaterials } from "./_materials.ts";
import { checkEssays, essayFiller, type Filler, lineFiller, type Part } from "@/lib/generators/mod.ts";
import { countTokens, join, makeHaystack, measure } from "@/lib/text/mod.ts";

const { tokenizer } = await openTestMaterials("cl100k_base");

const WORDS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
/** Sentences of 3 to 14 tokens, not in the order of their lengths. */
const SENTENCES = [7, 1, 11, 4, 9, 2, 12, 6, 3, 10, 5, 8].map((count) => `Count ${WORDS.slice(0, count).join(" ")}.`);
const essays = makeHaystack([SENTENCES.join(" ")], { name: "counts", tokenizer });
const essayFrom = (start: number): Filler => essayFiller(essays, { start, tokenizer });

const textOf = (parts: readonly Part[]): string => parts.map(({ measured }) => measured.text).join("");
const tokensOf = (parts: readonly Part[]): number =>
  countTokens(join(parts.map(({ measured }) => measured), tokenizer), tokenizer);

Deno.test("essayFiller() gives sentences from its start on, round and round, in stretches that fit together", () => {
  fc.assert(fc.property(
    fc.tuple(fc.nat(30), fc.nat(40), fc.nat(40), fc.nat(40)),
    ([start, ...ends]) => {
      const [from, middle, to] = ends.toSorted((left, right) => left - right) as [number, number, number];
      const filler = essayFrom(start);
      const wanted = Array.from(
        { length: to - from },
        (_, unit) => SENTENCES[(start + from + unit) % SENTENCES.length],
      );
      equal(textOf(filler.run(from, to, true)), wanted.join(" "));
      equal(
        textOf(filler.run(from, middle, false)) + textOf(filler.run(middle, to, false)),
        textOf(filler.run(from, to, false)),
      );
      equal(tokensOf(filler.run(from, to, true)), tokenizer.count(wanted.join(" ")));
    },
  ));
});

Deno.test("essayFiller() closes a gap with the longest sentences that fit, at most eight, the longest first", () => {
  for (const size of [0, 1, 5, 13]) {
    for (let gap = 0; gap <= 16; gap++) {
      const filler = essayFrom(3);
      const begun = textOf(filler.run(0, size));
      const closed = [...filler.tighten!(size, gap)];
      const last = closed.map(({ filler: tighter, added }) => {
        equal(added, 1);
        equal(textOf(tighter.run(0, size)), begun);
        const text = textOf(tighter.run(0, size + 1));
        ok(text.startsWith(begun) && !text.startsWith(" "), text);
        const sentence = text.slice(begun.length).trim();
        equal(textOf(tighter.run(size, size + 1, false)), ` ${sentence}`);
        return sentence;
      });
      // Each sentence with the space before it.
      const lengths = SENTENCES.map((sentence) => tokenizer.count(` ${sentence}`)).filter((tokens) => tokens <= gap);
      const longest = lengths.toSorted((left, right) => right - left).slice(0, 8);
      deepEqual(last.map((sentence) => tokenizer.count(` ${sentence}`)), longest, `${size} units, gap of ${gap}`);
      ok(last.every((sentence) => SENTENCES.includes(sentence)));
    }
  }
});

/** Lines with these numbers of words, in turn. */
function linesOf(
  counts: readonly number[],
): { readonly filler: (passes?: number) => Filler; readonly drawn: () => number } {
  let drawn = 0;
  const draw = (): Part => ({
    measured: measure(`${WORDS.slice(0, counts[drawn++ % counts.length]).join(" ")}\n`, tokenizer),
  });
  const filler = (passes?: number): Filler =>
    lineFiller({ draw, tokenizer, ...(passes === undefined ? {} : { passes }) });
  return { filler, drawn: () => drawn };
}

const countsIn = (text: string): number[] => text.trimEnd().split("\n").map((line) => line.split(" ").length);

Deno.test.each(
  [
    ["a line that is longer by what is left takes its place", [2, 2, 2, 4], 2, 1, [4, 2, 2]],
    ["a line that is longer by more is passed over", [2, 2, 2, 6, 3], 2, 1, [2, 3, 2]],
    ["a line that is no longer is passed over", [4, 4, 4, 4, 3, 6], 2, 1, [4, 4, 6]],
    ["the gap is closed by several lines", [2, 2, 2, 3, 4, 4], 5, 1, [3, 4, 4]],
    ["each line is tried once", [2, 2, 2, 2, 2, 2, 4], 2, undefined, [2, 2, 2]],
    ["each line is tried as often as the passes allow", [2, 2, 2, 2, 2, 2, 2, 4], 2, 2, [2, 4, 2]],
    ["nothing is left to close", [2, 2, 2, 9], 0, 1, [2, 2, 2]],
  ] as [string, number[], number, number | undefined, number[]][],
)("lineFiller() closes a gap with longer lines: %s", (_name, counts, gap, passes, wanted) => {
  // What is drawn after three lines of the context; one word more is one token more.
  const drawn = [...counts, 2, 2, 2, 2, 2];
  const filler = linesOf(drawn).filler(passes);
  const before = tokensOf(filler.run(0, 3));
  const [{ filler: tighter, added }] = [...filler.tighten!(3, gap)] as [{ filler: Filler; added: number }];
  equal(added, 0);
  deepEqual(countsIn(textOf(tighter.run(0, 3))), wanted);
  ok(tokensOf(tighter.run(0, 3)) - before <= gap);
});

Deno.test.each(
  [
    ["at the beginning", "MARK stands before some twenty words of more text.", false, true],
    ["a word after the beginning", "A MARK stands before some twenty words of more text.", false, true],
    ["in the middle", "Some twenty words of text come before MARK and as many stand after it.", true, true],
  ] as [string, string, boolean, boolean][],
)("checkEssays() quotes what must not be there with some words, and marks where it cut them: %s", (_name, ...given) => {
  const [text, isCutBefore, isCutAfter] = given;
  const own = makeHaystack([text], { name: "own", tokenizer });
  throws(() => checkEssays(own, { task: "t", mark: "MARK", called: "the mark" }), ({ message }: Error) => {
    const [, before, words, after] = /"(…?)([^"]*?)(…?)"/.exec(message)!;
    deepEqual([before !== "", after !== ""], [isCutBefore, isCutAfter]);
    ok(words!.includes("MARK") && text.includes(words!) && words!.length > 20 && words!.length <= 44, words);
    return true;
  });
});
