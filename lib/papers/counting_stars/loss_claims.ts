import { grouped, percent, sum } from "@/lib/base/mod.ts";
import { lengthStability } from "./length_stability.ts";
import { panelOf, rightAt, STAR_MODELS, type StarEvidence } from "./star_panels.ts";
import type { PublishedStarPanel } from "./published.ts";
import { panelDifference } from "./star_changes.ts";
import { type ErrorPlaces, errorPlaces } from "./star_replies.ts";
import { starScore } from "@/lib/benchmarks/counting_stars/scorer.ts";
import { cannotTell, decided, decidedByCases, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** Claims about the places of lost stars, and about longer contexts that beat shorter ones. */
export const LOSS_CLAIMS: readonly PublishedClaim<StarEvidence>[] = [
  {
    id: "C7",
    source: "method; the length-stability dilemma",
    quote:
      "both GPT-4 Turbo and Kimi Chat can get better results in a longer text than in a shorter one; 100K, say, is better than 92K",
    statement:
      "Both models can do better in a longer text, as at 100K against 92K (our measure: in at least one panel).",
    expected: "holds",
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
    statement:
      "The dilemma goes beyond chance for both models: in most of a model's panels a longer text beats a shorter one more often than if length did not matter (p < 0.05).",
    expected: "fails",
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
    quote: "most wrong samples are late in the long context, the phenomenon of lost in the tail",
    statement:
      "Most errors are late in the context (our measure: over half of the errors of all panels are in the last third of the stars).",
    expected: "holds",
    check: ({ panels }) => {
      const { errors, last } = pooled(panels);
      return decided(
        last > errors / 2,
        `The last third has ${grouped(last)} of ${grouped(errors)} errors, ${percent(last / errors)}; it has most in ${
          countWorst(panels, "last")
        } of ${panels.length} panels.`,
      );
    },
  },
  {
    id: "C12b",
    source: "figures of the first edition",
    statement: "Each model by itself has most of its errors in the last third.",
    expected: "fails",
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
            `${model} ${[first, middle, last].map((part) => percent(part / errors)).join(", ")} of ${grouped(errors)}`
          ).join("; ")
        }. Of Kimi's panels in Chinese the last third has most in ${countWorst(chinese, "last")} of ${chinese.length}.`,
      );
    },
  },
  {
    id: "C12c",
    source: "discussion",
    quote: "our findings cannot fully confirm this phenomenon (lost in the middle)",
    statement:
      "Lost in the middle is not fully confirmed (our measure: of the errors of all panels the middle third does not have the most).",
    expected: "holds",
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
    statement: "With shuffled counts and other models the last third has the most errors too.",
    expected: "fails",
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

/** Sums the errors of several panels, overall and by third. */
function pooled(
  panels: readonly PublishedStarPanel[],
): Readonly<Record<"errors" | "first" | "middle" | "last", number>> {
  const places = panels.map(errorPlaces);
  const sumOf = (third: "first" | "middle" | "last"): number =>
    sum(places, (place) => place.errors * (place[third] ?? 0));
  const errors = sum(places, (place) => place.errors);
  return { errors, first: sumOf("first"), middle: sumOf("middle"), last: sumOf("last") };
}

/** Counts the panels with most of their errors in a third. */
function countWorst(panels: readonly PublishedStarPanel[], third: ErrorPlaces["most"]): number {
  return panels.filter((panel) => errorPlaces(panel).most === third).length;
}

function greatestGain(gains: readonly (readonly [string, number, number])[]): string {
  const [most] = gains.toSorted((left, right) => (right[2] - right[1]) - (left[2] - left[1]));
  return most === undefined ? "" : `, most in ${most[0].replaceAll("_", " ")}: ${most[1]} at 92K, ${most[2]} at 100K`;
}

function nameOf({ figure, model }: PublishedStarPanel): string {
  return `${model.split(" ")[0]} ${figure.replaceAll("_", " ")}`;
}

/** The two texts of the first edition in the same versions, by their figures. */
const TEXT_PAIRS = [
  ["16-32", "stone_16_32", "west_16_32"],
  ["32-32", "stone_32_32", "west_32_32_v1"],
  ["64-32", "stone_64_32", "west_64_32"],
] as const;

/** Our measure of a large influence, as a difference of accuracies. */
const LARGE = 0.05;

/** Claims about texts, made-up lists and sums. No replies of the last two were published. */
export const TEXT_CLAIMS: readonly PublishedClaim<StarEvidence>[] = [
  {
    id: "C6b",
    source: "experiments",
    quote:
      "at a context length of 92K … the reasons are roughly of two kinds: the sentences were not found, or the model simply starts to make up a rising list",
    statement: "At 92K GPT-4 Turbo's errors are stars not found and made-up rising lists.",
    expected: "cannot tell",
    check: ({ replies }) => {
      const running = replies.filter(({ numbers, references }) =>
        starScore(JSON.stringify({ little_penguin: numbers }), references).run !== null
      );
      return cannotTell(
        `No reply with 64 stars was published. Of the ${replies.length} replies with 32 stars that were, ${running.length} have ` +
          `a run of made-up numbers in even steps.`,
      );
    },
  },
  {
    id: "C16b",
    source: "experiments",
    quote: "this mistake is more obvious where the first number of stars is 1",
    statement: "Rising lists are made up more often if the first count is 1.",
    expected: "cannot tell",
    check: () =>
      cannotTell("No list with a 1 was published; of a run it can be asked, with firstCount: 1 beside the default."),
  },
  {
    id: "C17",
    source: "experiments",
    quote: "in our experiments we found that different contexts have a large influence on the results",
    statement:
      `Another text changes the results much (our measure: by ${LARGE} or more between The Story of the Stone and Journey to the West, for each model in each version).`,
    expected: "fails",
    check: (published) => {
      const rows = STAR_MODELS.flatMap((model) =>
        TEXT_PAIRS.map(([version, stone, west]) => ({
          name: `${model} ${version}`,
          ...panelDifference(panelOf(published, stone, model), panelOf(published, west, model), {
            seed: published.seed,
          }),
        }))
      );
      const large = rows.filter(({ difference }) => Math.abs(difference) >= LARGE);
      const texts = rows.map(({ name, difference, low, high }) =>
        `${name} ${difference.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
      );
      return decidedByCases(
        rows.map((row) => large.includes(row)),
        `The Story of the Stone less Journey to the West, with 95% intervals: ${
          texts.join("; ")
        }: large in ${large.length} of ${rows.length}. More than one reply a length, and other texts, were not published.`,
      );
    },
  },
  {
    id: "C18",
    source: "discussion",
    quote:
      "we have tested [sums] before; as the results of both GPT-4 Turbo and Kimi were poor, we changed the task to listing the counts",
    statement: "Asked for the sum of all counts, both models do poorly.",
    expected: "cannot tell",
    check: () => cannotTell("No sum was published; of a run it can be asked (counting_stars_sum_zh and _en)."),
  },
];
