import { CLAIMS_OF_MODELS } from "./claims_of_models.ts";
import { countingStarsLengths } from "./counting_stars.ts";
import { lengthStability } from "./length_stability.ts";
import { meanOf, type PublishedStarPanel, starAccuracy, type StarPanel, type StarsPublished } from "./published.ts";
import { starScore } from "./scorer.ts";
import { type ErrorPlaces, errorPlaces } from "./star_replies.ts";
import { type Claim, decided, type Verdict } from "@/lib/statistics/mod.ts";

/** What claims about Counting-Stars look at. */
export interface StarEvidence extends StarsPublished {
  /** Any text, for the intervals: with the seed of a notebook's own tables the numbers are theirs. */
  readonly seed: string;
}

/** The two models of the first edition. */
export const STAR_MODELS = ["GPT-4", "Kimi"] as const;

/** The four versions that the first edition tests on The Story of the Stone, by their figures. */
export const STONE_FIGURES = ["stone_16_32", "stone_32_32", "stone_64_32", "stone_32_16"] as const;

/** Three runs of one version on Journey to the West. */
export const REPEAT_FIGURES = ["west_32_32_v1", "west_32_32_v2", "west_32_32_v3"] as const;

/** A model's panel of a figure. */
export function panelOf({ panels }: StarsPublished, figure: string, model: string): PublishedStarPanel {
  return panels.find((panel) => panel.figure === figure && panel.model.startsWith(model))!;
}

/** The printed accuracies of both models in a figure, GPT-4's first. */
export function printedOf(published: StarsPublished, figure: string): readonly [number, number] {
  const [gpt, kimi] = STAR_MODELS.map((model) => panelOf(published, figure, model).printed);
  return [gpt!, kimi!];
}

/** The column of a panel at a length. */
export function cellsAt({ columns }: StarPanel, length: number): readonly number[] {
  return columns.find((column) => column.length === length)!.cells;
}

/** How many stars are right at a length. */
export function rightAt(panel: StarPanel, length: number): number {
  return cellsAt(panel, length).reduce((sum, cell) => sum + cell, 0);
}

/** The mean of some printed accuracies, to three decimals. */
export function meanText(values: readonly number[]): string {
  return meanOf(values).toFixed(3);
}

/** A share in percent. */
function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

/** Claims about how the test is made and what it costs. */
const CLAIMS_OF_DESIGN: readonly Claim<StarEvidence>[] = [
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
    id: "C2b",
    source: "set-up",
    kind: "inconsistency",
    quote: [
      "0 and 1, which stand for a right and a wrong prediction",
      "with the reference [3,5,9] … the result is [1,0,1]",
    ],
    statement: "Both places give a star that was found the same digit.",
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

/** The versions with 16, 32 and 64 stars by text, each with its figures: one of them was run three times. */
const VERSIONS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "Stone": [["stone_16_32"], ["stone_32_32"], ["stone_64_32"]],
  "West": [["west_16_32"], REPEAT_FIGURES, ["west_64_32"]],
};

/** The verdict where all cases bear a claim out, none does, or some do. */
function unanimous(count: number, all: number): Verdict {
  return count === all ? "holds" : count === 0 ? "fails" : "cannot tell";
}

/** Claims about where stars are lost, and about longer contexts that do better than shorter ones. */
const CLAIMS_OF_LENGTH: readonly Claim<StarEvidence>[] = [
  {
    id: "C7",
    source: "method; the length-stability dilemma",
    kind: "paper",
    quote:
      "both GPT-4 Turbo and Kimi Chat can get better results in a longer text than in a shorter one; 100K, say, is better than 92K",
    statement: "Both models can do better in a longer text, as at 100K against 92K (our measure: in a panel at least).",
    check: (published) => {
      const rows = STAR_MODELS.map((model) => {
        const both = published.panels.filter((panel) => panel.model.startsWith(model) && panel.lengths === 32);
        const gains = both.map((panel) => [panel.figure, rightAt(panel, 92_000), rightAt(panel, 100_000)] as const);
        const better = gains.filter(([, short, long]) => long > short);
        return { model, panels: both.length, better: better.length, most: greatestGain(better) };
      });
      return decided(
        rows.every(({ better }) => better > 0),
        `${
          rows.map(({ model, panels, better, most }) => `${model} in ${better} of ${panels} panels${most}`).join("; ")
        }.`,
      );
    },
  },
  {
    id: "C7b",
    source: "figures of the first edition",
    kind: "check",
    statement:
      "The dilemma goes beyond chance for both models: in most of a model's panels a longer text beats a shorter one more often than if length did not matter (p < 0.05).",
    check: ({ panels, seed }) => {
      const rows = STAR_MODELS.map((model) => {
        const found = panels.filter((panel) => panel.model.startsWith(model))
          .map((panel) => lengthStability(panel, { seed }));
        const sure = found.filter(({ p }) => p < 0.05);
        const shares = found.map(({ share }) => share);
        return { model, panels: found.length, sure: sure.length, most: Math.max(...shares) };
      });
      return decided(
        rows.every(({ sure, panels }) => 2 * sure > panels),
        `${
          rows.map(({ model, panels, sure, most }) =>
            `${model} in ${sure} of ${panels} panels, where it is up to ${percent(most)} of the pairs of lengths`
          ).join("; ")
        }.`,
      );
    },
  },
  {
    id: "C12",
    source: "discussion",
    kind: "paper",
    quote: "most wrong samples are late in the long context, the phenomenon of lost in the tail",
    statement:
      "Most errors are late in the context (our measure: over half of the errors of all panels are in the last third of the stars).",
    check: ({ panels }) => {
      const { errors, last } = pooled(panels);
      return decided(
        last > errors / 2,
        `The last third has ${whole(last)} of ${whole(errors)} errors, ${percent(last / errors)}; it has most in ${
          leadersOf(panels).last
        } of ${panels.length} panels.`,
      );
    },
  },
  {
    id: "C12b",
    source: "figures of the first edition",
    kind: "check",
    statement: "Each model by itself has most of its errors in the last third.",
    check: ({ panels }) => {
      const rows = STAR_MODELS.map((model) => ({
        model,
        ...pooled(panels.filter((panel) => panel.model.startsWith(model))),
      }));
      const chinese = panels.filter(({ model, language }) => model.startsWith("Kimi") && language === "ZH");
      return decided(
        rows.every(({ errors, last }) => last > errors / 2),
        `First, middle and last third: ${
          rows.map(({ model, errors, first, middle, last }) =>
            `${model} ${[first, middle, last].map((part) => percent(part / errors)).join(", ")} of ${whole(errors)}`
          ).join("; ")
        }. Of Kimi's panels in Chinese the last third has most in ${leadersOf(chinese).last} of ${chinese.length}.`,
      );
    },
  },
  {
    id: "C12c",
    source: "discussion",
    kind: "paper",
    quote: "our findings cannot fully confirm this phenomenon (lost in the middle)",
    statement:
      "Lost in the middle is not fully confirmed (our measure: of the errors of all panels the middle third does not have the most).",
    check: ({ panels }) => {
      const { errors, first, middle, last } = pooled(panels);
      const inMiddle = panels.filter((panel) => errorPlaces(panel).most === "middle");
      return decided(
        middle < Math.max(first, last),
        `The middle third has ${
          percent(middle / errors)
        } of all errors, and most in ${inMiddle.length} of ${panels.length} panels: ${
          inMiddle.map((panel) => `${nameOf(panel)} ${percent(errorPlaces(panel).middle!)}`).join(", ")
        }.`,
      );
    },
  },
  {
    id: "C12d",
    source: "figures of the third edition",
    kind: "check",
    statement: "With shuffled counts and other models the last third has most errors too.",
    check: ({ tasks }) => {
      const rows = tasks.map((panel) => ({ ...errorPlaces(panel), task: panel.task }));
      const texts = rows.map(({ model, task, middle, last }) =>
        `${model} ${task} ${percent(middle!)} and ${percent(last!)}`
      );
      const inMiddle = rows.filter(({ most }) => most === "middle").length;
      return decided(
        rows.every(({ most }) => most === "last"),
        `The middle third has most in ${inMiddle} of ${rows.length} panels; its share and the last third's: ${
          texts.join(", ")
        }.`,
      );
    },
  },
];

/** The errors of several panels together, and those of each third. */
function pooled(
  panels: readonly PublishedStarPanel[],
): Readonly<Record<"errors" | "first" | "middle" | "last", number>> {
  const places = panels.map(errorPlaces);
  const sumOf = (third: "first" | "middle" | "last"): number =>
    places.reduce((sum, place) => sum + place.errors * (place[third] ?? 0), 0);
  return {
    errors: places.reduce((sum, { errors }) => sum + errors, 0),
    first: sumOf("first"),
    middle: sumOf("middle"),
    last: sumOf("last"),
  };
}

/** In how many panels each third has most errors. */
function leadersOf(panels: readonly PublishedStarPanel[]): Readonly<Record<NonNullable<ErrorPlaces["most"]>, number>> {
  const leading = panels.map((panel) => errorPlaces(panel).most);
  const count = (third: ErrorPlaces["most"]): number => leading.filter((most) => most === third).length;
  return { first: count("first"), middle: count("middle"), last: count("last") };
}

function greatestGain(gains: readonly (readonly [string, number, number])[]): string {
  const [most] = gains.toSorted((left, right) => (right[2] - right[1]) - (left[2] - left[1]));
  return most === undefined ? "" : `, most in ${most[0].replaceAll("_", " ")}: ${most[1]} at 92K, ${most[2]} at 100K`;
}

function nameOf({ figure, model }: PublishedStarPanel): string {
  return `${model.split(" ")[0]} ${figure.replaceAll("_", " ")}`;
}

function whole(count: number): string {
  return Math.round(count).toLocaleString("en");
}

/**
 * What the text of Counting-Stars (March 2024) claims and its published numbers can tell, in the order of their numbers.
 *
 * The text is Chinese: quotes are our translation. Where it says "on the whole" or "most" the measure is ours, and the statement
 * says so; a letter marks what is asked beside the claim of that number.
 */
export const STAR_CLAIMS: readonly Claim<StarEvidence>[] = [
  ...CLAIMS_OF_DESIGN,
  ...CLAIMS_OF_MODELS,
  ...CLAIMS_OF_LENGTH,
].toSorted((left, right) => numberOf(left.id) - numberOf(right.id));

function numberOf(id: string): number {
  return Number(id.match(/\d+/)![0]);
}
