import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { readTable } from "../replies/_table.ts";
import { hasThinkingMarks, splitThinking } from "@/lib/models/protocols/thinking.ts";

/** Marks of one block of thinking, with what follows it in the answer. */
interface Block {
  readonly family: string;
  readonly open: string;
  readonly close: string;
  readonly end?: string;
  /** Whether blocks can follow one another, and a template can write the opening mark. */
  readonly repeats?: true;
}

const BLOCKS = readTable<Block>("thinking_marks");

Deno.test.each([...BLOCKS])("splitThinking() takes out the thinking of %s", (_family, { open, close, end = "" }) => {
  const { text, thinking } = splitThinking(`${open}Several: 17 is one.${close}I see none.${end}`);
  deepEqual([text, thinking], ["I see none.", "Several: 17 is one."]);
});

Deno.test.each(BLOCKS.filter(([, { repeats }]) => repeats))(
  "splitThinking() takes out the thinking of %s twice, without its opening mark, and without its end",
  (_family, { open, close }) => {
    const twice = splitThinking(`${open}Look.${close}\n${open}It is 17.${close}I see none.`);
    deepEqual([twice.text, twice.thinking], ["I see none.", "Look.\nIt is 17."]);
    const unopened = splitThinking(`Look: 17.${close}I see none.`);
    deepEqual([unopened.text, unopened.thinking, unopened.isUnopened], ["I see none.", "Look: 17.", true]);
    const unclosed = splitThinking(`${open}Look: 17`);
    deepEqual([unclosed.text, unclosed.thinking], ["", "Look: 17"]);
  },
);

interface Written {
  readonly written: string;
  readonly options?: Parameters<typeof splitThinking>[1];
  readonly text: string;
  readonly thinking?: string;
}

Deno.test.each([...readTable<Written>("thinking")])("splitThinking() reads %s", (_what, row) => {
  const split = splitThinking(row.written, row.options);
  deepEqual([split.text, split.thinking], [row.text, row.thinking]);
});

Deno.test("splitThinking() keeps every word of a text, and takes nothing out of one without marks", () => {
  const piece = fc.constantFrom(...BLOCKS.flatMap(([, { open, close }]) => [open, close]), "one", " two. ", "\n", '"');
  fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isCut) => {
    const written = pieces.join("");
    const { text, thinking = "" } = splitThinking(written, { isCut });
    const count = (part: string, word: string): number => part.split(word).length - 1;
    for (const word of ["one", "two"]) equal(count(text + thinking, word), count(written, word), written);
  }));
  fc.assert(fc.property(fc.string(), (written) => {
    fc.pre(!hasThinkingMarks(written));
    equal(splitThinking(written).text.length, written.length);
  }));
});

Deno.test.each([
  ["opening marks", "<think>"],
  ["closing marks", "</think>"],
  ["pairs", "<think>a</think>"],
  ["marks that never close", "<analysis>"],
  ["mentions", "a <think> b "],
  ["headers", "<|start|>assistant<|channel|>"],
  ["empty lines", "\n"],
  ["sentences without words", ". "],
])("splitThinking() reads a mebibyte of %s in time", (_name, mark) => {
  const start = performance.now();
  splitThinking(mark.repeat(2 ** 20 / mark.length), { isCut: true });
  ok(performance.now() - start < 2000);
});

Deno.test("hasThinkingMarks() finds known marks anywhere and unknown ones at the beginning", () => {
  for (const text of ["a </think> b", "<plan>17", "<|plan|>17", "[PLAN] 17"]) ok(hasThinkingMarks(text), text);
  for (const text of ["17", "<b>17</b>", "a <plan> b", "[1] 17", ""]) ok(!hasThinkingMarks(text), text);
});

Deno.test("splitThinking() reads 200,000 pieces of thinking", () => {
  const marks = `${"b<think>a</think>\n".repeat(200_000)}</think>17`;
  equal(splitThinking(marks).text.trim(), "17");
});
