import { depthGrid } from "@/lib/generators/mod.ts";
import { decided } from "../_claim_words.ts";
import type { Claim } from "../claims.ts";
import { modelsOf, printed, recallOn, TESTS } from "./_recall_evidence.ts";
import { recallPercent } from "./recall_percent.ts";
import type { RecallPublished } from "./recall_published.ts";

/** Claims about how many replies there are, how they are counted, and where a needle stood. */
export const CLAIMS_OF_DESIGN: readonly Claim<RecallPublished>[] = [
  {
    id: "M1",
    source: "section 2; Table 5",
    kind: "paper",
    quote: "on 9 models (Table 1) with 3 needle-in-a-haystack tests (Table 2), 31,275 responses were to be graded",
    statement: "Nine models on three tests are 31,275 replies.",
    check: (published) => {
      const replies = published.recalls.reduce((sum, { cells }) => sum + cells, 0);
      const models = modelsOf(published).length;
      return decided(
        models === 9 && replies === 31_275,
        `${models} models and ${published.recalls.length} tests: ${replies} replies, 35 x 35 a test and 25 x 25 for GPT-4 Turbo. Section 3.3 has 32k.`,
      );
    },
  },
  {
    id: "M2",
    source: "section 3.3; Table 5",
    kind: "paper",
    quote: "across 1,225 tests, Llama 2 13B can score up to 6,125 points",
    statement:
      "1,225 prompts have 6,125 points at most (our measure: each printed recall comes of one sum of whole grades over that, or over 3,125 for 625 prompts).",
    check: ({ recalls }) => {
      const sums = recalls.map(({ recall, cells }) => {
        const all = Array.from({ length: 4 * cells + 1 }, (_, more) => cells + more);
        return all.filter((sum) => recallPercent(sum, cells).recall.toFixed(2) === recall.toFixed(2));
      });
      const single = sums.filter((found, at) => found.length === 1 && found[0] === recalls[at]!.gradeSum).length;
      return decided(
        single === recalls.length,
        `Of ${recalls.length} printed values ${single} come of exactly one sum of grades.`,
      );
    },
  },
  {
    id: "M18",
    source: "section 5 against section 3.1",
    kind: "check",
    statement:
      "The depth of 11.3% at which a reply of Llama 2 13B is shown lies on an S-shaped grid of 35 depths, as section 3.1 describes it.",
    check: () => {
      const grid = depthGrid({ points: 35, spacing: "sigmoid" });
      const point = grid.findIndex((depth) => depth.toFixed(1) === "11.3") + 1;
      return decided(
        point === 11,
        `11.3 is point ${point} of the logistic grid of Kamradt's test (${
          grid[point - 1]
        }), which the paper does not write down; the grade itself is not public.`,
      );
    },
  },
  {
    id: "M19",
    source: "section 3.3; Table 5",
    kind: "check",
    statement: "Recall begins at 0%: it is the share of what could be recalled.",
    check: (published) => {
      const floor = recallPercent(1225, 1225).recall;
      const lowest = Map.groupBy(published.recalls.filter(({ recall }) => recall < 70), ({ model }) => model);
      const low = [...lowest.values()].map((rows) => rows.toSorted((left, right) => left.recall - right.recall)[0]!)
        .map((row) =>
          `${row.model} on ${row.test} ${row.recall.toFixed(2)} is ${
            recallPercent(row.gradeSum, row.cells).aboveFloor.toFixed(1)
          }`
        );
      return decided(
        floor === 0,
        `The lowest grade is 1 of 5, so a model that finds nothing has ${floor}%. From 0 to 100: ${low.join("; ")}.`,
      );
    },
  },
  {
    id: "M9",
    source: "section 4.2; figure",
    kind: "paper",
    quote: "as the haystack length grows beyond 32k tokens, GPT-4 Turbo's recall failures increase",
    statement: "GPT-4 Turbo's failures grow beyond 32K tokens.",
    check: (published) => ({
      verdict: "cannot tell",
      observed: `Its grades by length are in a picture only; Table 5 has ${
        printed(TESTS.map((test) => [test, recallOn(published, "GPT-4 Turbo 0125", test)]))
      }.`,
    }),
  },
  {
    id: "M12",
    source: "section 4.3; Figure 2",
    kind: "paper",
    quote:
      "Llama 2 13B has perfect recall where the haystack is shorter than 500 tokens … Llama 2 70B's weaknesses typically occur where the needle is placed between 10% and 90% deep",
    statement: "Llama 2 13B is perfect below 500 tokens, and 70B is weak between depths of 10 and 90%.",
    check: (published) => ({
      verdict: "cannot tell",
      observed: `Grades by length and depth are in a picture only; over all cells of Thornfield Hollow they have ${
        printed(["Llama 2 13B Chat", "Llama 2 70B Chat"].map((model) => [model, recallOn(published, model, TESTS[0])]))
      }.`,
    }),
  },
];
