import { valueMatch } from "@/lib/scorers/mod.ts";
import { decided, listed } from "../_claim_words.ts";
import type { Claim, Finding } from "../claims.ts";
import { curvesOf, limitsOf, modelsOf, type ThreadingEvidence } from "./_threading_words.ts";
import { PUBLISHED_THREADING_TASKS, type ThreadingPublished } from "./published_threading.ts";

/** What is taken for doing well, in percent. */
const WELL = 95;
const EXCEPTIONS = ["GPT-4o", "Jamba 1.5 Large"] as const;
/** What is taken for significantly shorter, in percent of what a model takes. */
const HALF = 50;
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
      `At short contexts models do well, and in most cases worse at long ones (our measure: every model finds ${WELL}% at 1.2K; more than half score lower at their largest size, the two exceptions not among them).`,
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
    kind: "paper",
    quote: "GPT-4o and Jamba-1.5 Large, which attain perfect scores throughout",
    statement: "GPT-4o and Jamba 1.5 Large have perfect scores on single needles at every size.",
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
  // The translation of the paper has "deeper into the context"; its repository, and Liu et al. whom it cites, have the middle.
  {
    id: "N9",
    source: "key insights of its repository; figure 5",
    kind: "paper",
    quote:
      "at long context lengths, the retrieval precision of frontier LLMs decreases towards the middle of the context",
    statement: "With long contexts needles in the middle are found less often.",
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
      "many models are remarkably threadsafe: capable of simultaneously following multiple threads without significant loss in performance",
    statement: "Many models lose little accuracy by following several threads at a time.",
    check: ({ published }) => {
      const falls = modelsOf(published.threadSafety).map((model) => {
        const [few, many] = published.threadSafety.filter((point) => point.model === model);
        return [model, few!.score - many!.score] as const;
      });
      return {
        verdict: "cannot tell",
        observed: "Scores by number of threads were not printed. A figure shows " +
          `${falls.length} of the ${modelsOf(published.scores).length} models; read by eye, to about 3 points, ` +
          `they lose from 2 to 25 threads: ${listed(falls)}. A run here can tell it of a model.`,
      };
    },
  },
  {
    id: "N11",
    source: "abstract; contributions; table 2",
    kind: "paper",
    quote:
      "for many models, we find the effective context limit is significantly shorter than the supported context length",
    statement:
      `For many models the effective limit is significantly shorter than the supported one (our measure: for more than half of Table 2's models it is ${HALF}% of it or less on most of the five tasks).`,
    check: ({ published }) => {
      const short = published.limits.filter(({ percent }) => percent <= HALF);
      const models = modelsOf(published.limits);
      const many = models.filter((name) =>
        short.filter(({ model }) => model === name).length > PUBLISHED_THREADING_TASKS.length / 2
      );
      const texts = PUBLISHED_THREADING_TASKS.map((task) =>
        `${task.replace("_", " ")} ${short.filter((row) => row.task === task).length}, at best ${
          Math.max(...limitsOf(published, task).map(({ percent }) => percent))
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
    statement:
      "For most models experiments have 5 repeats, and in some cases 1 (our measure: for more than half of the models, most of their cells of task and size have 5).",
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
  const sizeOf = (repeats: number, cells = published.repeats): number =>
    cells.filter((cell) => cell.repeats === repeats).length;
  const models = [...Map.groupBy(published.repeats, ({ model }) => model).values()];
  const most = models.filter((cells) => sizeOf(5, cells) > cells.length / 2);
  const between = [2, 3, 4].reduce((sum, repeats) => sum + sizeOf(repeats), 0);
  return decided(
    most.length > models.length / 2 && sizeOf(1) > 0,
    `${most.length} of ${models.length} models have 5 repeats in most of their cells. Of all ${published.repeats.length} cells ${
      sizeOf(5)
    } have 5, ${sizeOf(1)} have 1, and ${between} have 2 to 4, of which the text does not speak.`,
  );
}
