import { countingStarsLengths } from "@/lib/generators/mod.ts";
import { starScore } from "@/lib/scorers/mod.ts";
import { decided } from "../_claim_words.ts";
import type { Claim } from "../claims.ts";
import { cellsAt, panelOf, STAR_MODELS } from "./_star_words.ts";
import type { StarsPublished } from "./published_stars.ts";
import { meanOf, starAccuracy } from "./star_panel.ts";

/** Claims about how the test is made and what it costs. */
export const CLAIMS_OF_DESIGN: readonly Claim<StarsPublished>[] = [
  {
    id: "C1",
    source: "method",
    kind: "paper",
    quote: "the interval between stars is 4K, computed as 128K/32 … of 96K, with 32 stars, the interval is 3K",
    statement: "Stars stand length / M apart: with 32 stars 4K at 128K and 3K at 96K.",
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
    check: () => {
      const { cells } = starScore('{"小企鹅": [3, 9, 9, 11]}', ["3", "5", "9"]);
      return decided(cells.join() === "1,0,1", `Scored here it is [${cells.join(", ")}].`);
    },
  },
  {
    id: "C13",
    source: "method",
    kind: "paper",
    quote: "the task of counting stars gets harder as M grows",
    statement: "The test is harder the more stars there are (M = 16, 32, 64; The Story of the Stone), for both models.",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => ({
        model,
        scores: [16, 32, 64].map((stars) => panelOf(published, `stone_${stars}_32`, model).printed),
      }));
      const falls = rows.every(({ scores }) => scores[0]! > scores[1]! && scores[1]! > scores[2]!);
      const text = rows.map(({ model, scores }) => `${model} ${scores.map((score) => score.toFixed(3)).join(", ")}`);
      return decided(falls, `${text.join("; ")} for 16, 32 and 64 stars.`);
    },
  },
  {
    id: "C14",
    source: "method",
    kind: "paper",
    quote: "N=16 can also lower the difficulty of the test",
    statement: "N = 16 in place of 32 makes the test easier (M = 32; The Story of the Stone), for both models.",
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
      return decided(
        rows.every(({ few, many }) => few.printed > many.printed),
        `${
          texts.join("; ")
        }. The 16 lengths are among the 32 and their prompts the same: N decides which lengths are averaged, not how hard one is.`,
      );
    },
  },
  {
    id: "C15",
    source: "discussion",
    kind: "paper",
    quote:
      "needle in a haystack has a complexity of M*N … as M stars are inserted at once, the complexity of counting stars is only N",
    statement: "One prompt a length tests all places, so the cost is N prompts and not M N as with single needles.",
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
  {
    id: "C16",
    source: "experiments",
    kind: "paper",
    quote:
      "this mistake is more obvious where the first number of stars is 1; for this reason we made sure that the first number is not 1",
    statement: "The first count is not 1, as models that see a 1 first tend to make up the rest.",
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
