import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../_cases.ts";
import { openPublished, type PublishedRow } from "@/lib/papers/ruler/published.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { independent } from "@/lib/statistics/units.ts";
import { meanInterval } from "@/lib/statistics/mean_interval.ts";
import {
  type BoardRow,
  effectiveLengthBoard,
  possibleLengths,
  RULER_THRESHOLD,
  type ScoreRow,
} from "@/lib/statistics/mod.ts";
import type { PossibleLength } from "@/lib/statistics/effective_length.ts";

const { rows } = await openPublished();

function boardOf(published: readonly PublishedRow[]): readonly BoardRow[] {
  return effectiveLengthBoard(
    published.map((row) => ({ model: row.model, rows: row.scores, threshold: RULER_THRESHOLD })),
  );
}

Deno.test("effectiveLengthBoard() knows the 13-task mean of the paper's design to 0.85 points: 85.4 and 85.9 are the same number", () => {
  const near = rows.filter(({ edition, scores }) =>
    edition === "repository" && scores.some(({ score }) => Math.abs(score - RULER_THRESHOLD) < 0.35)
  );
  const board = boardOf(near);
  deepEqual(board.map(({ found, nearest }) => `${nearest?.score} ${found}`).sort(), [
    "85.4 16K",
    "85.4 32K",
    "85.5 4K",
    "85.6 >128K",
    "85.7 16K",
    "85.9 32K",
    "85.9 64K",
  ]);
  for (const { nearest, isSettled, range, found } of board) {
    ok(Math.abs(nearest!.high! - nearest!.low! - 2 * 0.85) < 0.03);
    ok(nearest!.low! < 85.4 && nearest!.high! > 85.9);
    ok(!isSettled && range.includes(found) && range !== found);
  }
});

Deno.test("effectiveLengthBoard() excludes no more lengths if the threshold is itself a measured score", () => {
  const table = rows.filter((row) => row.edition === "v3" && row.table === 3);
  const measured = { score: 85.6, low: 84.75, high: 86.45 };
  const unsure = effectiveLengthBoard(table.map((row) => (
    { model: row.model, rows: row.scores, threshold: measured }
  )));
  const count = ({ lengths }: BoardRow): number => lengths.filter(({ isPossible }) => isPossible).length;
  const more = boardOf(table).map((row, place) => {
    ok(row.lengths.every(({ isPossible }, at) => !isPossible || unsure[place]!.lengths[at]!.isPossible), row.model);
    return count(unsure[place]!) - count(row);
  });
  ok(Math.max(...more) > 0);
});

Deno.test("effectiveLengthBoard() says why there is no threshold", () => {
  const none: ScoreRow = {
    task: "vt",
    length: 4096,
    n: 0,
    score: null,
    low: null,
    high: null,
    failed: 25,
    noAnswer: 0,
  };
  deepEqual(effectiveLengthBoard([{ model: "silent", rows: [none], threshold: 85.6 }]), [
    {
      model: "silent",
      threshold: 85.6,
      found: "no score",
      range: "no score",
      isSettled: false,
      lengths: [],
      nearest: null,
    },
  ]);
  const own = effectiveLengthBoard([{ model: "silent", rows: [none], threshold: { share: 0.85 } }]);
  deepEqual([own[0]?.threshold, own[0]?.found, own[0]?.range, own[0]?.nearest], [null, "no score", "no score", null]);
  const zero = [4096, 8192].map((length) => ({ ...none, length, n: 25, score: 0, low: 0, high: 11, failed: 0 }));
  const [mute] = effectiveLengthBoard([{ model: "mute", rows: zero, threshold: { share: 0.85 } }]);
  deepEqual([mute?.threshold, mute?.range, mute?.lengths], [null, "4K scores 0", []], "a share of 0 is no threshold");
  const late = effectiveLengthBoard([{ model: "late", rows: [none, zero[1]!], threshold: { share: 0.85 } }]);
  equal(late[0]?.found, "4K has no score");
  equal(effectiveLengthBoard([]).length, 0);
});

Deno.test("effectiveLengthBoard() measures a model against a share of its own score: 85% of GPT-4's 96.6 is 82.1, so 64K", () => {
  const gpt4 = rows.find((row) => row.edition === "v1" && row.table === 3 && row.model === "GPT-4")!;
  const [row] = effectiveLengthBoard([{ model: "GPT-4", rows: gpt4.scores, threshold: { share: 0.85 } }]);
  deepEqual([row?.threshold?.toFixed(2), row?.found, row?.nearest?.length], ["82.11", "64K", 131_072]);
  deepEqual([row?.range, row?.isSettled, row?.lengths.at(-1)?.p.toFixed(2)], ["64K", true, "0.03"]);
});

Deno.test("effectiveLengthBoard() never names the shortest length as decisive against its own score", () => {
  const table = rows.filter((row) => row.edition === "v1" && row.table === 3);
  for (const published of table) {
    const own = { model: published.model, rows: published.scores, threshold: { share: 1 } };
    ok(effectiveLengthBoard([own])[0]!.nearest!.length > 4096);
  }
});

/** The lengths of a model whose threshold is 85% of its own score at the shortest length. */
function ownLengths(rows: readonly ScoreRow[]): readonly PossibleLength[] {
  return effectiveLengthBoard([{ model: "one", rows, threshold: { share: 0.85 } }])[0]!.lengths;
}

function row(length: number, score: number | null, reach = 4): ScoreRow {
  const [low, high] = score === null ? [null, null] : [Math.max(0, score - reach), Math.min(100, score + reach)];
  return { task: "all 13 tasks", length, n: 325, score, low, high, failed: 0, noAnswer: 0 };
}

Deno.test("effectiveLengthBoard() against a share of its own score counts the threshold's spread: a share of the shortest length's", () => {
  // Threshold 0.85 * 90 = 76.5 with a standard error of 0.85 * 4 / 1.96, score 79.5 with 4 / 1.96: Φ(3 / 2.679) = 0.869.
  const lengths = ownLengths([row(4096, 90), row(8192, 79.5)]);
  deepEqual(lengths.map(({ text, p }) => `${text} ${p.toFixed(2)}`), ["<4K 0.00", "4K 0.26", ">8K 0.87"]);
  // As a plain number it would come out surer: Φ(3 / 2.041) = 0.929.
  equal(possibleLengths([row(8192, 79.5)], 76.5)[1]!.p.toFixed(2), "0.94");
});

Deno.test("effectiveLengthBoard() against a share of its own score holds the length found, never one below the shortest, and takes rows in any order", () => {
  const scores = fc.array(fc.integer({ min: 10, max: 96 }), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(scores, (values) => {
    const rows = values.map((score, place) => row(4096 * 2 ** place, score));
    const [board] = effectiveLengthBoard([{ model: "one", rows, threshold: { share: 0.85 } }]);
    ok(board!.lengths.find(({ text }) => text === board!.found)!.isPossible);
    deepEqual([board!.lengths[0]!.p, board!.lengths[0]!.isPossible], [0, false]);
    deepEqual(ownLengths(rows.toReversed()), board!.lengths);
  }));
});

/** What a model with a true score at two lengths is found to be. */
function measure(draw: Draw, truths: readonly number[]): readonly ScoreRow[] {
  return truths.map((truth, place) => {
    const { mean, low, high } = meanInterval(independent(Array.from({ length: 200 }, () => Number(draw() < truth))));
    return { ...row(4096 * 2 ** place, 100 * mean), low: 100 * low, high: 100 * high };
  });
}

const RUNS = cases(1000, 3000);

Deno.test(`effectiveLengthBoard() against a share of its own score holds the true length in at least 93% of ${RUNS} runs; with a certain threshold it does not`, () => {
  const draw = stream("own threshold");
  const held = { own: 0, certain: 0 };
  for (let run = 0; run < RUNS; run++) {
    const base = 0.8 + 0.1 * draw();
    // The second length reaches the threshold exactly, so it is the true one.
    const rows = measure(draw, [base, 0.85 * base]);
    held.own += Number(ownLengths(rows)[2]!.isPossible) / RUNS;
    held.certain += Number(possibleLengths([rows[1]!], 0.85 * rows[0]!.score!)[1]!.isPossible) / RUNS;
  }
  ok(held.own >= 0.93 && held.certain < 0.93, JSON.stringify(held));
});
