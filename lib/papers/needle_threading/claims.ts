import { grouped, sum } from "@/lib/base/mod.ts";
import {
  DEPTH_CLAIMS,
  INSIGHT_CLAIMS,
  modelsOf,
  NEEDLES_CLAIM,
  THREAD_SAFETY_CLAIM,
  type ThreadingEvidence,
} from "./figure_claims.ts";
import { PAIR_CHARACTERS } from "@/lib/benchmarks/needle_threading/pairs.ts";
import { valueMatch } from "@/lib/benchmarks/needle_threading/scorer.ts";
import {
  charactersPerToken,
  curvesOf,
  PUBLISHED_THREADING_TASKS,
  supportedBy,
  type ThreadingPublished,
} from "./published.ts";
import { decided, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** Limits in tokens that the paper's text gives; Table 2 prints them in characters. */
const [LLAMA_LIMIT, GPT_4O_LIMIT, GEMINI_PRO_LIMIT] = [128_000, 128_000, 2_000_000];
/** Tokens of a pair that the paper gives for Gemini 1.5. */
const GEMINI_PAIR_CLAIMED = 75;
/** Our measure of "about", as a share. */
const ABOUT = 0.1;
/** Our measure of "well", in percent. */
const WELL = 95;
const EXCEPTIONS = ["GPT-4o", "Jamba 1.5 Large"] as const;
/** Our measure of "significantly shorter", in percent of the supported context. */
const HALF = 50;
/** Half of the last printed digit of a mean, and of each score that it is made of. */
const ROUNDING = 0.1;

/**
 * The claims of Needle Threading (arXiv 2411.05000) about its own numbers, and two checks of ours.
 *
 * The abstract and the repository's page are quoted verbatim. Other quotes are translated back from a translation.
 */
export const THREADING_CLAIMS: readonly PublishedClaim<ThreadingEvidence>[] = [
  {
    id: "N1",
    source: "abstract; experiments",
    quote: "a set of retrieval experiments designed to evaluate the capabilities of 17 leading LLMs",
    statement: "17 models are evaluated (our measure: some table has a score of each).",
    expected: "holds",
    check: ({ published }) => {
      const counts = PUBLISHED_THREADING_TASKS.map((task) =>
        `${task.replace("_", " ")} ${modelsOf(published.scores.filter((row) => row.task === task)).length}`
      );
      const all = modelsOf(published.scores).length;
      const everywhere = modelsOf(published.scores.filter(({ task }) => task === "overall")).length;
      return decided(
        all === 17,
        `Models with scores: ${counts.join(", ")}. ${everywhere} have all five tasks and are in Tables 1 and 2.`,
      );
    },
  },
  {
    id: "N2",
    source: "experiments",
    quote:
      "experiments are carried out on haystacks of 12 different sizes, from 1k to 630k tokens (measured in LLaMA 3.1 tokens)",
    statement: "Haystacks have 12 sizes, from 1K to 630K tokens of LLaMA 3.1.",
    expected: "holds",
    check: ({ published }) => {
      const sizes = [...new Set(published.scores.map(({ length }) => length))].toSorted((left, right) => left - right);
      return decided(
        sizes.length === 12 && sizes[0]! >= 1000 && sizes[0]! < 1500 && sizes.at(-1) === 630_000,
        `The tables have ${sizes.length} sizes: ${sizes.map((size) => `${size / 1000}K`).join(", ")}.`,
      );
    },
  },
  {
    id: "N3",
    source: "introduction",
    quote: "involving context sizes up to 900k (Gemini 1.5) tokens",
    statement:
      "Contexts go up to 900K tokens of Gemini 1.5 (our measure: to within a tenth, by the tokens of a pair that the paper gives in two places).",
    expected: "holds",
    check: ({ published }) => {
      const pairs = 630_000 * charactersPerToken(published, "LLaMA 3.1 8b", LLAMA_LIMIT) / PAIR_CHARACTERS;
      const counts = [geminiPairTokens(published), GEMINI_PAIR_CLAIMED].map((tokens) => pairs * tokens);
      return decided(
        counts.every((count) => Math.abs(count / 900_000 - 1) < ABOUT),
        `630K tokens of LLaMA 3.1 are ${grouped(pairs)} pairs by Table 2: ${
          counts.map((count) => `${Math.round(count / 1000)}K`).join(" or ")
        } tokens of Gemini, at ${
          geminiPairTokens(published).toFixed(1)
        } a pair (Table 2) or ${GEMINI_PAIR_CLAIMED} (text).`,
      );
    },
  },
  {
    id: "N4",
    source: "introduction against figure 1",
    quote: [
      "at over 300k tokens, the classic novel Moby Dick could fit almost 5 times into the 2M token context window of Gemini 1.5 Pro",
      "Figure 1: Moby Dick 0.307, Gemini 1.5 Pro 2.0 million tokens",
    ],
    statement: "Both make Moby Dick fit almost 5 times (our measure: between 4.5 and 5 times).",
    expected: "fails",
    check: ({ published }) => {
      const million = (name: string): number => published.contexts.find((bar) => bar.name === name)!.millionTokens;
      const times = million("Gemini 1.5 Pro") / million("Moby Dick");
      const ofLlama = PAIR_CHARACTERS / charactersPerToken(published, "LLaMA 3.1 8b", LLAMA_LIMIT);
      const ofGemini = geminiPairTokens(published);
      return decided(
        times > 4.5 && times < 5,
        `By Figure 1's ${million("Moby Dick")}M and ${million("Gemini 1.5 Pro")}M tokens it fits ${
          times.toFixed(1)
        } times. By the tokens that Table 2 gives a UUID pair, ${ofLlama.toFixed(1)} of LLaMA 3.1 and ${
          ofGemini.toFixed(1)
        } of Gemini, it fits ${(times * ofLlama / ofGemini).toFixed(1)} times, as the text has it.`,
      );
    },
  },
  {
    id: "N5",
    source: "tokenisation; figure 3",
    quote: "a UUID pair is represented by ∼50 tokens by GPT-4o, while Gemini 1.5 uses 75",
    statement: "A UUID pair is about 50 tokens of GPT-4o (our measure: to within a tenth).",
    expected: "holds",
    check: ({ gpt4oPairTokens }) =>
      decided(
        Math.abs(gpt4oPairTokens / 50 - 1) < ABOUT,
        `Counted here with o200k_base: ${gpt4oPairTokens.toFixed(1)} tokens a pair of 80 characters.`,
      ),
  },
  {
    id: "N5b",
    source: "tokenisation and figure 3 against table 2",
    quote: [
      "a UUID pair is represented by ∼50 tokens by GPT-4o, while Gemini 1.5 uses 75",
      "Table 2: Gemini 1.5 Pro, context limit 2472 thousand characters",
    ],
    statement: "Both give Gemini 1.5 the same number of tokens for a UUID pair (our measure: to within a tenth).",
    expected: "fails",
    check: ({ published }) => {
      const tokens = geminiPairTokens(published);
      return decided(
        Math.abs(tokens / GEMINI_PAIR_CLAIMED - 1) < ABOUT,
        `Table 2 gives Gemini 1.5 Pro ${
          supportedBy(published, "Gemini 1.5 Pro")
        } thousand characters for 2M tokens, which is ${
          tokens.toFixed(1)
        } tokens a pair. Its tokenizer is not public; one of the two numbers is off.`,
      );
    },
  },
  {
    id: "N6",
    source: "tokenisation",
    quote: "Gemini 1.5 Flash's reported context limit of 1M tokens is equivalent to ∼700k GPT-4o tokens",
    statement:
      "1M tokens of Gemini 1.5 Flash are about 700K tokens of GPT-4o (our measure: to within a tenth, both by the characters of Table 2 and by the tokens of a pair).",
    expected: "holds",
    check: ({ published, gpt4oPairTokens }) => {
      const byTable = 1000 * supportedBy(published, "Gemini 1.5 Flash") /
        charactersPerToken(published, "GPT-4o", GPT_4O_LIMIT);
      const byPairs = 1_000_000 * gpt4oPairTokens / GEMINI_PAIR_CLAIMED;
      return decided(
        [byTable, byPairs].every((tokens) => Math.abs(tokens / 700_000 - 1) < ABOUT),
        `${Math.round(byTable / 1000)}K by the characters of Table 2, ${
          Math.round(byPairs / 1000)
        }K by the tokens of a pair ` +
          `(${gpt4oPairTokens.toFixed(1)} counted here, ${GEMINI_PAIR_CLAIMED} as claimed).`,
      );
    },
  },
  {
    id: "N7",
    source: "single needle; figure 4, table 3",
    quote:
      "at shorter contexts, the models perform this simple task well. However, in most cases, the retrieval accuracy decreases for longer context lengths … notable exceptions are GPT-4o and Jamba-1.5 Large",
    statement:
      `At short contexts models do well, and in most cases worse at long ones (our measure: every model finds ${WELL}% at 1.2K; more than half score lower at their largest size, the two exceptions not among them).`,
    expected: "holds",
    check: ({ published }) => {
      const curves = [...curvesOf(published, "single_needle")];
      const short = curves.map(([model, points]) => [model, points[0]!.score] as const);
      const falling = curves.filter(([, points]) => points.at(-1)!.score < points[0]!.score).map(([model]) => model);
      const others = modelsOf(curves.flatMap(([, points]) => points)).filter((model) => !falling.includes(model));
      const least = short.reduce((worst, next) => next[1] < worst[1] ? next : worst);
      return decided(
        least[1] >= WELL && falling.length > curves.length / 2 &&
          EXCEPTIONS.every((model) => others.includes(model)),
        `The lowest score at 1.2K is that of ${least[0]}, ${
          least[1].toFixed(1)
        }. ${falling.length} of ${curves.length} score lower at their largest size; ${others.join(" and ")} do not.`,
      );
    },
  },
  {
    id: "N8",
    source: "single needle; table 3",
    quote: "GPT-4o and Jamba-1.5 Large, which attain perfect scores throughout",
    statement: "GPT-4o and Jamba 1.5 Large have perfect scores on single needles at every size.",
    expected: "holds",
    check: ({ published }) => {
      const curves = curvesOf(published, "single_needle");
      const points = EXCEPTIONS.flatMap((model) => curves.get(model)!);
      const perfect = [...curves].filter(([, each]) => each.every(({ score }) => score === 100)).map(([model]) =>
        model
      );
      return decided(
        points.every(({ score }) => score === 100),
        `All ${points.length} scores of the two are 100; models without any other score: ${perfect.join(", ")}.`,
      );
    },
  },
  ...DEPTH_CLAIMS,
  THREAD_SAFETY_CLAIM,
  {
    id: "N11",
    source: "abstract; contributions; table 2",
    quote:
      "for many models, we find the effective context limit is significantly shorter than the supported context length",
    statement:
      `For many models the effective limit is significantly shorter than the supported one (our measure: for more than half of Table 2's models it is ${HALF}% of it or less on most of the five tasks).`,
    expected: "holds",
    check: ({ published }) => {
      const short = published.limits.filter(({ percent }) => percent <= HALF);
      const models = modelsOf(published.limits);
      const many = models.filter((name) =>
        short.filter(({ model }) => model === name).length > PUBLISHED_THREADING_TASKS.length / 2
      );
      const texts = PUBLISHED_THREADING_TASKS.map((task) =>
        `${task.replace("_", " ")} ${short.filter((row) => row.task === task).length}, at best ${
          Math.max(...published.limits.filter((row) => row.task === task).map(({ percent }) => percent))
        }%`
      );
      return decided(
        many.length > models.length / 2,
        `It is for ${many.length} of ${models.length} models. By task, how many have half or less: ${
          texts.join("; ")
        }.`,
      );
    },
  },
  NEEDLES_CLAIM,
  {
    id: "N13",
    source: "evaluation",
    quote:
      "for tasks requiring k values as answers, we only evaluate the top k answers provided by the models, ignoring any other additional answers",
    statement: "Where k values are asked for, the first k answers count and the others do not.",
    expected: "holds",
    check: () => {
      const [right, wrong] = ["0e7bbda8-78e4-8982-dbec-b7b4a4c0c665", "cdf6c32a-f0c7-4198-24ed-3d4bf0959271"];
      const first = valueMatch(JSON.stringify([right, wrong]), [right]).value;
      const late = valueMatch(JSON.stringify([wrong, right]), [right]).value;
      return decided(
        first === 1 && late === 0,
        `A rule of the protocol, which the scorer here keeps: of one value asked for, [right, wrong] scores ${first} and [wrong, right] ${late}.`,
      );
    },
  },
  {
    id: "N14",
    source: "experiments; tables 8 to 12",
    quote:
      "for most models, we repeat each experiment on 5 different sets of haystacks … in some cases, only 1 repeat was feasible due to rate limit restrictions",
    statement:
      "For most models experiments have 5 repeats, and in some cases 1 (our measure: for more than half of the models, most of their cells of task and size have 5).",
    expected: "holds",
    check: ({ published: { repeats } }) => {
      const countOf = (wanted: number, cells = repeats): number =>
        cells.filter((cell) => cell.repeats === wanted).length;
      const models = [...Map.groupBy(repeats, ({ model }) => model).values()];
      const most = models.filter((cells) => countOf(5, cells) > cells.length / 2);
      const between = sum([2, 3, 4], (repeats) => countOf(repeats));
      return decided(
        most.length > models.length / 2 && countOf(1) > 0,
        `${most.length} of ${models.length} models have 5 repeats in most of their cells. Of all ${repeats.length} cells ${
          countOf(5)
        } have 5, ${countOf(1)} have 1, and ${between} have 2 to 4, which the text does not mention.`,
      );
    },
  },
  {
    id: "N15",
    source: "table 1 against tables 3 to 7",
    statement: "The overall scores are the plain means of the five tasks.",
    expected: "holds",
    check: ({ published }) => {
      const tasks = PUBLISHED_THREADING_TASKS.map((task) => curvesOf(published, task));
      const overall = [...curvesOf(published, "overall").values()].flat();
      const misses = overall.flatMap(({ model, length, score }) => {
        const parts = tasks.flatMap((curves) =>
          curves.get(model)?.find((point) => point.length === length)?.score ?? []
        );
        return parts.length < 5 ? [] : [Math.abs(score - sum(parts) / 5)];
      });
      const most = Math.max(...misses);
      return decided(
        most <= ROUNDING,
        `${misses.length} of ${overall.length} overall scores have all five tasks printed; the largest difference is ${
          most.toFixed(2)
        } points, within rounding.`,
      );
    },
  },
  {
    id: "N16",
    source: "table 2",
    statement: "The percentages are the effective limits as shares of the supported ones, to the last digit printed.",
    expected: "holds",
    check: ({ published }) => {
      const misses = published.limits.filter(({ supported, effective, percent }) => {
        // Both are rounded to thousands of characters.
        const [low, high] = [(effective - 0.5) / (supported + 0.5), (effective + 0.5) / (supported - 0.5)];
        return 100 * low > percent + 0.5 || 100 * high < percent - 0.5;
      });
      const texts = misses.map(({ model, task, percent }) => `${model}, ${task}: ${percent}%`).join("; ");
      return decided(misses.length === 0, `${published.limits.length} rows; those that are not: ${texts || "none"}.`);
    },
  },
  ...INSIGHT_CLAIMS,
];

function geminiPairTokens(published: ThreadingPublished): number {
  return PAIR_CHARACTERS / charactersPerToken(published, "Gemini 1.5 Pro", GEMINI_PRO_LIMIT);
}
