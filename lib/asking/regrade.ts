import { defined, hashBytes, sum } from "@/lib/base/mod.ts";
import { askEach, checkConcurrency, DEFAULT_CONCURRENCY } from "./pool.ts";
import { openVerdicts, type Verdict, type Verdicts } from "./verdicts.ts";
import { watchEndpoint } from "./watch.ts";
import type { BenchmarkOptions, RunProgress } from "@/lib/studies/mod.ts";
import { isFiltered, scoredAnswer, type ScoredReply } from "@/lib/records/mod.ts";
import { type Benchmark, findRegrader, type Regrader } from "@/lib/benchmarks/mod.ts";
import { type Column, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { type Prompt, questionOf, type Sample } from "@/lib/generators/mod.ts";
import { joinPrompt, type Model, replyOrigin } from "@/lib/models/mod.ts";
import { cohenKappa, type Origin } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode regradeReplies}. */
export interface RegradeOptions extends BenchmarkOptions {
  /** A `judge` grades replies, an `extractor` rewrites them as plain answers. */
  readonly by: Regrader["name"];
  readonly model: Model;
  /**
   * A file of verdicts as JSON lines. Verdicts of the same model, address and settings are read from it, and new ones are added. One
   * process at a time may use it.
   */
  readonly file: string;
  /** Calls in flight at a time; 8 by default. Range: 1 to 256. */
  readonly concurrency?: number;
  readonly onProgress?: (progress: RunProgress) => void;
}

/** A reply scored by the verdict of a second model. */
export interface RegradedReply extends ScoredReply {
  readonly byRules: ScoredReply;
  readonly verdict: Verdict | null;
}

const MAX_ATTEMPTS = 2;

/**
 * Lets a second model grade or rewrite replies before they are scored, as the benchmark's authors do. It gets the text that the rules
 * score, which for a base model is the first answer.
 *
 * After an unreadable verdict or a failed call the model is asked once more. If that fails too, a judge leaves the reply without a
 * score, and the reply of an extractor is scored by the rules. Failed calls of the run are not sent, and equal replies to one question
 * are sent once. Replies without such a regrader are left out.
 *
 * @throws {RangeError} If the concurrency is outside its range, or the model cannot be asked at all: its first 3 calls failed
 *   for lack of a connection, a valid key or a known model. After 10 such failures in a row later, no more calls are made.
 * @throws {Error} If another process is adding to the file of verdicts.
 */
export async function regradeReplies(
  replies: readonly ScoredReply[],
  options: RegradeOptions,
): Promise<readonly RegradedReply[]> {
  const { by, model, file, benchmarks, concurrency = DEFAULT_CONCURRENCY, onProgress } = options;
  checkConcurrency("regrade the replies", concurrency);
  const chosen = replies.flatMap((scored) => {
    const regrader = findRegrader(by, scored.record.scoring, benchmarks);
    return regrader === undefined ? [] : [{ scored, regrader }];
  });
  const verdicts = await openVerdicts(file, { by, model });
  const askAbout = openAsker(options, verdicts);
  const regraded: RegradedReply[] = [];
  const startMs = performance.now();
  let [done, failed, asked, tokens] = [0, 0, 0, 0];
  const regrade = async ([at, { scored, regrader }]: [number, typeof chosen[number]]): Promise<void> => {
    const { verdict, askedTokens } = await askAbout(scored, regrader);
    regraded[at] = withVerdict(scored, verdict, regrader);
    [done, failed, tokens] = [done + 1, failed + (isUnread(verdict) ? 1 : 0), tokens + askedTokens];
    if (askedTokens > 0) asked++;
    const [elapsedMs, total] = [performance.now() - startMs, chosen.length];
    const leftMs = asked === 0 ? null : (total - done) * elapsedMs / asked;
    onProgress?.({ done, total, failed, asked, tokens, elapsedMs, leftMs, isOver: done === total });
  };
  try {
    await askEach(chosen.entries(), regrade, { concurrency });
  } finally {
    await verdicts.close();
  }
  return regraded;
}

function isUnread(verdict: Verdict | null): boolean {
  return verdict !== null && verdict.unread !== null;
}

/**
 * Returns a function that finds the verdict on a reply, or asks for it unless the model has stopped answering: `null` if there was
 * nothing to ask, with the estimated tokens of its requests in this session.
 */
function openAsker(
  { by, model }: RegradeOptions,
  verdicts: Verdicts,
): (
  scored: ScoredReply,
  regrader: Regrader,
) => Promise<{ readonly verdict: Verdict | null; readonly askedTokens: number }> {
  const underWay = new Map<string, Promise<Verdict>>();
  const watch = watchEndpoint(model.name);
  let gone: string | null = null;
  const ask = async (sample: Sample, scored: ScoredReply, regrader: Regrader): Promise<Verdict> => {
    let verdict: Verdict = { text: "", asked: 0, unread: gone, origin: model.origin };
    while (gone === null && verdict.asked < MAX_ATTEMPTS) {
      const answer = await model.ask(sample);
      const error = watch.note(answer);
      // At the start the name, address or key is wrong; later the network or the server failed.
      if (error instanceof RangeError) throw error;
      gone = error?.message ?? gone;
      const text = answer.kind === "answer" ? answer.text : "";
      const isGraded = answer.kind === "answer" && regrader.grade(text, scored) !== null;
      const unread = answer.kind === "failure" ? answer.message : `the verdict does not hold ${regrader.wanted}`;
      const origin = replyOrigin(model, answer);
      verdict = { text, asked: verdict.asked + 1, unread: isGraded ? null : unread, origin };
      if (isGraded) break;
    }
    if (verdict.asked > 0) await verdicts.keep(sample.sha256, verdict);
    return verdict;
  };
  return async (scored, regrader) => {
    const { record } = scored;
    const isAnswer = record.reply.kind === "answer" && !isFiltered(scored);
    const prompt = isAnswer ? regrader.prompt(scoredAnswer(scored), record) : null;
    if (prompt === null) return { verdict: null, askedTokens: 0 };
    const right = regrader.agree(scoredAnswer(scored), scored);
    const sample = sampleOf(prompt, { by, answerRoom: regrader.answerRoom(record), references: [right] });
    const earlier = verdicts.find(sample.sha256);
    if (earlier !== undefined && !isUnread(earlier) && regrader.grade(earlier.text, scored) !== null) {
      return { verdict: earlier, askedTokens: 0 };
    }
    const other = underWay.get(sample.sha256);
    if (other !== undefined) return { verdict: await other, askedTokens: 0 };
    const asking = ask(sample, scored, regrader);
    underWay.set(sample.sha256, asking);
    const verdict = await asking;
    return { verdict, askedTokens: verdict.asked * sample.promptTokens };
  };
}

/** The approximate characters of a token. */
const TOKEN_CHARACTERS = 4;

/** Returns the prompt for a second model as a sample that is fitted to no length. */
function sampleOf(
  prompt: Prompt,
  { by, answerRoom, references }: { readonly by: string } & Pick<Sample, "answerRoom" | "references">,
): Sample {
  const text = joinPrompt(prompt);
  const sha256 = hashBytes(new TextEncoder().encode(text));
  const promptTokens = Math.ceil(text.length / TOKEN_CHARACTERS);
  return {
    id: `regrade/${by}/${sha256}`,
    suite: "regrade",
    task: by,
    index: 0,
    length: promptTokens + answerRoom,
    promptTokens,
    answerRoom,
    prompt,
    question: questionOf(prompt),
    references,
    facts: [],
    sha256,
  };
}

function withVerdict(scored: ScoredReply, verdict: Verdict | null, regrader: Regrader): RegradedReply {
  const same = { ...scored, byRules: scored, verdict };
  if (verdict === null) return same;
  const grading = isUnread(verdict) ? null : regrader.grade(verdict.text, scored);
  if (grading !== null) {
    const { record, task, length, cluster, scored: part, first } = scored;
    const { value, answer } = grading.score;
    return {
      record,
      task,
      length,
      value,
      failed: false,
      noAnswer: answer === "",
      ...defined({ cluster, scored: part, first }),
      ...grading,
      byRules: scored,
      verdict,
    };
  }
  if (regrader.otherwise === "by the rules") return same;
  const none = { value: null, answer: scored.score?.answer ?? "", why: verdict.unread ?? "" };
  return { ...same, value: null, score: none, penalised: none };
}

/** Returns the origin of a second model's verdicts; one simulated verdict makes all of them simulated. */
export function verdictOrigin(
  model: Pick<Model, "origin">,
  replies: readonly Pick<RegradedReply, "verdict">[],
): Model["origin"] {
  return replies.some(({ verdict }) => verdict?.origin === "simulated") ? "simulated" : model.origin;
}

/** The scores of a task by the rules and by a second model. */
export interface RegradeRow {
  /** The task's name, or `all`. */
  readonly task: string;
  readonly replies: number;
  /** Calls of the model under test that failed; they are not in `replies`. */
  readonly failed: number;
  /** Replies without a readable verdict. */
  readonly unread: number;
  /** The mean score by the rules, in percent, of the replies that both scored; `null` without any. */
  readonly byRules: number | null;
  /** The mean score by the second model, in percent, of the same replies. */
  readonly byModel: number | null;
  /** The share of them with the same score, in percent. */
  readonly alike: number | null;
  /** Cohen's kappa with squared weights; `null` if scores are no grades, or all the same. */
  readonly kappa: number | null;
}

/**
 * Compares the scores by a second model with those by the rules: a row for each task, and one for all if there are several.
 */
export function regradeRows(
  replies: readonly RegradedReply[],
  by: Regrader["name"],
  benchmarks?: readonly Benchmark[],
): readonly RegradeRow[] {
  const tasks = [...Map.groupBy(replies, ({ task }) => task)];
  const all: typeof tasks = tasks.length > 1 ? [...tasks, ["all", [...replies]]] : tasks;
  return all.map(([task, own]): RegradeRow => {
    const both = own.flatMap(({ value, byRules, record }) => (
      value === null || byRules.value === null
        ? []
        : [{ byRules: byRules.value, byModel: value, regrader: findRegrader(by, record.scoring, benchmarks)! }]
    ));
    const percent = (shareOf: (pair: typeof both[number]) => number): number | null =>
      both.length === 0 ? null : 100 * sum(both, shareOf) / both.length;
    const grades = both[0]?.regrader.grades;
    const graded = both.map((pair) => [pair.byRules, pair.byModel].map((value) => Math.round((grades ?? 0) * value)));
    return {
      task,
      replies: own.filter((reply) => !reply.failed).length,
      failed: own.filter((reply) => reply.failed).length,
      unread: own.filter(({ verdict }) => isUnread(verdict)).length,
      byRules: percent((pair) => pair.byRules),
      byModel: percent((pair) => pair.byModel),
      alike: percent(({ byRules, byModel, regrader }) => regrader.isAlike(byRules, byModel) ? 1 : 0),
      kappa: grades === undefined ? null : cohenKappa(graded as [number, number][], { grades }),
    };
  });
}

/** Returns a table of the scores by a second model and by the rules, of at least one reply. */
export function regradeTable(
  replies: readonly RegradedReply[],
  options: BenchmarkOptions & Pick<Titled, "title" | "warning"> & {
    readonly by: Regrader["name"];
    readonly origin: Origin;
    /** Where the verdicts come from. */
    readonly verdicts: Origin;
  },
): Table {
  const { by, title, origin, warning, verdicts, benchmarks } = options;
  const rows = regradeRows(replies, by, benchmarks);
  const regrader = findRegrader(by, replies[0]?.record.scoring ?? "", benchmarks);
  const numbers = (field: keyof RegradeRow, label: string, digits: number): Column<RegradeRow> => (
    { field, label, digits, align: "right" }
  );
  return table(rows, {
    title,
    warning,
    origin: { replies: origin, [by]: verdicts },
    n: `${rows.at(-1)?.replies ?? 0} replies`,
    caption: regrader?.caption ?? "",
    columns: [
      { field: "task", label: "Task" },
      { field: "replies", label: "Replies" },
      { field: "failed", label: "Failed calls" },
      numbers("byRules", "By the rules (%)", 1),
      numbers("byModel", `By the ${by} (%)`, 1),
      numbers("alike", "Agreement (%)", 1),
      ...(regrader?.grades === undefined ? [] : [numbers("kappa", "Kappa", 3)]),
      { field: "unread", label: "No answer" },
    ],
  });
}
