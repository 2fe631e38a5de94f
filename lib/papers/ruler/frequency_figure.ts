import { zeta } from "@/lib/benchmarks/ruler/mod.ts";
import { type Figure, lineChart, panels } from "@/lib/figures/mod.ts";

/** The ranks that the second panel shows. */
const RANKS = 100;

/**
 * Draws Figure 1 of the RULER paper from its formulas: the occurrences of words in the two aggregation tasks, by rank.
 *
 * @param options The uncommon words of the first panel; the number of words N and the exponents, each above 1, of the second.
 */
export function frequencyFigure(
  { uncommon, words, alphas }: {
    readonly uncommon: number;
    readonly words: number;
    readonly alphas: readonly number[];
  },
): Figure {
  const shared = {
    x: "rank",
    y: "frequency",
    xTitle: "Rank of the word",
    yTitle: "Occurrences",
    origin: "published",
    caption: "Occurrences by rank.",
    height: 220,
  } as const;
  const common = lineChart(listRanks(10 + uncommon, (rank) => rank <= 10 ? 30 : 3), {
    ...shared,
    xSpacing: "linear",
    title: "Common words extraction",
    n: `10 common and ${uncommon} other words`,
  });
  const byAlpha = alphas.flatMap((alpha) => {
    const scale = words / zeta(alpha);
    return listRanks(RANKS, (rank) => rank ** -alpha * scale).map((row) => ({ ...row, alpha: `α = ${alpha}` }));
  });
  const frequent = lineChart(byAlpha, {
    ...shared,
    xSpacing: "log",
    ySpacing: "log",
    series: "alpha",
    seriesTitle: "Exponent",
    palette: "viridis",
    title: "Frequent words extraction",
    n: `N = ${words.toLocaleString("en-US")} words, before rounding down`,
  });
  return panels([common, frequent], {
    title: "Word frequencies of the two aggregation tasks, by rank",
    caption:
      "Figure 1 of the paper, from its formulas (section 3.3). Left: common words appear 30 times, all others 3 times. Right: rank k appears k^-α N/ζ(α) times; rank 1 is the noise, which is not asked for.",
  });
}

function listRanks(
  count: number,
  frequencyOf: (rank: number) => number,
): readonly { readonly rank: number; readonly frequency: number }[] {
  return Array.from({ length: count }, (_, place) => ({ rank: place + 1, frequency: frequencyOf(place + 1) }));
}
