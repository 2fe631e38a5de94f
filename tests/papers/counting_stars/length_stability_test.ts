import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../../_cases.ts";
import { lengthStability, openStarsPublished, repeatedWins, type StarPanel } from "@/lib/papers/counting_stars/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";

const { panels } = await openStarsPublished();

/** A matrix whose cells are right with a given chance. */
function draw(chanceAt: (length: number, star: number) => number, next: Draw): StarPanel {
  const columns = Array.from({ length: 16 }, (_, length) => ({
    length: 8000 * (length + 1),
    cells: Array.from({ length: 32 }, (_, star) => next() < chanceAt(length, star) ? 1 : 0),
  }));
  return { model: "drawn", columns };
}

Deno.test("lengthStability() counts by hand: a context of 92K that fails between two that do not", () => {
  const [bad, good] = [[0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1]];
  const columns = [good, bad, good, good].map((cells, at) => ({ length: at + 1, cells: cells! }));
  const found = lengthStability({ model: "m", columns }, { seed: "a", rounds: 99 });
  deepEqual([found.pairs, found.longer, found.shorter], [6, 2, 1]);
  equal(found.share, 2 / 6);
  equal(found.trend, 2 / 3);
});

Deno.test("lengthStability() finds the dilemma in Kimi's shuffled panel, and not in GPT-4's", () => {
  const found = panels.filter(({ figure }) => figure === "stone_32_32_random").map((panel) =>
    lengthStability(panel, { seed: "dilemma" })
  );
  const [gpt, kimi] = found;
  ok(kimi!.p <= 0.01 && kimi!.share > 0.15 && kimi!.low > kimi!.expected, JSON.stringify(kimi));
  ok(gpt!.p > 0.05, JSON.stringify(gpt));
  // Both fall with length all the same.
  ok(gpt!.fallP < 0.05 && kimi!.fallP < 0.05);
});

Deno.test("lengthStability() calls chance what is chance: at most one matrix in ten has p below 0.05 where length does not matter", () => {
  const next = stream("null");
  const chances = Array.from({ length: cases(20, 60) }, (_, number) => {
    // Stars of very different difficulty, the same at every length.
    const panel = draw((_, star) => 0.1 + 0.8 * star / 31, next);
    return lengthStability(panel, { seed: String(number), rounds: 99 }).p;
  });
  const small = chances.filter((p) => p < 0.05).length;
  ok(small <= cases(3, 6), `${small} of ${chances.length}`);
});

Deno.test("lengthStability() finds contexts that go up and down, and says that falling ones fall", () => {
  const next = stream("planted");
  const unstable = draw((length) => length % 4 === 2 ? 0.3 : 0.9, next);
  const found = lengthStability(unstable, { seed: "u", rounds: 199 });
  ok(found.p < 0.01 && found.share > 0.15, JSON.stringify(found));
  const falling = draw((length) => 0.98 - 0.05 * length, next);
  const fall = lengthStability(falling, { seed: "f", rounds: 199 });
  ok(fall.p > 0.2 && fall.fallP < 0.01 && fall.trend! < 0.2, JSON.stringify(fall));
});

Deno.test("lengthStability() gives the same numbers for the same seed, and takes cells between 0 and 1", () => {
  const panel = {
    model: "m",
    columns: [[1, 0.25, 0.5], [0.5, 0.5, 1], [1, 1, 0]].map((cells, at) => ({ length: at + 1, cells })),
  };
  const found = lengthStability(panel, { seed: "s", rounds: 99 });
  deepEqual(lengthStability(panel, { seed: "s", rounds: 99 }), found);
  ok(found.low <= found.share && found.share <= found.high);
  const same = { model: "m", columns: [1, 2].map((length) => ({ length, cells: [1, 1] })) };
  deepEqual([lengthStability(same, { seed: "s" }).trend, lengthStability(same, { seed: "s" }).p], [null, 1]);
});

Deno.test("lengthStability() refuses one length and too few rounds", () => {
  const one = { model: "m", columns: [{ length: 1, cells: [1] }] };
  throws(() => lengthStability(one, { seed: "s" }), {
    name: "RangeError",
    message: "Cannot judge length stability as lengths must be at least 2: current value is 1",
  });
  throws(() => lengthStability(panels[0]!, { seed: "s", rounds: 9 }), /as rounds must be a whole number from 99/);
});

Deno.test.each(
  // 0.5^5 = 0.031; (10 + 1) / 2^10 = 0.011, with 8 of 10 already 0.055; 0.5^8 = 0.004, with 7 of 8 already 0.035.
  [
    [5, 5, 0.05, 1],
    [4, 4, 0.05, 0],
    [9, 10, 0.05, 1],
    [8, 10, 0.05, 0],
    [8, 8, 0.01, 1],
    [7, 8, 0.01, 0],
    [0, 0, 0.05, 0],
  ] as [number, number, number, number][],
)("repeatedWins() is the one-sided sign test: %d of %d at level %d", (better, differing, level, any) => {
  const early = Array.from({ length: 12 }, (_, star) => star < better ? 0 : 1);
  const late = early.map((_, star) => star >= better && star < differing ? 0 : 1);
  const columns = [early, late].map((cells, at) => ({ length: at + 1, cells }));
  deepEqual(repeatedWins([{ model: "m", columns }], level), { any, all: any });
});

Deno.test("repeatedWins() compares star by star, however many there are and whatever their scores", () => {
  const score = fc.constantFrom(0, 0.25, 1 / 3, 0.5, 1);
  const matrices = fc.integer({ min: 1, max: 70 }).chain((stars) =>
    fc.array(fc.array(score, { minLength: stars, maxLength: stars }), { minLength: 2, maxLength: 6 })
  );
  fc.assert(
    fc.property(matrices, (matrix) => {
      const columns = matrix.map((cells, at) => ({ length: at + 1, cells }));
      const wins = matrix.flatMap((late, at) => matrix.slice(0, at).map((early) => [early, late] as const));
      const any = wins.filter(([early, late]) => {
        const better = late.filter((cell, star) => cell > early[star]!).length;
        const worse = late.filter((cell, star) => cell < early[star]!).length;
        return signTest(better, better + worse) <= 0.05;
      }).length;
      equal(repeatedWins([{ model: "m", columns }]).any, any);
    }),
  );
});

/** The chance that so many of the stars that differ are better if each is so by even chance. */
function signTest(better: number, differing: number): number {
  const ways = (chosen: number): number =>
    Array.from({ length: chosen }, (_, at) => (differing - at) / (at + 1)).reduce((all, next) => all * next, 1);
  let [chance, from] = [0, better];
  while (from <= differing) chance += ways(from++) * 0.5 ** differing;
  return chance;
}

Deno.test("repeatedWins() finds 38 of 52 pairs of lengths again in all three runs of Kimi on Journey to the West", () => {
  const runs = panels.filter(({ figure, model }) => /^west_32_32_v\d$/.test(figure) && model.startsWith("Kimi"));
  equal(runs.length, 3);
  deepEqual(repeatedWins(runs), { any: 52, all: 38 });
  deepEqual(repeatedWins([runs[0]!, runs[0]!]).all, repeatedWins([runs[0]!]).any);
});

Deno.test("repeatedWins() refuses matrices of different lengths", () => {
  const short = { model: "m", columns: panels[0]!.columns.slice(1) };
  throws(
    () => repeatedWins([panels[0]!, short]),
    /^RangeError: Cannot compare repeats as all must have the lengths 4000, /,
  );
});
