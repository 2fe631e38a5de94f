import { parsedRows, parsedTable } from "@/lib/benchmarks/needle_threading/mod.ts";
import { judgeRows, judgeTable } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import type { Table } from "@/lib/figures/mod.ts";
import {
  type Display,
  judgeOrigin,
  judgeReplies,
  notebookProgress,
  openModel,
  parsedFile,
  parseReplies,
  type StudyRun,
  verdictFile,
} from "@/lib/runs/mod.ts";

/** Options for {@linkcode judgeRun}. */
export interface JudgeRunOptions {
  /** The judging model's name at its server, or a profile of the simulated reader, which judges by the rubric; none if empty. */
  readonly judge: string;
  /** The address of its server; that of the environment, or OpenAI's own, if empty. */
  readonly baseUrl?: string;
  /** `Deno.jupyter.display`, for the progress bar. */
  readonly display: Display;
  /**
   * Calls under way at a time. Range: 1 to 256.
   *
   * @default {8}
   */
  readonly concurrency?: number;
}

/** A run whose replies were judged. */
export interface JudgedRun {
  /** The run, its scores the judge's grades; as it was where there is no judge, or none that can be used. */
  readonly run: StudyRun;
  /** Recall by the judge and by the rubric, and how far they agree. */
  readonly table: Table;
}

/** From this share of unscored replies on, a judge's grades are not worth the gaps they leave. */
const MOST_UNSCORED = 0.2;

/**
 * Has a model judge a prompt-dependence run from a notebook, with a progress bar in the cell.
 *
 * What a judge said of a real model's run is kept beside its records, and running the cell again asks only what is missing.
 *
 * @param run The run, from `askModel`.
 * @param options The judge, and where to show progress.
 * @returns The run with the judge's grades, and the comparison with the rubric. A judge that leaves over a fifth of the replies
 *   unscored is told of, and the rubric's grades are kept.
 * @throws {RangeError} If the judge cannot be asked.
 */
export async function judgeRun(run: StudyRun, options: JudgeRunOptions): Promise<JudgedRun> {
  const { judge: name, baseUrl = "", display, concurrency = 8 } = options;
  const { origin } = run.manifest;
  if (name === "") {
    const title = "Recall by the rubric; no judge was named";
    return { run, table: judgeTable(judgeRows(run.replies), { title, origin }) };
  }
  const choice = { model: name, ...(baseUrl === "" ? {} : { baseUrl }) };
  const judge = openModel(choice, (variable) => Deno.env.get(variable) || undefined);
  const bar = notebookProgress(display, `${run.manifest.name} judge`);
  const start = performance.now();
  try {
    const replies = await judgeReplies(run.replies, {
      judge,
      concurrency,
      ...(origin === "simulated" ? {} : { file: verdictFile(run.manifest.name, judge.name) }),
      onProgress: ({ done, total }) =>
        bar.update({
          ...{ done, total, failed: 0, asked: done, tokens: 0, leftMs: null },
          elapsedMs: performance.now() - start,
          isOver: done === total,
        }),
    });
    const grades = judgeOrigin(judge, replies);
    const judged = replies.filter(({ verdict }) => verdict !== null);
    const unscored = judged.filter(({ value }) => value === null).length;
    const isTaken = unscored <= MOST_UNSCORED * judged.length;
    const title = isTaken
      ? `${judge.name} and the rubric on the same replies`
      : `${judge.name} left ${unscored} of ${judged.length} replies unscored: the rubric's grades are kept`;
    const manifest = { ...run.manifest, origin: grades === "simulated" ? grades : origin };
    return {
      run: isTaken ? { ...run, manifest, replies } : run,
      table: judgeTable(judgeRows(run.replies, replies), { title, origin: { replies: origin, grades } }),
    };
  } finally {
    await bar.end();
  }
}

/** Options for {@linkcode parseRun}. */
export interface ParseRunOptions {
  /** The model that rewrites replies, or a profile of the simulated reader, which does it by rule. */
  readonly parser: string;
  /** The address of its server; that of the environment, or OpenAI's own, if empty. The simulated reader needs none. */
  readonly baseUrl?: string;
}

/**
 * Has a model rewrite the replies of a Needle Threading run from a notebook, as the paper does, and scores them again.
 *
 * What became of a real model's replies is kept beside its records, and running the cell again asks only what is missing.
 *
 * @param run The run, from `askModel`.
 * @param options The parser.
 * @returns Both scores task by task; their origin is that of the run.
 * @throws {RangeError} If the parser cannot be asked.
 */
export async function parseRun(run: StudyRun, options: ParseRunOptions): Promise<Table> {
  const { parser: model, baseUrl = "" } = options;
  const { name, origin } = run.manifest;
  // The address is that of the model under test, at whose server no profile is to be looked for.
  const choice = { model, ...(baseUrl === "" || model.startsWith("sim:") ? {} : { baseUrl }) };
  const parser = openModel(choice, (variable) => Deno.env.get(variable) || undefined);
  const values = run.replies.filter(({ record }) => record.scoring.startsWith("values "));
  const parsed = await parseReplies(values, {
    parser,
    ...(origin === "simulated" ? {} : { file: parsedFile(name, parser.name) }),
  });
  return parsedTable(parsedRows(values, parsed), {
    title: `Replies of ${run.manifest.model}, rewritten by ${parser.name} (${parser.origin})`,
    n: values.length,
    origin,
  });
}
