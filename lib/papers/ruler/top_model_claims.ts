import { type RulerPublished, stemOf } from "./published.ts";
import { cannotTell, decided, type Finding, listed, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** The factor of "much larger". */
const MUCH = 2;
/** Billions of parameters that Mixtral uses for a token (Jiang et al. 2024, arXiv 2401.04088, abstract). */
const MIXTRAL_ACTIVE = 13;
const SIZES = "section 4; Tables 3 and 4";

/** Claims of the RULER paper about its best open-source models, checked on the ranks of Table 3 and the sizes of Table 4. */
export const TOP_MODEL_CLAIMS: readonly PublishedClaim<RulerPublished>[] = [
  {
    id: "R32",
    source: SIZES,
    quote:
      "The top three ranked open-source models, Command-R, Yi-34B and Mixtral, […] are larger in parameter size than other models",
    statement:
      "The three open-source models that rank first are the largest of the ten (our measure: by all of their parameters, 8x7B as 56 billion).",
    expected: "holds",
    check: (published) => compareSizes(published, { times: 1 }),
  },
  {
    id: "R32-much",
    source: "section 6, model size; Tables 3 and 4",
    quote: "The top models in our main results are much larger than other models",
    statement: `They are much larger (our measure: each has at least ${MUCH} times as many parameters as any other).`,
    expected: "holds",
    check: (published) => compareSizes(published, { times: MUCH }),
  },
  {
    id: "R32-active",
    source: SIZES,
    statement: "They are the largest also by the parameters that are used for a token.",
    expected: "fails",
    check: (published) => compareSizes(published, { times: 1, ofMixtral: MIXTRAL_ACTIVE }),
  },
  {
    id: "R32-rope",
    source: "section 4; Table 3",
    quote:
      "The top three ranked open-source models, Command-R, Yi-34B and Mixtral, all use a large base frequency in RoPE",
    statement: "The three open-source models that rank first all use a large base frequency in RoPE.",
    expected: "cannot tell",
    check: ({ rows }) => {
      const lwm = rows.find(({ edition, table, model }) => edition === "v1" && table === 3 && model.startsWith("LWM"))!;
      const { rankIncreasing, rankDecreasing } = lwm.printed;
      return cannotTell(
        `The paper prints no base frequencies. They alone do not distinguish the three: LWM-1M has one of 50 million (its README) ` +
          `and ranks ${rankIncreasing} and ${rankDecreasing} of ten.`,
      );
    },
  },
];

/** Checks that the three open-source models with the best ranks are each `times` as large as any other. */
function compareSizes(
  { rows, models }: RulerPublished,
  { times, ofMixtral }: { readonly times: number; readonly ofMixtral?: number },
): Finding {
  const ranked = rows.filter(({ edition, table }) => edition === "v1" && table === 3)
    .map(({ model, printed }) => {
      const name = stemOf(model);
      const size = models.find((one) => one.model === name)!.size;
      return {
        name,
        size: name === "Mixtral" && ofMixtral !== undefined ? ofMixtral : parametersOf(size),
        rank: Math.max(printed.rankIncreasing!, printed.rankDecreasing!),
      };
    })
    .filter((one): one is typeof one & { readonly size: number } => one.size !== null)
    .toSorted((left, right) => left.rank - right.rank);
  const [top, others] = [ranked.slice(0, 3), ranked.slice(3)];
  const smallest = top.reduce((least, next) => next.size < least.size ? next : least);
  const largest = others.reduce((most, next) => next.size > most.size ? next : most);
  const is = times === 1 ? smallest.size > largest.size : smallest.size >= times * largest.size;
  return decided(
    is,
    `In billions: ${
      listed(top.map(({ name, size }) => [name, size]))
    }; the largest of the ${others.length} others is ` +
      `${largest.name} with ${largest.size}, and ${smallest.name} has ${
        (smallest.size / largest.size).toFixed(1)
      } times as many. ` +
      "GPT-4's size is not public.",
  );
}

/** Billions of parameters of a size such as `34B` or `8x7B`; `null` where none is printed. */
function parametersOf(size: string): number | null {
  const [, experts = "1", billions] = /^(?:(\d+)x)?([\d.]+)B$/.exec(size) ?? [];
  return billions === undefined ? null : Number(experts) * Number(billions);
}
