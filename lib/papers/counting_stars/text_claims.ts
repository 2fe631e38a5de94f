import { panelOf, STAR_MODELS, type StarEvidence } from "./published.ts";
import { starScore } from "@/lib/benchmarks/counting_stars/mod.ts";
import { panelDifference } from "./star_changes.ts";
import { cannotTell, type PublishedClaim } from "@/lib/statistics/mod.ts";

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
    expected: "cannot tell",
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
      return {
        verdict: large.length === rows.length ? "holds" : large.length === 0 ? "fails" : "cannot tell",
        observed: `The Story of the Stone less Journey to the West, with 95% intervals: ${
          texts.join("; ")
        }: large in ${large.length} of ${rows.length}.`,
      };
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
