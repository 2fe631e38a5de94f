import { deepEqual, equal, match, ok } from "node:assert/strict";
import { writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";
import { copyAnswer } from "@/lib/papers/repeated_words/claims.ts";
import { REPEATED_WORDS_PAPER } from "@/lib/papers/repeated_words/paper.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { copyCurves, copyTable } from "@/lib/papers/repeated_words/figures.ts";
import { copyScores } from "@/lib/papers/repeated_words/runs.ts";

/** How a made model copies a text of some words, by the place of the modified one as a share of the text. */
type Copier = (text: string, words: number, place: number) => string;

/** The replies of a made model: at each number of words, at 40 places. */
function repliesOf(copy: Copier, counts = [25, 1000]): ScoredReply[] {
  return counts.flatMap((words) =>
    Array.from({ length: 40 }, (_, index) => {
      const place = Math.floor(index * words / 40);
      const wanted = writeCopy({ pair: "apple_apples", words, place });
      const text = copy(wanted, words, place / words);
      const asked = {
        index,
        seed: "1",
        promptTokens: words + 12,
        references: [wanted],
        targetDepth: place / (words - 1),
      };
      const record = { ...asked, reply: { kind: "answer", text } } as unknown as ScoredReply["record"];
      const rest = { failed: false, noAnswer: false, score: null, penalised: null, value: text === wanted ? 1 : 0 };
      return { record, task: `copy ${words}`, length: words > 100 ? 16_384 : 1024, ...rest };
    })
  );
}

const EXACT: Copier = (text) => text;
const NEVER_STOPS: Copier = (text, words) => words > 100 ? text + " apple".repeat(words) : text;

Deno.test.each<[string, Copier, holds: readonly string[], fails: readonly string[]]>([
  ["never stops at long texts", NEVER_STOPS, ["W1", "W4"], []],
  ["goes on at short texts", (text, words) => words < 100 ? `${text} apple`.repeat(2) : text, [], ["W1", "W4"]],
  ["forgets words near the end", (text, _, place) => place > 0.5 ? text.replace("apples", "apple") : text, ["W7"], []],
  ["forgets words near the beginning", (text, _, place) => place < 0.5 ? text.replace("apples", "apple") : text, [], [
    "W7",
  ]],
  ["copies exactly", EXACT, [], []],
])("run claims of a model that %s", (_, copy, holds, fails) => {
  const checked = checkRunClaims(REPEATED_WORDS_PAPER, [{ replies: repliesOf(copy), manifest: { tasks: {} } }]);
  const idsOf = (wanted: string): string[] => checked.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  deepEqual([checked.length, idsOf("holds"), idsOf("fails")], [3, holds, fails]);
});

Deno.test("copyScores() has the mean score of each bin of the figure, and copyTable() every failure", () => {
  const replies = repliesOf(NEVER_STOPS, [25, 50, 75, 100, 250, 500, 750, 1000]);
  const run = { model: "made", origin: "measured", replies } as const;
  const scores = copyScores([run]);
  deepEqual(scores.map(({ length }) => length), [39, 94, 229, 556, 1349]);
  ok(scores.every(({ low, score, high }) => low! <= score && score <= high!));
  deepEqual(scores.map(({ score }) => score.toFixed(0)), ["100", "100", "50", "50", "50"]);
  const { text } = copyTable([run], { title: "Copies", origin: "measured" });
  match(text, /made +1,349 +40 +50\.0 +0\.0 +100\.0 +100\.0 +-1000\.0 +0 +0 +40 +0/);
});

const published = await openEvidence("repeated_words");

Deno.test("copyCurves() draws the published points, and those of runs beside them", async () => {
  equal(published.length, 31);
  match(await copyCurves(published, { title: "Copies" }).svg(), /never stops: 50/);
  const own = copyScores([{ model: "made", origin: "simulated", replies: repliesOf(EXACT) }]);
  match(await copyCurves([...published, ...own], { title: "Copies" }).svg(), /made \(simulated\)/);
});

Deno.test("copyAnswer() counts the models that end at the score of a copy that never stops", () => {
  equal(
    copyAnswer(published),
    "Not in a long text: at the longest, every published model scores no better than one that repeats the word without end. " +
      "The score of endless repetition, 50%, is set by the output limit and not by the words.",
  );
  const better = published.map((row) => ({ ...row, score: row.model === "GPT-4.1" ? 90 : row.score }));
  match(copyAnswer(better), /^Not all: at the longest text, 3 of 4 published models score no better than one that /);
});
