import {
  cellsAt,
  meanText,
  panelOf,
  printedOf,
  REPEAT_FIGURES,
  rightAt,
  STAR_MODELS,
  type StarEvidence,
  STONE_FIGURES,
} from "./_claim_panels.ts";
import { meanOf } from "./published.ts";
import { panelDifference } from "./star_changes.ts";
import { decided, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** Claims that compare the two models, texts, orders and temperatures. */
export const MODEL_CLAIMS: readonly PublishedClaim<StarEvidence>[] = [
  {
    id: "C3",
    source: "experiments",
    kind: "paper",
    quote: "on the whole GPT-4 Turbo does better than Kimi Chat",
    statement:
      "On the whole GPT-4 Turbo does better than Kimi Chat (our measure: the mean of the four versions on The Story of the Stone).",
    expected: "holds",
    check: (published) => {
      const pairs = STONE_FIGURES.map((figure) => printedOf(published, figure));
      const [gpt, kimi] = [pairs.map((pair) => pair[0]), pairs.map((pair) => pair[1])];
      return decided(meanOf(gpt) > meanOf(kimi), `The means are ${meanText(gpt)} and ${meanText(kimi)}.`);
    },
  },
  {
    id: "C3b",
    source: "experiments, its figures",
    kind: "check",
    statement: "GPT-4 Turbo does better in each of the four versions on The Story of the Stone.",
    expected: "fails",
    check: (published) => {
      const texts = STONE_FIGURES.map((figure) => {
        const [gpt, kimi] = printedOf(published, figure);
        return `${figure.slice(6).replace("_", "-")} ${gpt.toFixed(3)} and ${kimi.toFixed(3)}`;
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
    kind: "paper",
    quote: "Kimi Chat is slightly worse than GPT-4 Turbo, especially on the English version of the test",
    statement:
      "Kimi Chat is further behind in English (our measure: than in the same (32-32) version on The Story of the Stone, and than on average over the four; where the two disagree it is open).",
    expected: "cannot tell",
    check: (published) => {
      const [english, same] = [gapOf(published, "en_32_32"), gapOf(published, "stone_32_32")];
      const average = meanOf(STONE_FIGURES.map((figure) => gapOf(published, figure)));
      const greater = [same, average].filter((gap) => english > gap).length;
      const west = REPEAT_FIGURES.map((figure) => gapOf(published, figure).toFixed(3)).join(", ");
      return {
        verdict: greater === 2 ? "holds" : greater === 0 ? "fails" : "cannot tell",
        observed: `GPT-4's lead is ${english.toFixed(3)} in English; on The Story of the Stone ${
          same.toFixed(3)
        } in the same version and ${
          average.toFixed(3)
        } on average. In the same version on Journey to the West it is ${west}.`,
      };
    },
  },
  {
    id: "C5",
    source: "experiments",
    kind: "paper",
    quote:
      "in Counting-Stars-(64-32), at 96K and 100K, Kimi Chat does poorly: it loses practically all of the second half",
    statement:
      "With 64 stars Kimi Chat loses practically all of the second half at 96K and 100K (our measure: it finds 3 of its 32 stars at most).",
    expected: "holds",
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
    statement:
      "At 92K the result of GPT-4 Turbo is not good (our measure: with 64 stars, below its mean of all lengths).",
    expected: "holds",
    check: (published) => {
      const panel = panelOf(published, "stone_64_32", "GPT-4");
      const right = rightAt(panel, 92_000);
      const worst = panel.columns.toSorted((left, other) => meanOf(left.cells) - meanOf(other.cells)).slice(0, 3);
      const texts = worst.map(({ length }) => `${length / 1000}K ${rightAt(panel, length)}`);
      return decided(
        right / 64 < panel.printed,
        `It finds ${right} of 64 there, ${panel.printed.toFixed(3)} of all; its worst lengths are ${texts.join(", ")}.`,
      );
    },
  },
  {
    id: "C8",
    source: "experiments",
    kind: "paper",
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
    statement:
      "At a fixed temperature repeated runs differ very little (our measure: the accuracies of three runs on Journey to the West are 0.01 apart at most).",
    expected: "holds",
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
    statement:
      "On Journey to the West GPT-4 Turbo does clearly better (our measure: by 0.05 or more on average over its three versions, the one that was run three times averaged first).",
    expected: "holds",
    check: (published) => {
      const repeated = REPEAT_FIGURES.map((figure) => gapOf(published, figure));
      const gaps = [gapOf(published, "west_16_32"), meanOf(repeated), gapOf(published, "west_64_32")];
      return decided(
        meanOf(gaps) >= 0.05,
        `It is better by ${gaps.map((gap) => gap.toFixed(3)).join(", ")}, on average by ${meanText(gaps)}.`,
      );
    },
  },
  {
    id: "C11",
    source: "experiments, Case 2",
    kind: "paper",
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
];

/** By how much GPT-4's printed accuracy is higher than Kimi's in a figure. */
function gapOf(published: StarEvidence, figure: string): number {
  const [gpt, kimi] = printedOf(published, figure);
  return gpt - kimi;
}
