import type { AblationEvidence } from "./ablation_claims.ts";
import type { Claim } from "../claims.ts";
import { lengthText } from "../length_text.ts";
import { allOf, below, cannotTell, fall, judge, lineNamed, longestShared, panelOf, written } from "./_line_findings.ts";

// "Nearly perfect".
const NEARLY = 95;
/** A loss below this many points is none. */
const SMALL = 1;
const FIGURE_2 = "section 5; Figure 2";
const BEYOND = 131_072;

/** Claims about the types of needles. */
export const CLAIMS_OF_NEEDLES: readonly Claim<AblationEvidence>[] = [
  {
    id: "R12",
    source: `${FIGURE_2}, left`,
    kind: "paper",
    quote:
      "Yi achieves almost perfect performance when using needle of word-number pair in the standard passkey retrieval and vanilla NIAH",
    statement: `Passkeys and vanilla needles are found nearly perfectly (${NEARLY} or more) at every length.`,
    check: ({ lines }) => {
      const known = ["Passkey retrieval", "Vanilla NIAH"].flatMap((series) => lineNamed(lines, series) ?? []);
      const points = known.flatMap((line) => line.points);
      if (points.length === 0) return cannotTell("Neither was asked.");
      const worst = points.reduce((least, point) => point.score < least.score ? point : least);
      return {
        verdict: allOf(points.map((point) => judge(point, NEARLY))),
        observed: `The lowest of ${points.length} scores is ${written(worst)}, at ${lengthText(worst.length)}.`,
      };
    },
  },
  {
    id: "R12-types",
    source: `${FIGURE_2}, left`,
    kind: "paper",
    quote: "performance degrades when the needle takes other forms",
    statement:
      `Every other type of needle costs at least ${SMALL} point against the vanilla one at the longest length.`,
    check: ({ lines }) => {
      const vanilla = lineNamed(lines, "Vanilla NIAH");
      const others = panelOf(lines, "needle type").filter(({ series }) => /^K=/.test(series));
      if (vanilla === undefined || others.length === 0) return cannotTell("No other type was asked beside vanilla.");
      const losses = others.map((line) => ({ line, loss: fall(vanilla, line) })).filter(({ loss }) => loss !== null);
      if (losses.length === 0) return cannotTell("No length was asked of both.");
      const said = losses.map(({ line, loss }) => `${line.series} ${written(loss!)}`).join(", ");
      return {
        verdict: allOf(losses.map(({ loss }) => judge(loss!, SMALL))),
        observed: `Points lost at ${lengthText(longestShared([vanilla, ...others]) ?? 1)}: ${said}.`,
      };
    },
  },
  {
    id: "R12-uuids",
    source: `${FIGURE_2}, left`,
    kind: "paper",
    quote: "We observe the largest degradation in the task of retrieving UUIDs",
    statement: "The greatest loss is with UUIDs: keys and values that are UUIDs fall below those that are words.",
    check: ({ lines }) => below(lines, ["K=W, V=W", "K=U, V=U"], 0),
  },
  {
    id: "R12-values",
    source: `${FIGURE_2}, left`,
    kind: "paper",
    quote: "Yi sometimes fail to return the complete 32 digits given long (>128K) input context",
    statement:
      "It is the UUIDs returned that are incomplete beyond 128K, whatever the key: with words as keys they are lost too.",
    check: ({ lines }) => {
      const line = lineNamed(lines, "K=W, V=U");
      const beyond = line?.points.filter(({ length }) => length > BEYOND) ?? [];
      if (beyond.length === 0) return cannotTell("No UUID was asked for by a word beyond 128K.");
      const worst = beyond.reduce((least, point) => point.score < least.score ? point : least);
      const loss = { score: 100 - worst.score, low: 100 - worst.high, high: 100 - worst.low };
      return {
        verdict: judge(loss, SMALL),
        observed: `By a word, ${written(worst)} of UUIDs are returned whole at ${
          lengthText(worst.length)
        }, the worst of ${beyond.length} lengths beyond 128K.`,
      };
    },
  },
];
