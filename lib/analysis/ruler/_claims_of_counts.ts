import type { AblationEvidence } from "./ablation_claims.ts";
import type { Claim } from "../claims.ts";
import { below, byKnob, cannotTell, fromTo, lineNamed, longestShared, panelOf } from "./_line_findings.ts";
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
    statement:
      "A context of nothing but needles costs about 40 points (our measure of about: 30 to 50, at the longest length).",
    check: ({ lines }) => below(lines, ["#K=1", "#K=FULL"], { atLeast: 30, atMost: 50 }),
  },
  {
    id: "R13-near",
    source: "section 5, distractors",
    kind: "paper",
    quote: "In the extreme version, Yi often returns values from the vicinity of the target",
    statement:
      "In a context of nothing but needles, the wrong value is often that of a needle near the target (our measure: nearer " +
      "than needles picked at random, on average).",
    check: ({ replies }) => distanceOf(replies, "niah_multikey_2"),
  },
  {
    id: "R14",
    source: `${FIGURE_2}, middle left`,
    kind: "paper",
    quote: "increasing the number of distracting needles steadily lowers performance",
    statement:
      "More distracting needles steadily lower the score (our measure: 1, 4, 8 and nothing but needles stand in this order " +
      "at every length).",
    check: ({ lines }) => ordered(keyLines(lines)),
  },
  {
    id: "R14-longest",
    source: `${FIGURE_2}, middle left`,
    kind: "check",
    statement: "More distracting needles steadily lower the score at the longest length alone.",
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
      "Asking for 8 keys instead of 1 costs about 15 points (our measure of about: 10 to 20, at the longest length).",
    check: ({ lines }) => below(lines, ["#Q=1", "#Q=8"], { atLeast: 10, atMost: 20 }),
  },
  {
    id: "R16",
    source: `${FIGURE_2}, middle right`,
    kind: "paper",
    quote:
      "we notice significant degradation in performance when the model needs to retrieve multiple items from a long input",
    statement:
      "Several items are returned worse than one from a long input (our measure: eight values of one key are below one at " +
      "the longest length, beyond chance).",
    check: ({ lines }) => below(lines, ["#V=1", "#V=8"], { atLeast: 0 }),
  },
  {
    id: "R16-length",
    source: `${FIGURE_2}, middle right`,
    kind: "check",
    statement: "Eight values of one key are harder to return from the longest input than from the shortest.",
    check: ({ lines }) => fromTo(lineNamed(lines, "#V=8"), 0),
  },
  {
    id: "R16-repeats",
    source: "section 5, incomplete information",
    kind: "paper",
    quote:
      "When the model needs to retrieve multiple values associated with the same key […], Yi often outputs duplicated answers without returning the complete set of values",
    statement:
      "Asked for several values of one key, the model often repeats one in place of another (our measure: in 10% of replies " +
      "or more).",
    check: ({ replies }) => countMode(replies, { class: "repeated answer", tasks: /^niah_(multi)?value/, atLeast: 10 }),
  },
];

function keyLines(lines: AblationEvidence["lines"]): AblationEvidence["lines"] {
  // The haystack of UUIDs is another kind of needle.
  const sameNeedles = panelOf(lines, "keys").filter(({ series }) => !series.includes("K=U"));
  return byKnob(sameNeedles, (series) => series.endsWith("FULL") ? Infinity : Number(series.replace("#K=", "")));
}
