import { deepEqual, equal, match, ok } from "node:assert/strict";
import { PAPER_COUNTS, writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";
import { REPEATED_WORDS_PAPER } from "@/lib/papers/repeated_words/paper.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { copyCurves, copyTable } from "@/lib/papers/repeated_words/figures.ts";
import { copyScores } from "@/lib/papers/repeated_words/runs.ts";

/** How a made model copies a text, by its place as a share of the text. */
type Copier = (text: string, options: { readonly words: number; readonly place: number }) => string;

/** The replies of a made model: at each number of words, at so many places. */
function repliesOf(copy: Copier, { counts = [25, 1000], places = 40 } = {}): ScoredReply[] {
  return counts.flatMap((words) =>
    Array.from({ length: places }, (_, index): ScoredReply => {
      const place = Math.floor(index * words / places);
      const text = writeCopy({ pair: "apple_apples", words, place });
      const record = {
        ...{ index, seed: "1", promptTokens: words + 12, references: [text], targetDepth: place / (words - 1) },
        reply: { kind: "answer", text: copy(text, { words, place }) },
      } as unknown as ScoredReply["record"];
      const rest = { failed: false, noAnswer: false, score: null, penalised: null };
      const value = copy(text, { words, place }) === text ? 1 : 0;
      return { record, task: `copy ${words}`, length: words > 100 ? 16_384 : 1024, value, ...rest };
    })
  );
}

function verdicts(replies: readonly ScoredReply[]): Readonly<Record<string, string>> {
  const checked = checkRunClaims(REPEATED_WORDS_PAPER, [{ replies, manifest: { tasks: {} } }]);
  return Object.fromEntries(checked.map(({ id, verdict }) => [id, verdict]));
}

const EXACT: Copier = (text) => text;
const NEVER_STOPS: Copier = (text, { words }) => words > 100 ? text + " apple".repeat(words) : text;
const FORGETS_LATE: Copier = (text, { words, place }) => place > words / 2 ? text.replace("apples", "apple") : text;

Deno.test("run claims hold for a model that never stops at long texts, and forgets words near the end", () => {
  deepEqual(verdicts(repliesOf(NEVER_STOPS)), { W1: "holds", W4: "holds", W7: "cannot tell" });
  equal(verdicts(repliesOf(FORGETS_LATE))["W7"], "holds");
});

Deno.test("run claims fail for a model that does it the other way round", () => {
  const backwards: Copier = (text, { words }) => words < 100 ? `${text} apple`.repeat(2) : text;
  deepEqual([verdicts(repliesOf(backwards))["W1"], verdicts(repliesOf(backwards))["W4"]], ["fails", "fails"]);
  const early: Copier = (text, { words, place }) => place < words / 2 ? text.replace("apples", "apple") : text;
  equal(verdicts(repliesOf(early))["W7"], "fails");
});

Deno.test("run claims are open where nothing differs, or there is one length", () => {
  deepEqual(verdicts(repliesOf(EXACT)), { W1: "cannot tell", W4: "cannot tell", W7: "cannot tell" });
  deepEqual(verdicts(repliesOf(NEVER_STOPS, { counts: [1000] }))["W1"], "cannot tell");
});

Deno.test("copyScores() has the mean score of each bin of the figure, and copyTable() every failure", () => {
  const run = {
    model: "made",
    origin: "measured",
    replies: repliesOf(NEVER_STOPS, { counts: [...PAPER_COUNTS].slice(0, 8) }),
  } as const;
  const scores = copyScores([run]);
  deepEqual(scores.map(({ length }) => length), [39, 94, 229, 556, 1349]);
  ok(scores.every(({ low, score, high }) => low! <= score && score <= high!));
  deepEqual(scores.map(({ score }) => score.toFixed(0)), ["100", "100", "50", "50", "50"]);
  const { text } = copyTable([run], { title: "Copies", origin: "measured" });
  match(text, /made +1,349 +40 +50\.0 +0\.0 +100\.0 +100\.0 +-1000\.0 +0 +0 +40 +0/);
});

Deno.test("copyCurves() draws the published points, and those of runs beside them", async () => {
  const published = await openEvidence("repeated_words");
  equal(published.length, 31);
  match(await copyCurves(published, { title: "Copies" }).svg(), /never stops: 50/);
  const own = copyScores([{ model: "made", origin: "simulated", replies: repliesOf(EXACT) }]);
  match(await copyCurves([...published, ...own], { title: "Copies" }).svg(), /made \(simulated\)/);
});
