import { linkageAgreement, type LinkageResult } from "./clustering.ts";
import type { CorrelationStudy } from "./correlation_study.ts";
import { allOf } from "./score_lines.ts";
import { cannotTell, type Finding, type PublishedClaim, sum, type Verdict } from "@/lib/statistics/mod.ts";

const APPENDIX_C = "appendix C; Figure 5";
/** The share of replicates from which a result is certain. */
const CERTAIN = 0.95;

const CLAIMS: readonly PublishedClaim<CorrelationStudy>[] = [
  {
    id: "R28",
    source: APPENDIX_C,
    quote:
      "Correlation heatmap among 18 tasks with diverse task configurations. We remove redundant tasks (in red) and only preserve 13 representative tasks in Ruler.",
    statement: "18 tasks were compared and 13 of them kept.",
    expected: "holds",
    check: ({ tasks, leftOut, kept }) => {
      const asked = tasks.length + leftOut.length;
      const gone = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
      const observed = `${asked} configurations, ${kept.length} of the kept ones among them.` +
        (gone === "" ? "" : ` Without a correlation: ${gone}.`);
      return { verdict: asked !== 18 ? "cannot tell" : kept.length === 13 ? "holds" : "fails", observed };
    },
  },
  {
    id: "R28-clusters",
    source: APPENDIX_C,
    quote:
      "tasks in each of the four categories (NIAH, VT, AG, QA) form cohesive clusters of their own without redundancy",
    statement:
      "Each of the four categories forms a cluster of its own (our measure: by every linkage some cluster holds exactly its tasks; open if only some linkages have one).",
    expected: "fails",
    check: checkClusters,
  },
  {
    id: "R28-redundant",
    source: APPENDIX_C,
    quote: "We further eliminate a few tasks that correlate highly with other tasks within the same cluster",
    statement:
      "The removed tasks correlate highly with others of their cluster (our measure: each is more similar to a kept task of its own category than to any of another).",
    expected: "cannot tell",
    check: ({ tasks, matrix, kept, categories, tolerance, stability }) => {
      const removed = tasks.filter((task) => !kept.includes(task));
      if (removed.length === 0) return cannotTell("None of the removed tasks was asked.");
      const nearest = removed.map((task) => {
        const row = matrix[tasks.indexOf(task)]!;
        const best = (wanted: (other: string) => boolean): { readonly task: string; readonly r: number } | null =>
          kept.filter(wanted).map((other) => ({ task: other, r: row[tasks.indexOf(other)]! }))
            .toSorted((left, right) => right.r - left.r)[0] ?? null;
        const own = best((other) => categories[other] === categories[task]);
        const foreign = best((other) => categories[other] !== categories[task]);
        // Without a kept task on both sides there is nothing to compare.
        const lead = own === null || foreign === null ? null : own.r - foreign.r;
        const share = stability?.tasks.find((other) => other.task === task)?.ownShare ?? null;
        const verdict = lead === null || Math.abs(lead) <= 2 * tolerance ? "cannot tell" : verdictOf(lead > 0, share);
        return { task, verdict, nearest: (lead ?? 0) >= 0 ? own ?? foreign : foreign };
      });
      const texts = nearest.map(({ task, nearest: best }) =>
        `${task}: ${best === null ? "none" : `${best.task} (${best.r.toFixed(2)})`}`
      );
      return { verdict: allOf(nearest.map(({ verdict }) => verdict)), observed: `${texts.join("; ")}.` };
    },
  },
  {
    id: "R28-same",
    source: APPENDIX_C,
    statement:
      "The middle tasks of the same number of clusters are the tasks that the paper keeps, whatever the linkage.",
    expected: "fails",
    check: checkKept,
  },
];

/** Claims of appendix C of the RULER paper about tasks and their categories, checked on its figure or on a run. */
export const CORRELATION_CLAIMS: readonly PublishedClaim<CorrelationStudy>[] = CLAIMS.map((claim) => ({
  ...claim,
  check: (study) =>
    study.tasks.length === 0
      ? cannotTell("Too little to correlate: no two tasks have a correlation.")
      : claim.check(study),
}));

function checkClusters(study: CorrelationStudy): Finding {
  const results = linkageAgreement(study);
  const kinds = [...new Set(study.tasks.map((task) => study.categories[task]!))];
  if (kinds.length < 2) return cannotTell("Only one category was asked.");
  const verdicts = kinds.map((kind): Verdict => {
    const share = study.stability?.categories.find(({ category }) => category === kind)?.ownShare ?? null;
    const own = results.filter((result) => result.own.includes(kind)).length;
    return own > 0 && own < results.length ? "cannot tell" : verdictOf(own > 0, share);
  });
  const texts = kinds.map((kind) => `${kind} by ${linkagesOf(results, (result) => result.own.includes(kind))}`);
  const shares = study.stability?.categories.map(({ category, ownShare }) =>
    `${category} ${(100 * ownShare).toFixed(0)}%`
  );
  const agreement = results.map(({ withCategories }) => withCategories);
  const [least, most] = [Math.min(...agreement), Math.max(...agreement)].map((index) => index.toFixed(2));
  return {
    verdict: allOf(verdicts),
    observed: `A cluster of its own: ${texts.join("; ")}. ` +
      `Adjusted Rand index of four clusters and the categories: ${least} to ${most}.` +
      (shares === undefined ? "" : ` Of its own in replicates, by average linkage: ${shares.join(", ")}.`),
  };
}

function checkKept(study: CorrelationStudy): Finding {
  const { kept, tasks } = study;
  const removed = tasks.length - kept.length;
  if (removed === 0 || kept.length === 0) return cannotTell("There is nothing to choose from.");
  const results = linkageAgreement(study);
  const same = results.map((result) => result.kept.filter((task) => kept.includes(task)).length);
  const whole = same.filter((count) => count === kept.length).length;
  const chance = ((kept.length * kept.length) / tasks.length).toFixed(1);
  const [fewest, most] = [Math.min(...same), Math.max(...same)];
  const texts = [
    `${fewest === most ? fewest : `${fewest} to ${most}`} of the ${kept.length} are the same, by linkage; ` +
    `${chance} would be by chance.`,
  ];
  const { stability } = study;
  if (stability !== null) {
    const overlap = sum(stability.tasks.map(({ task, keptShare }) => kept.includes(task) ? keptShare : 0));
    const all = (100 * stability.sameShare).toFixed(0);
    texts.push(`In replicates ${overlap.toFixed(1)} on average, and all of them in ${all}%.`);
  }
  const share = stability?.sameShare ?? null;
  return {
    verdict: whole > 0 && whole < results.length ? "cannot tell" : verdictOf(whole > 0, share),
    observed: texts.join(" "),
  };
}

function linkagesOf(results: readonly LinkageResult[], holds: (result: LinkageResult) => boolean): string {
  const names = results.filter(holds).map(({ linkage }) => linkage);
  if (names.length === results.length) return "every linkage";
  return names.length === 0 ? "none" : names.join(", ");
}

/**
 * Returns a verdict from the data and, if there are any, the share of replicates in which the claim holds. Replicates never show that a
 * claim fails: their noise breaks clusters, and in simulated studies with a true claim it failed in 9 to 50% of them.
 */
function verdictOf(holds: boolean, share: number | null): Verdict {
  if (share === null) return holds ? "holds" : "fails";
  return holds && share >= CERTAIN ? "holds" : "cannot tell";
}
