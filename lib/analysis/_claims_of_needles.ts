import type { AblationEvidence } from "./ablation_claims.ts";
import type { Claim, Finding } from "./claims.ts";
import { differenceInterval } from "./difference_interval.ts";
import { lengthText } from "./length_text.ts";
import {
  allOf,
  at,
  byKnob,
  cannotTell,
  fall,
  fromTo,
  judge,
  lineNamed,
  longestShared,
  panelOf,
  written,
} from "./_line_findings.ts";
import { ordered } from "./_order_finding.ts";
import { countMode, distanceOf } from "./_reply_findings.ts";

// "Nearly perfect".
const NEARLY = 95;
/** A loss below this many points is none. */
const SMALL = 1;
const FIGURE_2 = "section 5; Figure 2";
const BEYOND = 131_072;

/** Claims about what is hidden, among what, and how much of it is asked for. */
export const CLAIMS_OF_NEEDLES: readonly Claim<AblationEvidence>[] = [
  {
    id: "R12",
    source: `${FIGURE_2}, left`,
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
    statement: "The greatest loss is with UUIDs: keys and values that are UUIDs fall below those that are words.",
    check: ({ lines }) => below(lines, ["K=W, V=W", "K=U, V=U"], 0),
  },
  {
    id: "R12-values",
    source: `${FIGURE_2}, left`,
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
  {
    id: "R13",
    source: `${FIGURE_2}, middle left`,
    statement: "A context of nothing but needles costs 30 points or more at the longest length (the paper says 40).",
    check: ({ lines }) => below(lines, ["#K=1", "#K=FULL"], 30),
  },
  {
    id: "R13-near",
    source: "section 5, distractors",
    statement: "In a context of nothing but needles, the wrong value is often that of a needle near the target.",
    check: ({ replies }) => distanceOf(replies, "niah_multikey_2"),
  },
  {
    id: "R14",
    source: `${FIGURE_2}, middle left`,
    statement: "More distractor keys steadily lower the score: 1, 4, 8 and nothing but needles, at every length.",
    check: ({ lines }) => ordered(keyLines(lines)),
  },
  {
    id: "R14-longest",
    source: `${FIGURE_2}, middle left`,
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
    statement:
      "Asking for eight keys instead of one costs 10 points or more at the longest length (the paper says 15).",
    check: ({ lines }) => below(lines, ["#Q=1", "#Q=8"], 10),
  },
  {
    id: "R16",
    source: `${FIGURE_2}, middle right`,
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
    statement: "Eight values of one key are harder to return from long inputs than from short ones.",
    check: ({ lines }) => fromTo(lineNamed(lines, "#V=8"), 0),
  },
  {
    id: "R16-repeats",
    source: "section 5, incomplete information",
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

/** Whether the second of two lines is so many points below the first at the longest length. */
function below(
  lines: AblationEvidence["lines"],
  [first, second]: readonly [string, string],
  atLeast: number,
): Finding {
  const [upper, lower] = [lineNamed(lines, first), lineNamed(lines, second)];
  if (upper === undefined || lower === undefined) return cannotTell(`${first} and ${second} were not both asked.`);
  const loss = fall(upper, lower);
  const longest = longestShared([upper, lower]);
  if (loss === null || longest === null) return cannotTell(`${first} and ${second} share no length.`);
  const [from, to] = [at(upper, longest)!, at(lower, longest)!];
  return {
    verdict: judge(loss, atLeast),
    observed: `At ${lengthText(longest)} ${first} scores ${from.score.toFixed(1)} and ${second} ${
      to.score.toFixed(1)
    }: a loss of ${written(loss)}.`,
  };
}
