import { mean, sum } from "@/lib/base/mod.ts";
import { LOSS_CLAIMS, TEXT_CLAIMS } from "./loss_claims.ts";
import { cellsAt, panelOf, rightAt, STAR_MODELS, type StarEvidence } from "./star_panels.ts";
import { starAccuracy, type StarsPublished } from "./published.ts";
import { starScore } from "@/lib/benchmarks/counting_stars/scorer.ts";
import { countingStarsLengths } from "@/lib/benchmarks/counting_stars/stars.ts";
import { panelDifference } from "./star_changes.ts";
import { decided, decidedByCases, type PublishedClaim, type Verdict, verdictOf } from "@/lib/statistics/mod.ts";

/** The figures of the four versions on The Story of the Stone. */
const STONE_FIGURES = ["stone_16_32", "stone_32_32", "stone_64_32", "stone_32_16"] as const;

/** The figures of three runs of one version on Journey to the West. */
const REPEAT_FIGURES = ["west_32_32_v1", "west_32_32_v2", "west_32_32_v3"] as const;

/** The figures of the versions with 16, 32 and 64 stars, by text; one version was run three times. */
const VERSIONS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "Stone": [["stone_16_32"], ["stone_32_32"], ["stone_64_32"]],
  "West": [["west_16_32"], REPEAT_FIGURES, ["west_64_32"]],
};

/** Claims about the construction and cost of the test, and about models, texts, orders and temperatures. */
const TEST_CLAIMS: readonly PublishedClaim<StarEvidence>[] = [
  {
    id: "C0",
    source: "figures",
    statement: "The accuracy in a panel's title is the mean of its cells, to three decimals.",
    expected: "holds",
    check: ({ panels }) => {
      const misses = panels.map((panel) => Math.abs(starAccuracy(panel) - panel.printed));
      const most = Math.max(...misses);
      return decided(
        most <= 0.0005 + 1e-9,
        `Over ${panels.length} panels the largest difference is ${most.toFixed(5)}, the mean ${
          mean(misses).toFixed(5)
        }.`,
      );
    },
  },
  {
    id: "C1",
    source: "method",
    quote: "the interval between stars is 4K, computed as 128K/32 … of 96K, with 32 stars, the interval is 3K",
    statement: "Stars are length / M apart: with 32 stars 4K at 128K and 3K at 96K.",
    expected: "holds",
    check: ({ replies }) => {
      const unitsAt = (length: number): number => replies.find((reply) => reply.length === length)!.units / 32;
      const [at128, at96] = [unitsAt(128_000), unitsAt(96_000)];
      // The first edition counts 0.725 characters as a token.
      const [tokens128, tokens96] = [at128 / 0.725, at96 / 0.725];
      return decided(
        Math.abs(tokens128 - 4000) < 1 && Math.abs(tokens96 - 3000) < 1,
        `The texts have ${at128} characters a star at 128K and ${at96} at 96K: at 0.725 characters a token ${
          tokens128.toFixed(0)
        } and ${tokens96.toFixed(0)} tokens.`,
      );
    },
  },
  {
    id: "C2",
    source: "set-up",
    quote:
      "for M=3, reference [3,5,9] and prediction [3,9,9,11], it is first cut to [3,9,9], then repeats are dropped, [3,9], and the result is [1,0,1]",
    statement: "A list is cut to M, then repeats are dropped: [3, 9, 9, 11] for [3, 5, 9] scores [1, 0, 1].",
    expected: "holds",
    check: () => {
      const { cells } = starScore('{"小企鹅": [3, 9, 9, 11]}', ["3", "5", "9"]);
      return decided(cells.join() === "1,0,1", `Scored here it is [${cells.join(", ")}].`);
    },
  },
  {
    id: "C2b",
    source: "set-up",
    quote: [
      "0 and 1, which mean a right and a wrong prediction",
      "with the reference [3,5,9] … the result is [1,0,1]",
    ],
    statement: "Both places use the same digit for a found star.",
    expected: "fails",
    check: () => {
      const { cells } = starScore('{"小企鹅": [3, 9, 9, 11]}', ["3", "5", "9"]);
      return decided(
        cells[0] === 0,
        `In the example 3 and 9 are found and 5 is not, so ${cells[0]} marks a found star.`,
      );
    },
  },
  {
    id: "C3",
    source: "experiments",
    quote: "on the whole GPT-4 Turbo does better than Kimi Chat",
    statement:
      "On the whole GPT-4 Turbo does better than Kimi Chat (our measure: the mean of the four versions on The Story of the Stone).",
    expected: "holds",
    check: (published) => {
      const pairs = STONE_FIGURES.map((figure) => printedOf(published, figure));
      const [gpt, kimi] = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
      return decided(mean(gpt) > mean(kimi), `The means are ${fixed(mean(gpt))} and ${fixed(mean(kimi))}.`);
    },
  },
  {
    id: "C3b",
    source: "experiments, its figures",
    statement: "GPT-4 Turbo does better in each of the four versions on The Story of the Stone.",
    expected: "fails",
    check: (published) => {
      const texts = STONE_FIGURES.map((figure) => {
        const [gpt, kimi] = printedOf(published, figure);
        return `${figure.slice(6).replace("_", "-")} ${fixed(gpt)} and ${fixed(kimi)}`;
      });
      return decided(
        STONE_FIGURES.every((figure) => gapOf(published, figure) > 0),
        `GPT-4 and Kimi: ${texts.join("; ")}.`,
      );
    },
  },
  {
    id: "C4",
    source: "background",
    quote: "Kimi Chat is slightly worse than GPT-4 Turbo, especially on the English version of the test",
    statement:
      "Kimi Chat is further behind in English (our measure: than in the same (32-32) version on The Story of the Stone, and than on average over the four; open if the two disagree).",
    expected: "cannot tell",
    check: (published) => {
      const [english, same] = [gapOf(published, "en_32_32"), gapOf(published, "stone_32_32")];
      const average = mean(STONE_FIGURES.map((figure) => gapOf(published, figure)));
      const greater = [same, average].filter((gap) => english > gap).length;
      const west = REPEAT_FIGURES.map((figure) => gapOf(published, figure));
      return {
        verdict: unanimous(greater, 2),
        observed: `GPT-4's lead is ${fixed(english)} in English; on The Story of the Stone ${fixed(same)} ` +
          `in the same version and ${fixed(average)} on average. ` +
          `In the same version on Journey to the West it is ${
            fixed(...west)
          }. Other versions in English were not published.`,
      };
    },
  },
  {
    id: "C5",
    source: "experiments",
    quote:
      "in Counting-Stars-(64-32), at 96K and 100K, Kimi Chat does poorly: it loses practically all of the second half",
    statement:
      "With 64 stars Kimi Chat loses practically all of the second half at 96K and 100K (our measure: it finds at most 3 of its 32 stars).",
    expected: "holds",
    check: (published) => {
      const panel = panelOf(published, "stone_64_32", "Kimi");
      const halves = [96_000, 100_000].map((length) => {
        const cells = cellsAt(panel, length);
        return { found: rightAt(panel, length), late: sum(cells.slice(32)) };
      });
      return decided(
        halves.every(({ late }) => late <= 3),
        `It finds ${halves.map(({ found, late }) => `${found} of 64, ${late} of them in the second half`).join("; ")}.`,
      );
    },
  },
  {
    id: "C6",
    source: "experiments",
    quote: "at a context length of 92K the result of GPT-4 Turbo is not good either",
    statement:
      "At 92K the result of GPT-4 Turbo is not good (our measure: with 64 stars, below its mean of all lengths).",
    expected: "holds",
    check: (published) => {
      const panel = panelOf(published, "stone_64_32", "GPT-4");
      const right = rightAt(panel, 92_000);
      const worst = panel.columns.toSorted((left, other) => mean(left.cells) - mean(other.cells)).slice(0, 3);
      const texts = worst.map(({ length }) => `${length / 1000}K ${rightAt(panel, length)}`);
      return decided(
        right / 64 < panel.printed,
        `It finds ${right} of 64 there, ${fixed(panel.printed)} of all; its worst lengths are ${texts.join(", ")}.`,
      );
    },
  },
  {
    id: "C8",
    source: "experiments",
    quote: "once the order is shuffled, the results of both GPT-4 Turbo and Kimi Chat are much worse than before",
    statement:
      "Shuffling the counts makes both models much worse (our measure: by 10 points or more, with 95% confidence).",
    expected: "holds",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => ({
        model,
        ...panelDifference(
          panelOf(published, "stone_32_32", model),
          panelOf(published, "stone_32_32_random", model),
          { seed: published.seed },
        ),
      }));
      return decided(
        rows.every(({ low }) => low >= 0.1),
        `They lose ${
          rows.map(({ model, difference, low, high }) =>
            `${model} ${fixed(difference)} (95% interval ${fixed(low)} to ${fixed(high)})`
          ).join(", ")
        }.`,
      );
    },
  },
  {
    id: "C9",
    source: "experiments",
    quote: "with the temperature fixed, the results of each time differ very little",
    statement:
      "At a fixed temperature repeated runs differ very little (our measure: the accuracies of three runs on Journey to the West differ by at most 0.01).",
    expected: "holds",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => {
        const scores = REPEAT_FIGURES.map((figure) => panelOf(published, figure, model).printed);
        return { model, scores, range: Math.max(...scores) - Math.min(...scores) };
      });
      return decided(
        rows.every(({ range }) => range <= 0.01),
        `${rows.map(({ model, scores, range }) => `${model} ${fixed(...scores)}: ${fixed(range)} apart`).join("; ")}.`,
      );
    },
  },
  {
    id: "C10",
    source: "experiments",
    quote: "on Journey to the West GPT-4 Turbo does clearly better than Kimi Chat",
    statement:
      "On Journey to the West GPT-4 Turbo does clearly better (our measure: by 0.05 or more on average over its three versions, the one that was run three times averaged first).",
    expected: "holds",
    check: (published) => {
      const repeated = REPEAT_FIGURES.map((figure) => gapOf(published, figure));
      const gaps = [gapOf(published, "west_16_32"), mean(repeated), gapOf(published, "west_64_32")];
      return decided(
        mean(gaps) >= 0.05,
        `It is better by ${fixed(...gaps)}, on average by ${fixed(mean(gaps))}.`,
      );
    },
  },
  {
    id: "C11",
    source: "experiments, Case 2",
    quote: "with temperature 1 … at a context length of 64K, the model answers only one number correctly",
    statement: "At temperature 1 a model finds one star only at 64K.",
    expected: "holds",
    check: (published) => {
      const [gpt, kimi] = STAR_MODELS.map((model) =>
        rightAt(panelOf(published, "west_32_32_temperature", model), 64_000)
      );
      return decided(kimi === 1 || gpt === 1, `At 64K GPT-4 finds ${gpt} of 32 and Kimi ${kimi}.`);
    },
  },
  {
    id: "C13",
    source: "method",
    quote: "the task of counting stars gets harder as M grows",
    statement:
      "The test gets harder as M grows (our measure: of 16, 32 and 64 stars, each model has a lower accuracy with more of them, on both texts).",
    expected: "mostly holds",
    check: (published) => {
      const rows = STAR_MODELS.flatMap((model) =>
        Object.entries(VERSIONS).map(([text, figures]) => ({
          name: `${model}, ${text}`,
          scores: figures.map((of) => mean(of.map((figure) => panelOf(published, figure, model).printed))),
        }))
      );
      const texts = rows.map(({ name, scores }) => `${name} ${fixed(...scores)}`);
      const isHarder = rows.flatMap(({ scores }) =>
        [[0, 1], [1, 2], [0, 2]].map(([few, many]) => scores[many!]! < scores[few!]!)
      );
      const count = `${isHarder.filter(Boolean).length} of ${isHarder.length}`;
      return decidedByCases(
        isHarder,
        `${texts.join("; ")} for 16, 32 and 64 stars: lower with more in ${count} pairs.`,
      );
    },
  },
  {
    id: "C14",
    source: "method",
    quote: "N=16 can also lower the difficulty of the test",
    statement:
      "N = 16 makes the test easier (our measure: each model has a higher accuracy than with N = 32, of 32 stars on The Story of the Stone).",
    expected: "cannot tell",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => {
        const [few, many] = [16, 32].map((count) => panelOf(published, `stone_32_${count}`, model));
        const shared = few!.columns.map(({ length, cells }) => ({ cells, other: cellsAt(many!, length) }));
        const differing = sum(shared, ({ cells, other }) => cells.filter((cell, star) => cell !== other[star]).length);
        return { model, few: few!, many: many!, differing };
      });
      const texts = rows.map(({ model, few, many, differing }) =>
        `${model} ${fixed(few.printed)} after ${fixed(many.printed)}, ${differing} of 512 cells differ`
      );
      return {
        verdict: unanimous(rows.filter(({ few, many }) => few.printed > many.printed).length, rows.length),
        observed: `${
          texts.join("; ")
        }. The 16 lengths are among the 32 and their prompts the same: N decides which lengths are averaged, not how hard one is. No prompts were published that only N = 16 has.`,
      };
    },
  },
  {
    id: "C15",
    source: "discussion",
    quote:
      "needle in a haystack has a complexity of M*N … as M stars are inserted at once, the complexity of counting stars is only N",
    statement: "One prompt per length tests all places, so the cost is N prompts, not M × N as with single needles.",
    expected: "holds",
    check: ({ panels }) => {
      const panel = panels.find(({ stars, lengths }) => stars === 64 && lengths === 32)!;
      const cells = sum(panel.columns, (column) => column.cells.length);
      const prompts = countingStarsLengths(panel.lengths).length;
      return decided(
        panel.columns.length === prompts && cells === panel.stars * prompts,
        `The (64-32) version has ${cells} cells from ${panel.columns.length} replies.`,
      );
    },
  },
  // The text has 部位1, a slip for 不为1.
  {
    id: "C16",
    source: "experiments",
    quote:
      "this mistake is more obvious where the first number of stars is 1; for this reason we made sure that the first number is not 1",
    statement: "The first count is not 1.",
    expected: "holds",
    check: ({ replies, values }) => {
      const firsts = [...new Set(replies.map(({ references }) => Number(references[0])))];
      const ones = [...firsts, values[0]!.right].filter((first) => first === 1);
      return decided(
        ones.length === 0,
        `The increasing lists begin with ${firsts.join(" and ")}, the shuffled one with ${
          values[0]!.right
        }. No list with a 1 was published, so what models do with it is not shown.`,
      );
    },
  },
];

/**
 * The claims of the text of Counting-Stars (March 2024), by number. The text is Chinese; quotes are our translation. A letter marks
 * a further claim or check of ours on the subject of that number.
 */
export const STAR_CLAIMS: readonly PublishedClaim<StarEvidence>[] = [...TEST_CLAIMS, ...LOSS_CLAIMS, ...TEXT_CLAIMS]
  .toSorted((left, right) => parseInt(left.id.slice(1)) - parseInt(right.id.slice(1)));

/** Returns the verdict if all cases support a claim, none does, or some do. */
function unanimous(count: number, all: number): Verdict {
  return verdictOf(count === all, count === 0);
}

function fixed(...values: readonly number[]): string {
  return values.map((value) => value.toFixed(3)).join(", ");
}

/** Returns the printed accuracies of both models in a figure, GPT-4's first. */
function printedOf(published: StarsPublished, figure: string): readonly [number, number] {
  const [gpt, kimi] = STAR_MODELS.map((model) => panelOf(published, figure, model).printed);
  return [gpt!, kimi!];
}

/** Returns GPT-4's lead over Kimi in a figure, by printed accuracy. */
function gapOf(published: StarsPublished, figure: string): number {
  const [gpt, kimi] = printedOf(published, figure);
  return gpt - kimi;
}
