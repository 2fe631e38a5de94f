import { linkageAgreement } from "./clustering.ts";
import type { CorrelationStudy } from "./correlation_study.ts";
import { allOf } from "./score_lines.ts";
import { cannotTell, type Finding, type PublishedClaim, type Verdict } from "@/lib/statistics/mod.ts";

const APPENDIX_C = "appendix C; Figure 5";

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
    check: ({ tasks, matrix, kept, categories, tolerance }) => {
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
        const isClear = lead !== null && Math.abs(lead) > 2 * tolerance;
        const verdict: Verdict = isClear ? (lead > 0 ? "holds" : "fails") : "cannot tell";
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
  const own = kinds.map((kind) => results.filter((result) => result.own.includes(kind)).map(({ linkage }) => linkage));
  const texts = kinds.map((kind, at) => {
    const linkages = own[at]!;
    return `${kind} by ${linkages.length === results.length ? "every linkage" : linkages.join(", ") || "none"}`;
  });
  const agreement = results.map(({ withCategories }) => withCategories);
  const [least, most] = [Math.min(...agreement), Math.max(...agreement)].map((index) => index.toFixed(2));
  return {
    verdict: allOf(own.map(({ length }) => verdictOf(length, results.length))),
    observed: `A cluster of its own: ${texts.join("; ")}. ` +
      `Adjusted Rand index of four clusters and the categories: ${least} to ${most}.`,
  };
}

function checkKept(study: CorrelationStudy): Finding {
  const { kept, tasks } = study;
  if (tasks.length === kept.length || kept.length === 0) return cannotTell("There is nothing to choose from.");
  const results = linkageAgreement(study);
  const same = results.map((result) => result.kept.filter((task) => kept.includes(task)).length);
  const chance = ((kept.length * kept.length) / tasks.length).toFixed(1);
  const [fewest, most] = [Math.min(...same), Math.max(...same)];
  return {
    verdict: verdictOf(same.filter((count) => count === kept.length).length, results.length),
    observed: `${fewest === most ? fewest : `${fewest} to ${most}`} of the ${kept.length} are the same, by linkage; ` +
      `${chance} would be by chance.`,
  };
}

/** Returns the verdict of a statement about every linkage that holds for some of them. */
function verdictOf(holding: number, linkages: number): Verdict {
  return holding === linkages ? "holds" : holding === 0 ? "fails" : "cannot tell";
}
