import { lengthText, rangeText } from "@/lib/base/mod.ts";
import { judge, scoreText } from "./line_findings.ts";
import { openPublished, type PublishedRow } from "./published.ts";
import { RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/tasks.ts";
import {
  cannotTell,
  type Claim,
  decided,
  decidedByCases,
  decidedByDifference,
  differenceInterval,
  effectiveLengthBoard,
  type Finding,
  lengthMeans,
  listed,
  meanOfRows,
  notAsked,
  type PublishedClaim,
  RULER_THRESHOLD,
  type RunEvidence,
  scoredRows,
  type Verdict,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** The least score of "nearly perfect", and the least of "large" drops, in points. */
const [NEARLY_PERFECT, LARGE_FALL] = [95, 10];
const AT_32K = 32_768;
const TOP_MODELS = ["GPT-4", "Command-R", "Yi", "Mixtral"];
/** Passkey retrieval and vanilla needles. */
const NEEDLES = ["niah_single_1", "niah_single_2"];

/** The scores of a model on a task by length, from a table or a run. */
export interface ScoreCurve extends Pick<PublishedRow, "model" | "scores" | "threshold"> {
  readonly task: string;
  /** The claimed context length in tokens; `null` if unknown. */
  readonly claimedWindow: number | null;
}

/**
 * Claims of the RULER paper (arXiv 2404.06654v1) about each model of its Tables 3, 10 and 11, decided only if the 95% intervals leave no
 * doubt.
 *
 * RULER's claims quote the paper without its references; […] marks other omissions. Three of its words have one measure in all
 * claims: "large" is 10 points or more, "significant" is beyond chance (a 95% interval without 0), and "nearly" or "almost perfect"
 * is 95 or more.
 */
const MODEL_CLAIMS: readonly PublishedClaim<readonly ScoreCurve[]>[] = [
  {
    id: "R2",
    source: "sections 1 and 4; Table 3",
    quote: "almost all models fall below the threshold before reaching the claimed context lengths",
    quantifier: { of: "most", word: "almost all" },
    statement:
      "Almost all models, in section 4 all but Mixtral, fall below the threshold before their claimed length: their effective length is shorter.",
    expected: "mostly holds",
    check: checkEffectiveLengths,
  },
  {
    id: "R10",
    source: "section 4 and appendix E; Tables 10 and 11",
    quote: "Despite achieving nearly perfect performance on the passkey retrieval and the vanilla NIAH task",
    statement:
      `Passkey retrieval and vanilla needles are nearly perfect (our measure: ${NEARLY_PERFECT} or more on average over both, the models and the lengths up to their claimed ones).`,
    expected: "holds",
    check: checkNeedles,
  },
  {
    id: "R11",
    source: "abstract, sections 4 and 7; Table 3",
    quote: "all models exhibit large performance drops as the context length increases",
    quantifier: { of: "all", word: "all" },
    statement:
      `All models show large drops as the length increases (our measure: ${LARGE_FALL} points or more of the mean of 13 tasks, from the shortest to the longest length).`,
    expected: "holds",
    check: checkFalls,
  },
];

/** The claims about Tables 3, 10 and 11. */
export const LEADERBOARD_CLAIMS: readonly PublishedClaim<readonly ScoreCurve[]>[] = [
  {
    id: "R1",
    source: "abstract, sections 1 and 4; Table 3",
    quote:
      "While these models all claim context sizes of 32K tokens or greater, only four models (GPT-4, Command-R, Yi-34B, and Mixtral) can maintain satisfactory performance at the length of 32K.",
    quantifier: { of: "all", word: "all" },
    statement:
      "The models all claim 32K or more, but only four, GPT-4, Command-R, Yi-34B and Mixtral, pass the threshold at 32K.",
    expected: "holds",
    check: checkFour,
  },
  ...MODEL_CLAIMS,
];

/** The claims that a run of one model can be asked. */
export const RUN_CLAIMS: readonly Claim<RunEvidence>[] = MODEL_CLAIMS.map(({ expected: _, check, ...claim }) => (
  { ...claim, check: (run) => check(curvesOfRun(run)) }
));

/** Reads the scores of the edition that makes the claims: those of its aligned models. */
export async function openCurves(): Promise<readonly ScoreCurve[]> {
  return (await openPublished()).rows.filter(({ edition, aligned }) => edition === "v1" && aligned);
}

function curvesOfRun({ rows, claimedLength }: RunEvidence): readonly ScoreCurve[] {
  const all = [...lengthMeans(rows, { groups: RULER_GROUPS.slice(0, 1) }), ...rows];
  return [RULER_OVERALL, ...NEEDLES].map((task) => (
    {
      model: "the model",
      task,
      claimedWindow: claimedLength,
      threshold: RULER_THRESHOLD,
      scores: scoredRows(all, task),
    }
  )).filter(({ scores }) => scores.length > 0);
}

function meansOf(curves: readonly ScoreCurve[]): readonly ScoreCurve[] {
  return curves.filter(({ task }) => task === RULER_OVERALL);
}

/** Returns the scores up to the claimed length. */
function withinClaim({ scores, claimedWindow }: Pick<ScoreCurve, "scores" | "claimedWindow">): ScoreCurve["scores"] {
  return scores.filter(({ length }) => length <= (claimedWindow ?? Infinity));
}

/** Returns sentences on the models that keep a score up to the window that they claim, and on the points that all lose. */
export function windowText(curves: readonly ScoreCurve[], threshold: number): string {
  const kept = curves.filter((curve) => (withinClaim(curve).at(-1)?.score ?? 0) >= threshold).length;
  const lost = curves.map(({ scores }) => scores[0]!.score - scores.at(-1)!.score);
  const few = 2 * kept < curves.length ? "Most" : "Some";
  const opening = kept === curves.length ? "All use what they claim: " : `${few} use less than they claim: `;
  const some = kept === 0 ? "none" : String(kept);
  const verb = kept === 1 ? "stays" : "stay";
  const points = rangeText(lost, (each) => each.toFixed(0));
  return `${opening}${some} of ${curves.length} models ${verb} above RULER's pass mark up to the claimed context length. ` +
    `The pass mark is ${threshold}. From the shortest length to the longest, the models lose ${points} points.`;
}

/** Counts the models that claim 32K and those that pass at 32K, and describes how certain the closest decision is. */
function checkFour(curves: readonly ScoreCurve[]): Finding {
  const found = meansOf(curves).map(({ model, scores, threshold, claimedWindow }) => (
    { model, claimedWindow, limit: threshold!, at: scores.find(({ length }) => length === AT_32K)! }
  ));
  const claims = found.filter(({ claimedWindow }) => claimedWindow! >= AT_32K).length;
  const pass = found.filter(({ at, limit }) => at.score >= limit);
  const isRight = TOP_MODELS.length === pass.length &&
    TOP_MODELS.every((name) => pass.some(({ model }) => model.startsWith(name)));
  const marginOf = ({ at, limit }: typeof found[number]): number => Math.abs(at.score - limit);
  const [closest] = found.toSorted((left, right) => marginOf(left) - marginOf(right));
  return decided(
    claims === found.length && isRight,
    `${claims} of ${found.length} claim at least 32K; at 32K these reach ${RULER_THRESHOLD}: ${
      listed(pass.map(({ model, at }) => [model, at.score]))
    }. The closest is ${closest!.model}, with the interval of 500 samples a task ${scoreText(closest!.at)}.`,
  );
}

/** Checks that the effective length of each model is shorter than the claimed one. */
function checkEffectiveLengths(curves: readonly ScoreCurve[]): Finding {
  const means = meansOf(curves);
  if (means.length === 0) return cannotTell("No length has a score on all 13 tasks.");
  const found = means.map(({ model, scores, threshold, claimedWindow }) => {
    if (claimedWindow === null) return { isShorter: null, text: `${model}: the claimed length is not known` };
    const [row] = effectiveLengthBoard([{ model, rows: scores, threshold: threshold! }]);
    const longest = scores.at(-1)!.length;
    const possible = row!.lengths.filter(({ isPossible }) => isPossible);
    // Subtle: passing at the longest tested length decides nothing about a claim beyond it.
    const isShort = (length: number | null): boolean =>
      length === null || (length < claimedWindow && (length < longest || longest >= claimedWindow));
    const verdict = verdictOf(
      possible.every(({ length }) => isShort(length)),
      possible.every(({ length }) => (length ?? 0) >= claimedWindow),
    );
    const others = row!.isSettled ? "" : `, though ${row!.range} is possible`;
    return { isShorter: agreementOf(verdict), text: `${model} ${row!.found} of ${lengthText(claimedWindow)}${others}` };
  });
  const texts = found.map(({ text }) => text).join("; ");
  return decidedByCases(found.map(({ isShorter }) => isShorter), `Effective of claimed lengths: ${texts}.`);
}

function agreementOf(verdict: Verdict): boolean | null {
  return verdict === "cannot tell" ? null : verdict === "holds";
}

function checkNeedles(curves: readonly ScoreCurve[]): Finding {
  const needles = curves.filter((curve) => NEEDLES.includes(curve.task) && withinClaim(curve).length > 0);
  if (new Set(needles.map(({ task }) => task)).size < NEEDLES.length) {
    return cannotTell("Not both tasks have a score at such a length.");
  }
  const scores = needles.flatMap(withinClaim);
  const mean = meanOfRows(scores, scores.map(() => 1));
  const lowest = needles.map((curve) =>
    [`${curve.model} in ${curve.task}`, Math.min(...withinClaim(curve).map(({ score }) => score))] as const
  );
  const low = listed(lowest.filter(([, score]) => score < NEARLY_PERFECT));
  return {
    verdict: judge(mean, NEARLY_PERFECT),
    observed: `The mean is ${scoreText(mean)}; lowest scores below ${NEARLY_PERFECT}: ${low}.`,
  };
}

function checkFalls(curves: readonly ScoreCurve[]): Finding {
  const means = meansOf(curves).filter(({ scores }) => scores.length > 1);
  if (means.length === 0) return notAsked("Fewer than two lengths have a score on all 13 tasks.");
  const falls = means.map(({ model, scores }) => {
    const ends = [scores[0]!, scores.at(-1)!] as const;
    const fall = differenceInterval(...ends);
    return decidedByDifference(fall, `${model} ${scoreText(fall)}`, { scores: ends, bar: LARGE_FALL });
  });
  const within = means.map((curve) => {
    const [first] = curve.scores;
    return first!.score - (withinClaim(curve).at(-1) ?? first!).score;
  });
  return decidedByCases(
    falls.map(({ verdict }) => agreementOf(verdict)),
    `Points lost from the shortest to the longest length: ${falls.map(({ observed }) => observed).join(", ")}; ` +
      `within the claimed length ${rangeText(within, (points) => points.toFixed(1))}.`,
  );
}
