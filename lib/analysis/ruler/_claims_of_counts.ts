import type { AblationEvidence } from "./ablation_claims.ts";
import type { Claim } from "../claims.ts";
import { differenceInterval } from "../intervals/difference_interval.ts";
import { lengthText } from "../length_text.ts";
import {
  allOf,
  at,
  below,
  byKnob,
  cannotTell,
  fromTo,
  judge,
  lineNamed,
  longestShared,
  panelOf,
  written,
} from "./_line_findings.ts";
import { ordered } from "./_order_finding.ts";
import { countMode, distanceOf } from "./_reply_findings.ts";

const FIGURE_2 = "section 5; Figure 2";

/** Claims about how many needles there are, and how many are asked for. */
export const CLAIMS_OF_COUNTS: readonly Claim<AblationEvidence>[] = [
  {
    id: "R13",
    source: `${FIGURE_2}, middle left`,
    kind: "paper",
    quote:
      "Yi dropping by ∼40 points at 256K in the extreme version, where the context is full of irrelevant needles (#K=FULL)",
    statement: "A context of nothing but needles costs 30 points or more at the longest length (the paper says 40).",
    check: ({ lines }) => below(lines, ["#K=1", "#K=FULL"], 30),
  },
  {
    id: "R13-near",
    source: "section 5, distractors",
    kind: "paper",
    quote: "In the extreme version, Yi often returns values from the vicinity of the target",
    statement: "In a context of nothing but needles, the wrong value is often that of a needle near the target.",
    check: ({ replies }) => distanceOf(replies, "niah_multikey_2"),
  },
  {
    id: "R14",
    source: `${FIGURE_2}, middle left`,
    kind: "paper",
    quote: "increasing the number of distracting needles steadily lowers performance",
    statement: "More distractor keys steadily lower the score: 1, 4, 8 and nothing but needles, at every length.",
    check: ({ lines }) => ordered(keyLines(lines)),
  },
  {
    id: "R14-longest",
    source: `${FIGURE_2}, middle left`,
    kind: "check",
    statement: "The same at the longest length alone.",
    check: ({ lines }) => {
      const keys = keyLines(lines);
      const longest = longestShared(keys);
      return longest === null ? cannotTell("No length was asked with every number of keys.") : ordered(keys, [longest]);
    },
  },
  {
    id: "R15",
    source: `${FIGURE_2}, right`,
    kind: "paper",
    quote: "increasing the number of queries from 1 to 8 drops the performance by ∼15 points",
    statement:
      "Asking for eight keys instead of one costs 10 points or more at the longest length (the paper says 15).",
    check: ({ lines }) => below(lines, ["#Q=1", "#Q=8"], 10),
  },
  {
    id: "R16",
    source: `${FIGURE_2}, middle right`,
    kind: "paper",
    quote:
      "we notice significant degradation in performance when the model needs to retrieve multiple items from a long input",
    statement:
      "The values of one key are returned incompletely: eight cost 5 points or more against one, at every length.",
    check: ({ lines }) => {
      const [one, eight] = [lineNamed(lines, "#V=1"), lineNamed(lines, "#V=8")];
      if (one === undefined || eight === undefined) return cannotTell("One and eight values were not both asked for.");
      const gaps = eight.points.flatMap((point) => {
        const other = at(one, point.length);
        return other === undefined ? [] : [{ length: point.length, gap: differenceInterval(other, point) }];
      });
      if (gaps.length === 0) return cannotTell("No length was asked of both.");
      const least = gaps.reduce((best, next) => next.gap.score < best.gap.score ? next : best);
      return {
        verdict: allOf(gaps.map(({ gap }) => judge(gap, 5))),
        observed: `The least loss at ${gaps.length} lengths is ${written(least.gap)}, at ${lengthText(least.length)}.`,
      };
    },
  },
  {
    id: "R16-length",
    source: `${FIGURE_2}, middle right`,
    kind: "check",
    statement: "Eight values of one key are harder to return from long inputs than from short ones.",
    check: ({ lines }) => fromTo(lineNamed(lines, "#V=8"), 0),
  },
  {
    id: "R16-repeats",
    source: "section 5, incomplete information",
    kind: "paper",
    quote:
      "When the model needs to retrieve multiple values associated with the same key […], Yi often outputs duplicated answers without returning the complete set of values",
    statement:
      "Asked for the values of one key, the model often (in 10% of replies or more) repeats one in place of another.",
    check: ({ replies }) => countMode(replies, { class: "repeated answer", tasks: /^niah_(multi)?value/, atLeast: 10 }),
  },
];

function keyLines(lines: AblationEvidence["lines"]): AblationEvidence["lines"] {
  // The haystack of UUIDs is another kind of needle.
  const sameNeedles = panelOf(lines, "keys").filter(({ series }) => !series.includes("K=U"));
  return byKnob(sameNeedles, (series) => series.endsWith("FULL") ? Infinity : Number(series.replace("#K=", "")));
}
