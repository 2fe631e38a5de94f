import { cannotTell } from "./ablation_findings.ts";
import { type ClusterStability, clusterStability } from "./cluster_stability.ts";
import { linkageAgreement, type LinkageResult } from "./correlation_clusters.ts";
import {
  type CorrelatedTasks,
  correlatedTasks,
  correlationMatrix,
  type CorrelationMethod,
  meanScores,
  type SampleScore,
  taskVectors,
} from "./correlation.ts";
import type { RulerPublished } from "./published.ts";
import type { RulerTaskName } from "./ruler.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import type { Claim, Finding, Verdict } from "@/lib/statistics/mod.ts";

/** RULER's correlation study (appendix C): how alike tasks are, of which category they are, and which were kept. */
export interface CorrelationStudy extends CorrelatedTasks {
  /** The category of each task. */
  readonly categories: Readonly<Record<string, string>>;
  /** The tasks that the paper keeps. */
  readonly kept: readonly string[];
  /** How far correlations may be off by the way they were read, in their own unit; 0 where they were computed. */
  readonly tolerance: number;
  /** How stable the clusters are; `null` where there are no samples to tell it from. */
  readonly stability: ClusterStability | null;
}

/** Steps of colour in Figure 5, from the least correlation to the greatest. */
const COLOURS = 255;

/**
 * Gives the study as Figure 5 of the paper shows it, digitised from its colours.
 *
 * Its correlations are known up to their scale: 0 is the least shown and 1 the greatest, which is a task's own, so that
 * `1 - r` is known up to one factor. That is enough for every tree and cluster, as no linkage depends on the unit.
 *
 * @param published What RULER published.
 * @returns The study.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * equal(publishedCorrelationStudy(await openPublished()).kept.length, 13);
 * ```
 */
export function publishedCorrelationStudy({ correlations }: Pick<RulerPublished, "correlations">): CorrelationStudy {
  const { tasks, matrix } = correlations;
  return {
    tasks: tasks.map(({ task }) => task),
    matrix,
    leftOut: [],
    categories: Object.fromEntries(tasks.map(({ task, category }) => [task, category])),
    kept: tasks.filter(({ kept }) => kept).map(({ task }) => task),
    tolerance: 1 / COLOURS,
    stability: null,
  };
}

/** A model and its scored replies. */
export interface ModelReplies {
  /** The model's name. */
  readonly model: string;
  /** Its replies. */
  readonly replies: readonly Pick<ScoredReply, "task" | "length" | "value" | "failed" | "noAnswer" | "record">[];
}

/** Options for {@linkcode correlationStudy}. */
export interface CorrelationStudyOptions {
  /** The published study, which says what category tasks are of and which are kept. */
  readonly published: CorrelationStudy;
  /** Any text; the same seed gives the same replicates. */
  readonly seed: string;
  /**
   * Which correlation.
   *
   * @default {"pearson"}
   */
  readonly method?: CorrelationMethod;
  /**
   * How often samples are drawn again. Range: 20 to 100,000.
   *
   * @default {500}
   */
  readonly replicates?: number;
}

/**
 * Does the study on models that were asked here.
 *
 * @param members The models and their replies.
 * @param options The published study, the seed of the replicates, and which correlation.
 * @returns The study; tasks are named as in Figure 5 and stand in its order. Without at least two samples a cell, or as many tasks as are kept, it tells
 * nothing of stability.
 * @throws {RangeError} If no two tasks can be compared, or a task has no category; the message says why.
 *
 * @example Replies that all failed
 * ```ts
 * import { throws } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const published = publishedCorrelationStudy(await openPublished());
 * throws(() => correlationStudy([{ model: "a", replies: [] }], { published, seed: "1" }), /at least one score/);
 * ```
 */
export function correlationStudy(
  members: readonly ModelReplies[],
  options: CorrelationStudyOptions,
): CorrelationStudy {
  const { published, seed, method = "pearson", replicates = 500 } = options;
  const { categories } = published;
  const order = (task: string): number => published.tasks.indexOf(task);
  const samples = studySamples(members).toSorted((left, right) => order(left.task) - order(right.task));
  const found = correlatedTasks(correlationMatrix(taskVectors(meanScores(samples)), { method }));
  const kept = published.kept.filter((task) => found.tasks.includes(task));
  const isEnough = found.tasks.length > kept.length && kept.length > 0 && fewestSamples(samples) > 1;
  const stability = isEnough
    ? clusterStability(samples, { categories, kept, keep: kept.length, seed, method, replicates })
    : null;
  return { ...found, categories, kept, tolerance: 0, stability };
}

/**
 * Gives each reply as a sample's score, tasks named as in Figure 5 of the paper.
 *
 * @param members The models and their replies.
 * @returns A score a reply: an empty reply scores 0, a failed call has none.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(studySamples([{ model: "a", replies: [] }]), []);
 * ```
 */
export function studySamples(members: readonly ModelReplies[]): readonly SampleScore[] {
  return members.flatMap(({ model, replies }) =>
    replies.map(({ task, length, value, failed, noAnswer, record }): SampleScore => ({
      model,
      task: figure5Task(task),
      length,
      index: record.index,
      value: failed ? null : noAnswer ? 0 : value,
    }))
  );
}

function fewestSamples(samples: readonly SampleScore[]): number {
  const cells = Map.groupBy(samples, ({ model, task, length }) => JSON.stringify([model, task, length]));
  return Math.min(...[...cells.values()].map(({ length }) => length));
}

/** The tasks of RULER's correlation study, as Figure 5 of the paper writes them. */
export const FIGURE_5_TASKS: Readonly<Record<RulerTaskName, string>> = {
  "niah_single_1": "k=W, v=N, h=repeat (S-NIAH)",
  "niah_single_2": "k=W, v=N, h=essay (S-NIAH)",
  "niah_single_3": "k=W, v=U, h=essay (S-NIAH)",
  "niah_single_words": "k=W, v=W, h=essay (S-NIAH)",
  "niah_multikey_1": "#k=4 (MK-NIAH)",
  "niah_multikey_2": "#k=full (MK-NIAH)",
  "niah_multikey_3": "#k=full, k=U, v=U (MK-NIAH)",
  "niah_multivalue": "#v=4 (MV-NIAH)",
  "niah_multivalue_2": "#v=2 (MV-NIAH)",
  "niah_multiquery": "#q=4 (MQ-NIAH)",
  "niah_multiquery_2": "#q=2 (MQ-NIAH)",
  "vt": "chain=1, hop=4 (VT)",
  "vt_2_chains": "chain=2, hop=2 (VT)",
  "cwe": "CWE",
  "fwe": "a=2.0 (FWE)",
  "fwe_alpha_3_5": "a=3.5 (FWE)",
  "qa_1": "squad (QA)",
  "qa_2": "hotpotqa (QA)",
};

/**
 * Writes a task's name as Figure 5 of the paper does.
 *
 * @param task The name of one of RULER's tasks, or of its correlation study's.
 * @returns The figure's label; the name itself where the figure does not have the task.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(figure5Task("vt"), "chain=1, hop=4 (VT)");
 * equal(figure5Task("vt_9_hops"), "vt_9_hops");
 * ```
 */
export function figure5Task(task: string): string {
  return Object.hasOwn(FIGURE_5_TASKS, task) ? FIGURE_5_TASKS[task as RulerTaskName] : task;
}

const APPENDIX_C = "appendix C; Figure 5";
/** The share of replicates that makes a result certain. */
const SURE = 0.95;

/** What appendix C of the RULER paper says about tasks and their categories; checked on its figure, and again on a run. */
export const CORRELATION_CLAIMS: readonly Claim<CorrelationStudy>[] = [
  {
    id: "R28",
    source: APPENDIX_C,
    kind: "paper",
    quote:
      "Correlation heatmap among 18 tasks with diverse task configurations. We remove redundant tasks (in red) and only preserve 13 representative tasks in Ruler.",
    statement: "18 tasks were compared and 13 of them kept.",
    check: ({ tasks, leftOut, kept }) => {
      const asked = tasks.length + leftOut.length;
      const gone = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
      const observed = `${asked} configurations, ${kept.length} of the kept ones among them.${
        gone === "" ? "" : ` Without a correlation: ${gone}.`
      }`;
      return { verdict: asked !== 18 ? "cannot tell" : kept.length === 13 ? "holds" : "fails", observed };
    },
  },
  {
    id: "R28-clusters",
    source: APPENDIX_C,
    kind: "paper",
    quote:
      "tasks in each of the four categories (NIAH, VT, AG, QA) form cohesive clusters of their own without redundancy",
    statement:
      "Each of the four categories forms a cluster of its own (our measure: by every linkage some cluster holds exactly its " +
      "tasks; where only some linkages have one it cannot be told).",
    check: checkClusters,
  },
  {
    id: "R28-redundant",
    source: APPENDIX_C,
    kind: "paper",
    quote: "We further eliminate a few tasks that correlate highly with other tasks within the same cluster",
    statement:
      "The removed tasks correlate highly with others of their cluster (our measure: each is more like a kept task of its " +
      "own category than like any of another).",
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
        const verdict = lead === null || Math.abs(lead) <= 2 * tolerance ? "cannot tell" : sureOf(lead > 0, share);
        return { task, verdict, nearest: (lead ?? 0) >= 0 ? own ?? foreign : foreign };
      });
      const said = nearest.map(({ task, nearest: best }) =>
        `${task}: ${best === null ? "none" : `${best.task} (${best.r.toFixed(2)})`}`
      );
      return { verdict: together(nearest.map(({ verdict }) => verdict)), observed: `${said.join("; ")}.` };
    },
  },
  {
    id: "R28-same",
    source: APPENDIX_C,
    kind: "check",
    statement: "Keeping the middle task of each of as many clusters keeps the same tasks, whatever the linkage.",
    check: checkKept,
  },
];

function checkClusters(study: CorrelationStudy): Finding {
  const results = linkageAgreement(study, { categories: study.categories, keep: study.kept.length || 1 });
  const kinds = [...new Set(study.tasks.map((task) => study.categories[task]!))];
  if (kinds.length < 2) return cannotTell("Only one category was asked.");
  const verdicts = kinds.map((kind): Verdict => {
    const share = study.stability?.categories.find(({ category }) => category === kind)?.ownShare ?? null;
    const own = results.filter((result) => result.own.includes(kind)).length;
    return own > 0 && own < results.length ? "cannot tell" : sureOf(own > 0, share);
  });
  const said = kinds.map((kind) => `${kind} by ${listed(results, (result) => result.own.includes(kind))}`);
  const shares = (study.stability?.categories ?? []).map(({ category, ownShare }) =>
    `${category} ${(100 * ownShare).toFixed(0)}%`
  );
  const agreement = results.map(({ withCategories }) => withCategories);
  return {
    verdict: together(verdicts),
    observed: `A cluster of its own: ${said.join("; ")}. Adjusted Rand index of four clusters and the categories: ${
      Math.min(...agreement).toFixed(2)
    } to ${Math.max(...agreement).toFixed(2)}.${
      shares.length === 0 ? "" : ` Of its own in replicates, by average linkage: ${shares.join(", ")}.`
    }`,
  };
}

function checkKept(study: CorrelationStudy): Finding {
  const { kept, categories, tasks } = study;
  const removed = tasks.length - kept.length;
  if (removed === 0 || kept.length === 0) return cannotTell("There is nothing to choose from.");
  const results = linkageAgreement(study, { categories, keep: kept.length });
  const same = results.map((result) => result.kept.filter((task) => kept.includes(task)).length);
  const whole = same.filter((count) => count === kept.length).length;
  const chance = (kept.length * kept.length) / tasks.length;
  const overlap = study.stability?.tasks.reduce(
    (sum, { task, keptShare }) => kept.includes(task) ? sum + keptShare : sum,
    0,
  );
  const [fewest, most] = [Math.min(...same), Math.max(...same)];
  const share = study.stability?.sameShare ?? null;
  return {
    verdict: whole > 0 && whole < results.length ? "cannot tell" : sureOf(whole > 0, share),
    observed: `${fewest === most ? fewest : `${fewest} to ${most}`} of the ${kept.length} are the same, by linkage; ${
      chance.toFixed(1)
    } would be by chance.${
      overlap === undefined
        ? ""
        : ` In replicates ${overlap.toFixed(1)} on average, and all of them in ${(100 * (share ?? 0)).toFixed(0)}%.`
    }`,
  };
}

function listed(results: readonly LinkageResult[], holds: (result: LinkageResult) => boolean): string {
  const names = results.filter(holds).map(({ linkage }) => linkage);
  if (names.length === results.length) return "every linkage";
  return names.length === 0 ? "none" : names.join(", ");
}

function together(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fails")) return "fails";
  return verdicts.includes("cannot tell") ? "cannot tell" : "holds";
}

/** A verdict from what was found and, where there are replicates, the share of them in which it holds. */
function sureOf(holds: boolean, share: number | null): Verdict {
  if (share === null) return holds ? "holds" : "fails";
  if (holds) return share >= SURE ? "holds" : "cannot tell";
  return share <= 1 - SURE ? "fails" : "cannot tell";
}
