import { LINKAGES } from "./clustering.ts";
import { type CategoryCluster, categoryClusters, type CorrelationStudy } from "./correlation_study.ts";
import { cannotTell, decidedByCases, type Finding, notAsked, type PublishedClaim } from "@/lib/statistics/mod.ts";

/** The scores of fewer models mostly move with the length alone. */
const LEAST_MODELS = 5;

const NAMES: Readonly<Record<string, string>> = {
  NIAH: "the needles",
  VT: "variable tracking",
  AG: "aggregation",
  QA: "question answering",
};

const COUNTS = ["none", "one", "two", "three", "four", "five", "six", "seven"];

/** Returns a sentence on the categories that form clusters, and the number of linkages. */
export function clusterSentence(study: CorrelationStudy): string {
  const unmet = whatIsMissing(study);
  if (unmet !== undefined) return unmet.observed;
  const found = categoryClusters(study).filter(({ size }) => size > 1);
  const never = found.filter(({ linkages }) => linkages === 0);
  const counts = [...Map.groupBy(found, ({ linkages }) => linkages)].filter(([count]) => count > 0)
    .toSorted(([left], [right]) => right - left);
  const [first, ...others] = counts.map(([count, those]) => ({
    subject: listOf(those.map(nameOf)),
    verb: isPlural(those) ? "form clusters" : "forms a cluster",
    linkages: `under ${count === LINKAGES.length ? "every linkage" : `${COUNTS[count]} of ${COUNTS[LINKAGES.length]}`}`,
  }));
  if (first === undefined) return "No category forms a cluster under any linkage.";
  const start = `${first.subject[0]!.toUpperCase()}${first.subject.slice(1)} ${first.verb} ${first.linkages}`;
  const more = others.map(({ subject, linkages }) => `, ${subject} ${linkages}`).join("");
  const rest = never.length === 0 ? "" : `; ${listOf(never.map(nameOf))} never ${isPlural(never) ? "do" : "does"}`;
  return `${start}${more}${rest}.`;
}

/** Returns the answer to whether the categories form clusters, with what speaks for them if only some do. */
export function clusterAnswer(study: CorrelationStudy): string {
  const sentence = clusterSentence(study);
  if (whatIsMissing(study) !== undefined) return sentence;
  const found = categoryClusters(study).filter(({ size }) => size > 1);
  if (found.every(({ linkages }) => linkages === LINKAGES.length)) return `Yes. ${sentence}`;
  const verdict = found.some(({ linkages }) => linkages > 0) ? "Only in part" : "No";
  return `${verdict}: ${sentence[0]!.toLowerCase()}${sentence.slice(1)} ${resemblanceSentence(study)}`;
}

function nameOf({ category }: CategoryCluster): string {
  return NAMES[category] ?? category;
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(names);
}

function isPlural(those: readonly CategoryCluster[]): boolean {
  return those.length > 1 || those[0]!.category === "NIAH";
}

/** Returns what speaks for the categories: the correlations within them and between them. */
function resemblanceSentence(study: CorrelationStudy): string {
  const found = categoryClusters(study).filter(({ size, between }) => size > 1 && between !== null);
  const higher = found.filter(({ within, between }) => within! > between!);
  const where = higher.length === found.length ? "every category" : `${higher.length} of ${found.length} categories`;
  return `But tasks resemble their own category more than others in ${where}.`;
}

const APPENDIX_C = "appendix C; Figure 5";

const CLAIMS: readonly PublishedClaim<CorrelationStudy>[] = [
  {
    id: "R28-clusters",
    source: APPENDIX_C,
    quote:
      "tasks in each of the four categories (NIAH, VT, AG, QA) form cohesive clusters of their own without redundancy",
    statement:
      "Each of the four categories forms a cluster of its own (our measure: by every linkage some cluster holds exactly its tasks; open if only some linkages have one).",
    expected: "fails",
    quantifier: { of: "all", word: "each of" },
    check: (study) => {
      const found = categoryClusters(study).filter(({ size }) => size > 1);
      if (found.length < 2) return notAsked("It takes two categories with several tasks each.");
      const agrees = found.map(({ linkages }) => linkages === LINKAGES.length || (linkages === 0 ? false : null));
      return decidedByCases(agrees, `${clusterSentence(study)} ${resemblanceSentence(study)}`);
    },
  },
  {
    id: "R28-redundant",
    source: APPENDIX_C,
    quote: "We further eliminate a few tasks that correlate highly with other tasks within the same cluster",
    statement:
      "The removed tasks correlate highly with others of their cluster (our measure: each is more similar to a kept task of its own category than to any of another).",
    expected: "cannot tell",
    quantifier: { of: "all", word: "tasks that" },
    check: checkRemoved,
  },
];

function checkRemoved({ tasks, matrix, kept, categories, tolerance }: CorrelationStudy): Finding {
  const removed = tasks.filter((task) => !kept.includes(task));
  if (removed.length === 0) return notAsked("None of the removed tasks was asked.");
  const nearest = removed.map((task) => {
    const row = matrix[tasks.indexOf(task)]!;
    const others = kept.map((other) => ({ other, r: row[tasks.indexOf(other)]! }))
      .toSorted((left, right) => right.r - left.r);
    const own = others.find(({ other }) => categories[other] === categories[task]);
    const foreign = others.find(({ other }) => categories[other] !== categories[task]);
    const lead = own === undefined || foreign === undefined ? 0 : own.r - foreign.r;
    const isClear = Math.abs(lead) > 2 * tolerance && lead !== 0;
    return { task, agrees: isClear ? lead > 0 : null, best: others[0] };
  });
  const texts = nearest.map(({ task, best }) => `${task}: ${best?.other} (${best?.r.toFixed(2)})`);
  const open = nearest.filter(({ agrees }) => agrees === null).map(({ task }) => task);
  const why = open.length === 0 || tolerance === 0 ? "" : ` Open: ${open.join(", ")}, as numbers were not ` +
    `published: the colours give correlations to ${tolerance.toFixed(3)}.`;
  return decidedByCases(nearest.map(({ agrees }) => agrees), `${texts.join("; ")}.${why}`);
}

/** Claims of appendix C of the RULER paper about tasks and their categories, checked on its figure or on runs of several models. */
export const CORRELATION_CLAIMS: readonly PublishedClaim<CorrelationStudy>[] = CLAIMS.map((claim) => ({
  ...claim,
  check: (study) => whatIsMissing(study) ?? claim.check(study),
}));

function whatIsMissing({ tasks, kept, models }: CorrelationStudy): Finding | undefined {
  if (tasks.length === 0) return cannotTell("Too little to correlate: no two tasks have a correlation.");
  if (kept.length === 0) return notAsked("None of the kept tasks was asked.");
  if (models < LEAST_MODELS) {
    return notAsked(`It takes the scores of ${LEAST_MODELS} models, and these are of ${models}.`);
  }
  return undefined;
}
