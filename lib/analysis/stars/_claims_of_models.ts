import { decided } from "../_claim_words.ts";
import type { Claim } from "../claims.ts";
import {
  cellsAt,
  meanText,
  panelOf,
  printedOf,
  REPEAT_FIGURES,
  rightAt,
  STAR_MODELS,
  STONE_FIGURES,
} from "./_star_words.ts";
import { panelDifference } from "./panel_difference.ts";
import type { StarsPublished } from "./published_stars.ts";
import { meanOf } from "./star_panel.ts";

/** Claims that compare the two models, texts, orders and temperatures. */
export const CLAIMS_OF_MODELS: readonly Claim<StarsPublished>[] = [
  {
    id: "C3",
    source: "experiments",
    kind: "paper",
    quote: "on the whole GPT-4 Turbo does better than Kimi Chat",
    statement:
      "On the whole GPT-4 Turbo is better than Kimi Chat on The Story of the Stone (mean of the four versions).",
    check: (published) => {
      const pairs = STONE_FIGURES.map((figure) => printedOf(published, figure));
      const [gpt, kimi] = [pairs.map((pair) => pair[0]), pairs.map((pair) => pair[1])];
      return decided(meanOf(gpt) > meanOf(kimi), `The means are ${meanText(gpt)} and ${meanText(kimi)}.`);
    },
  },
  {
    id: "C3b",
    source: "experiments, its figures",
    kind: "paper",
    quote:
      "the figures below show, in this order, the results of Counting-Stars-(16-32), (32-32), (64-32) and (32-16); on the whole GPT-4 Turbo does better than Kimi Chat",
    statement: "It is better in each of the four versions.",
    check: (published) => {
      const texts = STONE_FIGURES.map((figure) => {
        const [gpt, kimi] = printedOf(published, figure);
        return `${figure.slice(6).replace("_", "-")} ${gpt.toFixed(3)} and ${kimi.toFixed(3)}`;
      });
      const holds = STONE_FIGURES.every((figure) => printedOf(published, figure)[0] > printedOf(published, figure)[1]);
      return decided(holds, `GPT-4 and Kimi: ${texts.join("; ")}.`);
    },
  },
  {
    id: "C4",
    source: "background",
    kind: "paper",
    quote: "Kimi Chat is slightly worse than GPT-4 Turbo, especially on the English version of the test",
    statement: "Kimi Chat is slightly worse than GPT-4 Turbo, especially in English (of the (32-32) versions).",
    check: (published) => {
      const gap = (figure: string): number => printedOf(published, figure)[0] - printedOf(published, figure)[1];
      const english = gap("en_32_32");
      const chinese = ["stone_32_32", ...REPEAT_FIGURES].map(gap);
      return decided(
        chinese.every((other) => english > other),
        `The gap is ${english.toFixed(3)} in English and ${
          chinese.map((other) => other.toFixed(3)).join(", ")
        } in Chinese.`,
      );
    },
  },
  {
    id: "C5",
    source: "experiments",
    kind: "paper",
    quote:
      "in Counting-Stars-(64-32), at 96K and 100K, Kimi Chat does poorly: it loses practically all of the second half",
    statement: "With 64 stars Kimi Chat loses nearly the whole second half at 96K and 100K.",
    check: (published) => {
      const panel = panelOf(published, "stone_64_32", "Kimi");
      const halves = [96_000, 100_000].map((length) => {
        const cells = cellsAt(panel, length);
        return { found: rightAt(panel, length), late: cells.slice(32).reduce((sum, cell) => sum + cell, 0) };
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
    kind: "paper",
    quote: "at a context length of 92K the result of GPT-4 Turbo is not good either",
    statement: "With 64 stars GPT-4 Turbo does badly at 92K (below its mean by a quarter or more).",
    check: (published) => {
      const panel = panelOf(published, "stone_64_32", "GPT-4");
      const right = rightAt(panel, 92_000);
      const worst = panel.columns.toSorted((left, other) => meanOf(left.cells) - meanOf(other.cells)).slice(0, 3);
      const texts = worst.map(({ length }) => `${length / 1000}K ${rightAt(panel, length)}`);
      return decided(
        right / 64 <= panel.printed - 0.25,
        `It finds ${right} of 64 there, ${panel.printed.toFixed(3)} of all; its worst lengths are ${texts.join(", ")}.`,
      );
    },
  },
  {
    id: "C8",
    source: "experiments",
    kind: "paper",
    quote: "once the order is shuffled, the results of both GPT-4 Turbo and Kimi Chat are much worse than before",
    statement: "Shuffling the counts makes both models much worse (by 10 points or more).",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => ({
        model,
        ...panelDifference(
          panelOf(published, "stone_32_32", model),
          panelOf(published, "stone_32_32_random", model),
          { seed: "C8" },
        ),
      }));
      return decided(
        rows.every(({ low }) => low >= 0.1),
        `They lose ${
          rows.map(({ model, difference, low, high }) =>
            `${model} ${difference.toFixed(3)} (95% interval ${low.toFixed(3)} to ${high.toFixed(3)})`
          ).join(", ")
        }.`,
      );
    },
  },
  {
    id: "C9",
    source: "experiments",
    kind: "paper",
    quote: "with the temperature fixed, the results of each time differ very little",
    statement: "At temperature 0 repeated runs differ very little (accuracies by 0.01 at most).",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => {
        const scores = REPEAT_FIGURES.map((figure) => panelOf(published, figure, model).printed);
        return { model, scores, range: Math.max(...scores) - Math.min(...scores) };
      });
      return decided(
        rows.every(({ range }) => range <= 0.01),
        `${
          rows.map(({ model, scores, range }) =>
            `${model} ${scores.map((score) => score.toFixed(3)).join(", ")}: ${range.toFixed(3)} apart`
          ).join("; ")
        }.`,
      );
    },
  },
  {
    id: "C10",
    source: "experiments",
    kind: "paper",
    quote: "on Journey to the West GPT-4 Turbo does clearly better than Kimi Chat",
    statement: "On Journey to the West GPT-4 Turbo is clearly better (in every version, by 0.03 or more).",
    check: (published) => {
      const figures = ["west_16_32", ...REPEAT_FIGURES, "west_64_32"];
      const gaps = figures.map((figure) => printedOf(published, figure)[0] - printedOf(published, figure)[1]);
      return decided(
        gaps.every((gap) => gap >= 0.03),
        `It is better by ${gaps.map((gap) => gap.toFixed(3)).join(", ")}.`,
      );
    },
  },
  {
    id: "C11",
    source: "experiments, Case 2",
    kind: "paper",
    quote: "with temperature 1 … at a context length of 64K, the model answers only one number correctly",
    statement: "At temperature 1 a model finds one star only at 64K.",
    check: (published) => {
      const [gpt, kimi] = STAR_MODELS.map((model) =>
        rightAt(panelOf(published, "west_32_32_temperature", model), 64_000)
      );
      return decided(kimi === 1 || gpt === 1, `At 64K GPT-4 finds ${gpt} of 32 and Kimi ${kimi}.`);
    },
  },
];
