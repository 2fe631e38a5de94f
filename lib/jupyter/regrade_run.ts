import { showDestination } from "./notebook_outputs.ts";
import { chooseModel, type OpenRunsOptions } from "./open_runs.ts";
import type { Regrader } from "@/lib/benchmarks/mod.ts";
import type { Table } from "@/lib/figures/mod.ts";
import {
  DEFAULT_CONCURRENCY,
  regradeReplies,
  regradeTable,
  type StudyRun,
  verdictFile,
  verdictOrigin,
} from "@/lib/asking/mod.ts";
import { notebookProgress } from "@/lib/studies/mod.ts";
import { drawnFrom } from "@/lib/reports/mod.ts";

/** Options for {@linkcode regradeRun}. */
export interface RegradeRunOptions extends Pick<OpenRunsOptions, "models" | "baseUrl" | "display" | "concurrency"> {
  /** A `judge` grades replies; an `extractor` rewrites them as plain answers. */
  readonly by: Regrader["name"];
  /** A model at a server or a simulated reader; if empty, replies are not regraded. */
  readonly model: string;
}

/** A run regraded by a second model. */
export interface RegradedRun {
  /** The run with the scores of the second model; unchanged if there are none, or too few. */
  readonly run: StudyRun;
  /** Both scores and their agreement, by task. */
  readonly table: Table;
}

/** With a larger share of unreadable verdicts, the second scores are not used. */
const MAX_UNREAD = 0.2;

/**
 * Regrades the replies of a run by a second model, with a progress bar in the cell.
 *
 * Verdicts on replies of a real model are stored next to the records; running the cell again asks only for missing ones. If more than a
 * fifth of the verdicts cannot be read, the run is unchanged and the table's title states the reason.
 *
 * @throws {RangeError} If the model cannot be asked.
 */
export async function regradeRun(run: StudyRun, options: RegradeRunOptions): Promise<RegradedRun> {
  const { by, display } = options;
  const { manifest: { origin }, benchmarks } = run;
  const drawn = drawnFrom(run);
  if (options.model === "") {
    const replies = run.replies.map((scored) => ({ ...scored, byRules: scored, verdict: null }));
    const title = `Scores by the rules; no ${by} was named`;
    return { run, table: regradeTable(replies, { by, title, ...drawn, benchmarks }) };
  }
  const model = await chooseModel({}, options);
  await showDestination(model, display);
  const { concurrency = model.concurrency ?? DEFAULT_CONCURRENCY } = options;
  const bar = notebookProgress({
    display,
    id: `${run.manifest.name} ${by}`,
    label: `The ${by} ${model.name} reads the replies of ${run.manifest.name}`,
  });
  try {
    const replies = await regradeReplies(run.replies, {
      by,
      model,
      concurrency,
      benchmarks,
      onProgress: bar.update,
      ...(origin === "simulated" ? {} : { file: verdictFile(run.manifest.name, { by, model: model.name }) }),
    });
    const asked = replies.flatMap(({ verdict }) => verdict ?? []);
    const unread = asked.filter((verdict) => verdict.unread !== null).length;
    const isTaken = unread <= MAX_UNREAD * asked.length;
    const verdicts = verdictOrigin(model, replies);
    const title = isTaken
      ? `${run.manifest.model}: ${model.name} and the rules on the same replies`
      : `${model.name} gave no readable answer about ${unread} of ${asked.length} replies: the scores by the rules are kept`;
    const table = regradeTable(replies, { by, title, ...drawn, verdicts, benchmarks });
    if (!isTaken) return { run, table };
    const manifest = { ...run.manifest, origin: verdicts === "simulated" ? verdicts : origin };
    const regraded = new Map(replies.map((reply) => [reply.record, reply]));
    return {
      run: { ...run, manifest, replies: run.replies.map((reply) => regraded.get(reply.record) ?? reply) },
      table,
    };
  } finally {
    await bar.end();
  }
}
