import { valueMatch } from "@/lib/scorers/mod.ts";
import { decided, listed } from "../_claim_words.ts";
import type { Claim, Finding } from "../claims.ts";
import { curvesOf, limitsOf, modelsOf, type ThreadingEvidence } from "./_threading_words.ts";
import { PUBLISHED_THREADING_TASKS, type ThreadingPublished } from "./published_threading.ts";

const NEARLY_PERFECT = 95;
const [EXCEPTIONS, FLAT] = [["GPT-4o", "Jamba 1.5 Large"], 10] as const;
/** Single-needle accuracy at 128K that is taken for a strong model's. */
const STRONG = 90;

/** Claims about what models do. */
export const CLAIMS_OF_MODELS: readonly Claim<ThreadingEvidence>[] = [
  {
    id: "N7",
    source: "single needle; figure 4, table 3",
    kind: "paper",
    quote:
      "at shorter contexts, the models perform this simple task well. However, in most cases, the retrieval accuracy decreases for longer context lengths … notable exceptions are GPT-4o and Jamba-1.5 Large",
    statement:
      "With short contexts models find the needle nearly always (95% at 1.2K), and less often at the largest size, but for GPT-4o and Jamba 1.5 Large.",
    check: ({ published }) => {
      const curves = [...curvesOf(published, "single_needle")];
      const short = curves.map(([model, points]) => [model, points[0]!.score] as const);
      const falling = curves.filter(([, points]) => points.at(-1)!.score < points[0]!.score).map(([model]) => model);
      const others = modelsOf(curves.flatMap(([, points]) => points)).filter((model) => !falling.includes(model));
      const least = short.reduce((worst, next) => next[1] < worst[1] ? next : worst);
      return decided(
        least[1] >= NEARLY_PERFECT && others.toSorted().join() === EXCEPTIONS.join(),
        `The lowest score at 1.2K is that of ${least[0]}, ${
          least[1].toFixed(1)
        }. ${falling.length} of ${curves.length} score lower at their largest size; ${others.join(" and ")} do not.`,
      );
    },
  },
  {
    id: "N8",
    source: "single needle; table 3",
    kind: "paper",
    quote: "GPT-4o and Jamba-1.5 Large, which attain perfect scores throughout",
    statement: "GPT-4o and Jamba 1.5 Large score 100 on single needles at every size.",
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
  {
    id: "N9",
    source: "single needle; figure 5",
    kind: "paper",
    quote: "it is clear from the heatmaps that for most models accuracy decreases towards greater context depths",
    statement: "For most models accuracy falls towards greater depth.",
    check: () => ({
      verdict: "cannot tell",
      observed:
        "It rests on heat maps without numbers; scores by depth were not published. A run here can tell it of a model.",
    }),
  },
  {
    id: "N10",
    source: "abstract; figure on thread safety",
    kind: "paper",
    quote:
      "we find that many models are remarkably thread-safe: capable of simultaneously following multiple threads without significant loss in performance",
    statement:
      `Many models are thread-safe: of the three that the figure shows, most lose at most ${FLAT} points from 2 to 25 threads.`,
    check: ({ published }) => {
      const falls = modelsOf(published.threadSafety).map((model) => {
        const [few, many] = published.threadSafety.filter((point) => point.model === model);
        return [model, few!.score - many!.score] as const;
      });
      const safe = falls.filter(([, fall]) => fall <= FLAT);
      return decided(
        safe.length > falls.length / 2,
        `Points lost, read by eye to about 3: ${listed(falls)}. ${safe.length} of ${falls.length} stays flat.`,
      );
    },
  },
  {
    id: "N11",
    source: "abstract; contributions; table 2",
    kind: "paper",
    quote:
      "for many models, we find the effective context limit is significantly shorter than the supported context length",
    statement: "For most models the effective context limit is shorter than the supported one, on each task.",
    check: ({ published }) => {
      const lines = PUBLISHED_THREADING_TASKS.map((task) => {
        const percents = limitsOf(published, task).map(({ percent }) => percent);
        return {
          task,
          shorter: percents.filter((percent) => percent < 100).length,
          all: percents.length,
          most: Math.max(...percents),
        };
      });
      const texts = lines.map(({ task, shorter, all, most }) =>
        `${task.replace("_", " ")} ${shorter} of ${all}${most < 100 ? ` (at best ${most}%)` : ""}`
      );
      return decided(
        lines.every(({ shorter, all }) => shorter > all / 2),
        `Shorter than supported: ${texts.join(", ")}.`,
      );
    },
  },
  {
    id: "N12",
    source: "contributions; figures 7 and 8",
    kind: "paper",
    quote:
      "increasing the number of needles to retrieve concurrently has a relatively limited effect on stronger models",
    statement: "The number of needles to find at a time matters little to strong models.",
    check: ({ published }) => ({ verdict: "cannot tell", observed: compareNeedles(published) }),
  },
  {
    id: "N13",
    source: "evaluation",
    kind: "paper",
    quote:
      "for tasks requiring k values as answers, we only evaluate the top k answers provided by the models, ignoring any other additional answers",
    statement: "Where k values are asked for, the first k answers count and the others do not.",
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
    kind: "paper",
    quote:
      "for most models, we repeat each experiment on 5 different sets of haystacks … in some cases, only 1 repeat was feasible due to rate limit restrictions",
    statement: "Most experiments have 5 repeats, and some 1.",
    check: countRepeats,
  },
];

function compareNeedles(published: ThreadingPublished): string {
  const at128k = (task: "single_needle" | "multiple_needles", model: string): number | undefined =>
    curvesOf(published, task).get(model)?.find(({ length }) => length === 128_000)?.score;
  const pairs = modelsOf(published.scores).flatMap((model): [string, number][] => {
    const [single, multiple] = [at128k("single_needle", model), at128k("multiple_needles", model)];
    return single === undefined || multiple === undefined || single < STRONG ? [] : [[model, multiple - single]];
  });
  const signed = pairs.map(([model, change]) => `${model} ${change > 0 ? "+" : ""}${change.toFixed(1)}`).join(", ");
  return "Scores by number of needles were not published. The mean over 2 to 25 needles less the score of one needle, at 128K, " +
    `of the models with ${STRONG} or more there: ${signed}.`;
}

function countRepeats({ published }: ThreadingEvidence): Finding {
  const counts = Map.groupBy(published.repeats, ({ repeats }) => repeats);
  const sizeOf = (repeats: number): number => counts.get(repeats)?.length ?? 0;
  const between = [2, 3, 4].reduce((sum, repeats) => sum + sizeOf(repeats), 0);
  const all = published.repeats.length;
  return decided(
    sizeOf(5) > all / 2 && sizeOf(1) > 0,
    `Of ${all} cells (model, task and size) ${sizeOf(5)} have 5 repeats, ${
      sizeOf(1)
    } have 1, and ${between} have 2 to 4, of which ` +
      "the text does not speak.",
  );
}
