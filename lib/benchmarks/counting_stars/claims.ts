import { cellsAt, panelOf, REPEAT_FIGURES, STAR_MODELS, type StarEvidence } from "./_claim_panels.ts";
import { LOSS_CLAIMS } from "./loss_claims.ts";
import { MODEL_CLAIMS } from "./model_claims.ts";
import { meanOf, starAccuracy } from "./published.ts";
import { starScore } from "./scorer.ts";
import { countingStarsLengths } from "./stars.ts";
import { decided, type PublishedClaim, type Verdict } from "@/lib/statistics/mod.ts";

/** Claims about how the test is made and what it costs. */
const DESIGN_CLAIMS: readonly PublishedClaim<StarEvidence>[] = [
  {
    id: "C1",
    source: "method",
    kind: "paper",
    quote: "the interval between stars is 4K, computed as 128K/32 … of 96K, with 32 stars, the interval is 3K",
    statement: "Stars stand length / M apart: with 32 stars 4K at 128K and 3K at 96K.",
    expected: "holds",
    check: ({ replies }) => {
      const unitsAt = (length: number): number => replies.find((reply) => reply.length === length)!.units / 32;
      const [at128, at96] = [unitsAt(128_000), unitsAt(96_000)];
      // 0.725 characters stand for a token.
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
    kind: "paper",
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
    kind: "inconsistency",
    quote: [
      "0 and 1, which stand for a right and a wrong prediction",
      "with the reference [3,5,9] … the result is [1,0,1]",
    ],
    statement: "Both places give a star that was found the same digit.",
    expected: "fails",
    check: () => {
      const { cells } = starScore('{"小企鹅": [3, 9, 9, 11]}', ["3", "5", "9"]);
      return decided(
        cells[0] === 0,
        `In the example 3 and 9 are found and 5 is not, so that ${cells[0]} stands for a found star.`,
      );
    },
  },
  {
    id: "C13",
    source: "method",
    kind: "paper",
    quote: "the task of counting stars gets harder as M grows",
    statement:
      "The test gets harder as M grows (our measure: each model has a lower accuracy with 64 stars than with 16, on both texts).",
    expected: "holds",
    check: (published) => {
      const rows = STAR_MODELS.flatMap((model) =>
        Object.entries(VERSIONS).map(([text, figures]) => {
          const scores = figures.map((of) => meanOf(of.map((figure) => panelOf(published, figure, model).printed)));
          return { name: `${model}, ${text}`, scores };
        })
      );
      const falls = rows.filter(({ scores }) => scores[2]! < scores[0]!).length;
      const texts = rows.map(({ name, scores }) => `${name} ${scores.map((score) => score.toFixed(3)).join(", ")}`);
      const rises = rows.filter(({ scores }) => scores[1]! > scores[0]! || scores[2]! > scores[1]!).length;
      return {
        verdict: unanimous(falls, rows.length),
        observed: `${texts.join("; ")} for 16, 32 and 64 stars: ${falls} of ${rows.length} fall from first to last, ` +
          `${rises} of them not at every step.`,
      };
    },
  },
  {
    id: "C14",
    source: "method",
    kind: "paper",
    quote: "N=16 can also lower the difficulty of the test",
    statement:
      "N = 16 makes the test easier (our measure: each model has a higher accuracy than with N = 32, of 32 stars on The Story of the Stone).",
    expected: "cannot tell",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => {
        const [few, many] = [16, 32].map((count) => panelOf(published, `stone_32_${count}`, model));
        const shared = few!.columns.map(({ length, cells }) => ({ cells, other: cellsAt(many!, length) }));
        const differing = shared.reduce(
          (sum, { cells, other }) => sum + cells.filter((cell, star) => cell !== other[star]).length,
          0,
        );
        return { model, few: few!, many: many!, differing };
      });
      const texts = rows.map(({ model, few, many, differing }) =>
        `${model} ${few.printed.toFixed(3)} after ${many.printed.toFixed(3)}, ${differing} of 512 cells differ`
      );
      return {
        verdict: unanimous(rows.filter(({ few, many }) => few.printed > many.printed).length, rows.length),
        observed: `${
          texts.join("; ")
        }. The 16 lengths are among the 32 and their prompts the same: N decides which lengths are averaged, not how hard one is.`,
      };
    },
  },
  {
    id: "C15",
    source: "discussion",
    kind: "paper",
    quote:
      "needle in a haystack has a complexity of M*N … as M stars are inserted at once, the complexity of counting stars is only N",
    statement: "One prompt a length tests all places, so the cost is N prompts and not M N as with single needles.",
    expected: "holds",
    check: ({ panels }) => {
      const panel = panels.find(({ stars, lengths }) => stars === 64 && lengths === 32)!;
      const cells = panel.columns.reduce((sum, column) => sum + column.cells.length, 0);
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
    kind: "paper",
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
  {
    id: "C0",
    source: "figures",
    kind: "check",
    statement: "The accuracy in a panel's title is the mean of its cells, to three decimals.",
    expected: "holds",
    check: ({ panels }) => {
      const misses = panels.map((panel) => Math.abs(starAccuracy(panel) - panel.printed));
      const most = Math.max(...misses);
      return decided(
        most <= 0.0005 + 1e-9,
        `Over ${panels.length} panels the largest difference is ${most.toFixed(5)}, the mean ${
          meanOf(misses).toFixed(5)
        }.`,
      );
    },
  },
];

/** The versions with 16, 32 and 64 stars by text, each with its figures: one of them was run three times. */
const VERSIONS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "Stone": [["stone_16_32"], ["stone_32_32"], ["stone_64_32"]],
  "West": [["west_16_32"], REPEAT_FIGURES, ["west_64_32"]],
};

/** The verdict where all cases bear a claim out, none does, or some do. */
function unanimous(count: number, all: number): Verdict {
  return count === all ? "holds" : count === 0 ? "fails" : "cannot tell";
}

/**
 * What the text of Counting-Stars (March 2024) claims and its published numbers can tell, in the order of their numbers.
 *
 * The text is Chinese: quotes are our translation. Where it says "on the whole" or "most" the measure is ours, and the statement
 * says so; a letter marks what is asked beside the claim of that number.
 */
export const STAR_CLAIMS: readonly PublishedClaim<StarEvidence>[] = [
  ...DESIGN_CLAIMS,
  ...MODEL_CLAIMS,
  ...LOSS_CLAIMS,
].toSorted((left, right) => numberOf(left.id) - numberOf(right.id));

function numberOf(id: string): number {
  return Number(id.match(/\d+/)![0]);
}
