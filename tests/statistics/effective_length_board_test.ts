import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../_cases.ts";
import { leaderboard, publishedScoreRows } from "@/lib/benchmarks/ruler/leaderboard.ts";
import { openPublished, type PublishedRow } from "@/lib/benchmarks/ruler/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import {
  type BoardRow,
  effectiveLengthBoard,
  effectiveLengthChances,
  independent,
  meanInterval,
  RULER_THRESHOLD,
  type ScoreRow,
} from "@/lib/statistics/mod.ts";

const { rows } = await openPublished();

function boardOf(published: readonly PublishedRow[]): readonly BoardRow[] {
  return effectiveLengthBoard(
    published.map((row) => ({ model: row.model, rows: publishedScoreRows(row), threshold: RULER_THRESHOLD })),
  );
}

Deno.test("effectiveLengthBoard() finds the same effective lengths as leaderboard()", () => {
  const table = rows.filter((row) => row.table === 3 && row.group === "aligned");
  deepEqual(boardOf(table).map(({ found }) => found), leaderboard(table).map(({ effectiveLength }) => effectiveLength));
});

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
  for (const { nearest, isSettled, chance } of board) {
    ok(Math.abs(nearest!.high! - nearest!.low! - 2 * 0.85) < 0.03);
    ok(nearest!.low! < 85.4 && nearest!.high! > 85.9);
    ok(!isSettled && chance! >= 0.5 && chance! < 0.8);
  }
});

Deno.test("effectiveLengthBoard() is less sure if the threshold is itself a measured score", () => {
  const table = rows.filter((row) => row.edition === "v3" && row.table === 3 && row.group === "aligned");
  const measured = { score: 85.6, low: 84.75, high: 86.45 };
  const unsure = effectiveLengthBoard(table.map((row) => (
    { model: row.model, rows: publishedScoreRows(row), threshold: measured }
  )));
  boardOf(table).forEach(({ chance }, place) => ok(unsure[place]!.chance! <= chance! + 1e-9));
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
      chance: null,
      isSettled: false,
      brackets: [],
      nearest: null,
    },
  ]);
  const own = effectiveLengthBoard([{ model: "silent", rows: [none], threshold: { share: 0.85 } }]);
  deepEqual([own[0]?.threshold, own[0]?.found, own[0]?.chance, own[0]?.nearest], [null, "no score", null, null]);
  const zero = [4096, 8192].map((length) => ({ ...none, length, n: 25, score: 0, low: 0, high: 11, failed: 0 }));
  const [mute] = effectiveLengthBoard([{ model: "mute", rows: zero, threshold: { share: 0.85 } }]);
  deepEqual([mute?.threshold, mute?.found, mute?.brackets], [null, "4K scores 0", []], "a share of 0 is no threshold");
  const late = effectiveLengthBoard([{ model: "late", rows: [none, zero[1]!], threshold: { share: 0.85 } }]);
  equal(late[0]?.found, "4K has no score");
  equal(effectiveLengthBoard([]).length, 0);
});

Deno.test("effectiveLengthBoard() measures a model against a share of its own score: 85% of GPT-4's 96.6 is 82.1, so 64K", () => {
  const gpt4 = rows.find((row) => row.edition === "v1" && row.table === 3 && row.model === "GPT-4")!;
  const [row] = effectiveLengthBoard([{ model: "GPT-4", rows: publishedScoreRows(gpt4), threshold: { share: 0.85 } }]);
  deepEqual([row?.threshold?.toFixed(2), row?.found, row?.nearest?.length], ["82.11", "64K", 131_072]);
  const chances = row!.brackets.reduce((sum, { chance }) => sum + chance, 0);
  ok(Math.abs(chances - 1) < 1e-9 && row!.chance! > 0.9 && row!.chance! < 1);
});

Deno.test("effectiveLengthBoard() never names the shortest length as decisive against its own score", () => {
  const table = rows.filter((row) => row.edition === "v1" && row.table === 3 && row.group === "aligned");
  for (const published of table) {
    const own = { model: published.model, rows: publishedScoreRows(published), threshold: { share: 1 } };
    ok(effectiveLengthBoard([own])[0]!.nearest!.length > 4096);
  }
});

Deno.test("effectiveLengthBoard() refuses a share outside its range", () => {
  throws(() => effectiveLengthBoard([{ model: "one", rows: [], threshold: { share: 85 } }]), {
    name: "RangeError",
    message: "Cannot set a threshold as share must be in (0, 1]: current value is 85",
  });
});

/** The chances of a model whose threshold is 85% of its own score at the shortest length. */
function ownChances(rows: readonly ScoreRow[]): BoardRow["brackets"] {
  return effectiveLengthBoard([{ model: "one", rows, threshold: { share: 0.85 } }])[0]!.brackets;
}

function row(length: number, score: number | null, reach = 4): ScoreRow {
  const [low, high] = score === null ? [null, null] : [Math.max(0, score - reach), Math.min(100, score + reach)];
  return { task: "all 13 tasks", length, n: 325, score, low, high, failed: 0, noAnswer: 0 };
}

Deno.test("effectiveLengthBoard() against a share of its own score counts the threshold's spread: a share of the shortest length's", () => {
  // Threshold 0.85 * 90 = 76.5 with a standard error of 0.85 * 4 / 1.96, score 79.5 with 4 / 1.96: Φ(3 / 2.679) = 0.869.
  const chances = ownChances([row(4096, 90), row(8192, 79.5)]);
  deepEqual(chances.map(({ text, chance }) => [text, chance.toFixed(2)]), [
    ["<4K", "0.00"],
    ["4K", "0.13"],
    [">8K", "0.87"],
  ]);
  // As a plain number it would come out surer: Φ(3 / 2.041) = 0.929.
  equal(effectiveLengthChances([row(8192, 79.5)], 76.5)[1]!.chance.toFixed(2), "0.93");
});

Deno.test("effectiveLengthBoard() against a share of its own score adds up to 1, never falls below the shortest length, and takes rows in any order", () => {
  const scores = fc.array(fc.integer({ min: 10, max: 96 }), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(scores, (values) => {
    const rows = values.map((score, place) => row(4096 * 2 ** place, score));
    const chances = ownChances(rows);
    ok(Math.abs(chances.reduce((sum, { chance }) => sum + chance, 0) - 1) < 1e-9);
    equal(chances[0]!.chance, 0);
    deepEqual(ownChances(rows.toReversed()), chances);
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

Deno.test(`effectiveLengthBoard() against a share of its own score is calibrated in ${RUNS} simulated runs; with a certain threshold it is too sure`, () => {
  const draw = stream("own threshold");
  const miss = { own: 0, certain: 0 };
  const bins = Array.from({ length: 5 }, () => ({ own: 0, certain: 0, passed: 0 }));
  for (let run = 0; run < RUNS; run++) {
    const base = 0.8 + 0.1 * draw();
    const truth = 0.85 * base - 0.08 + 0.16 * draw();
    const rows = measure(draw, [base, truth]);
    const own = ownChances(rows)[2]!.chance;
    const certain = effectiveLengthChances([rows[1]!], 0.85 * rows[0]!.score!)[1]!.chance;
    const bin = bins[Math.min(4, Math.floor(5 * own))]!;
    bin.own += own;
    bin.certain += certain;
    bin.passed += Number(truth >= 0.85 * base);
  }
  for (const bin of bins) {
    miss.own += Math.abs(bin.own - bin.passed) / RUNS;
    miss.certain += Math.abs(bin.certain - bin.passed) / RUNS;
  }
  ok(miss.own < 0.04 && miss.certain > miss.own, JSON.stringify(miss));
});

Deno.test("effectiveLengthBoard() against a share of its own score gives nothing where the shortest length has no score", () => {
  deepEqual(ownChances([row(4096, null), row(8192, 90)]), []);
  deepEqual(ownChances([]), []);
  equal(ownChances([row(4096, 90), row(8192, null)]).length, 2);
});
