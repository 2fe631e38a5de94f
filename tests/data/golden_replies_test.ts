import { deepEqual } from "node:assert/strict";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { allFound, anyFound, edits, keywordFound, trimmedEdits, trimmedKeyword } from "@/lib/scorers/mod.ts";

/** A reply of our own, what it is scored by, and the scores that it has always had. */
interface GoldenReply {
  readonly scorer: string;
  readonly references: readonly string[];
  readonly paths?: readonly (readonly string[])[];
  readonly reply: string;
  readonly value: number | null;
  readonly penalised: number | null;
  readonly partial?: number | null;
  /** What the reply shows. */
  readonly note?: string;
}

const lines = (await Deno.readTextFile(new URL("golden_replies.jsonl", import.meta.url))).trimEnd().split("\n");
const replies: readonly GoldenReply[] = lines.map((line) => JSON.parse(line));
const byScorer = Map.groupBy(replies, ({ scorer }) => scorer);

for (const [name, golden] of byScorer) {
  Deno.test(`replies scored by "${name}" keep their scores`, () => {
    const scores = golden.map(({ reply, references, paths }) => {
      const { score, penalised, partial } = findScorer(name).grade(reply, { references, ...(paths && { paths }) });
      return {
        reply,
        value: score.value,
        penalised: penalised.value,
        ...(partial && { partial: partial.value }),
      };
    });
    deepEqual(scores, golden.map(({ scorer: _, references: __, paths: ___, note: ____, ...expected }) => expected));
  });
}

Deno.test("every scorer that several suites can use has replies here", () => {
  const shared = [allFound, anyFound, edits, trimmedEdits, keywordFound, trimmedKeyword];
  deepEqual(shared.filter(({ name }) => !byScorer.has(name)), []);
});
