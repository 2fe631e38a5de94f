import { defined, once } from "@/lib/base/mod.ts";
import { findPromptCuts } from "./cuts.ts";
import type { RunRecord, ScoredPart, ScoredReply } from "./record.ts";
import { type Benchmark, BENCHMARKS, findFamily, findScorer, listFamilies } from "@/lib/benchmarks/mod.ts";
import { contextCluster } from "@/lib/generators/mod.ts";
import { isBaseModel } from "@/lib/models/mod.ts";
import { answerProbability, type FirstAnswer, firstAnswer, type Score } from "@/lib/scorers/mod.ts";
import type { BenchmarkOptions, Measure } from "@/lib/studies/mod.ts";

/** How records are scored. */
export interface ScoringOptions extends BenchmarkOptions {
  /**
   * Which part of a reply is scored. By default the first answer of a base model, which rambles on after it, and the whole
   * reply of any other, as RULER's code scores both.
   */
  readonly scored?: ScoredPart | undefined;
  /** The measure that `value` is; by default the benchmark's own score. */
  readonly measure?: Measure | undefined;
}

/**
 * Scores records by the references in them; nothing is asked or made again, so a run can be scored again at any time.
 *
 * The score of a base model is of its first answer, {@linkcode firstAnswer}, with that of the whole reply beside it. A failed call
 * has no score, and neither has a reply that the provider's content filter stopped or that another model gave than the others; an
 * empty reply of the model is an answer.
 *
 * @throws {RangeError} If a record names a scorer that no benchmark has.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { RunRecord } from "@/lib/records/mod.ts";
 *
 * const reply = { kind: "answer", text: "It is 17.", finishReason: "stop", latencyMs: 9, attempts: 1 };
 * const record = { task: "vt", references: ["17"], scoring: "all", reply } as unknown as RunRecord;
 * equal(scoreRecords([record])[0]?.score?.value, 1);
 * ```
 */
export function scoreRecords(records: readonly RunRecord[], options: ScoringOptions = {}): ScoredReply[] {
  const { benchmarks = BENCHMARKS } = options;
  const cuts = findPromptCuts(records);
  const served = servedModels(records);
  if (options.measure !== undefined) {
    return scoreRecords(records, { ...options, measure: undefined }).map(byProbability);
  }
  return records.map((record) => {
    const { task, length, reply, scoring, settings = {} } = record;
    const about = { record, task, length, ...defined({ cluster: clusterOf(record, benchmarks) }) };
    if (reply.kind === "failure") {
      const refused = reply.failure === "context_length" ? { refused: true } : {};
      return { ...about, failed: true, noAnswer: false, value: null, score: null, penalised: null, ...refused };
    }
    const scored = options.scored ?? (isBaseModel(settings) ? "first" : "whole");
    const scorer = findScorer(scoring, benchmarks);
    // Few readers of whole replies ask where the first answer ends.
    const first = once(() => firstAnswer(reply.text, record.references, scorer));
    const scores = scorer.grade(scored === "first" ? first().text : reply.text, record);
    const { value, answer } = scores.score;
    const { partial, least, unparsable } = scores;
    // The provider ended it, not the model: neither right nor wrong.
    const otherModel = served.other(record);
    const otherWhy = otherModel === undefined ? undefined : `another model answered: ${otherModel}`;
    const why = reply.finishReason === "content_filter" ? FILTERED : otherWhy;
    const isScored = why === undefined;
    const whole = scored === "first" && isScored ? scorer.grade(reply.text, record).score : undefined;
    return {
      ...about,
      value: isScored ? value : null,
      failed: false,
      noAnswer: isScored && answer === "",
      score: isScored ? scores.score : { value: null, answer, why },
      // Few readers ask for it, and it takes longer than the score.
      get penalised(): Score | null {
        return isScored ? scores.penalised : null;
      },
      scored,
      get first(): FirstAnswer {
        return first();
      },
      ...defined({ whole, promptCut: cuts.get(record), otherModel, partial, least }),
      ...defined({ unparsable: isScored ? unparsable : false }),
    };
  });
}

/** Returns a scored reply with the probability of the right answer as its value. A reply that its budget cut has one too. */
function byProbability(scored: ScoredReply): ScoredReply {
  const { record, task, length, cluster, value: replyValue, otherModel } = scored;
  const { likelihood } = record;
  const failed = likelihood === undefined ? scored.failed : likelihood.kind === "failure";
  const isKnown = likelihood?.kind === "likelihood" && otherModel === undefined;
  const value = isKnown ? answerProbability(likelihood) : null;
  const score = { value, answer: "", why: whyProbability(scored, value) };
  return {
    record,
    task,
    length,
    value,
    failed,
    noAnswer: false,
    score: failed ? null : score,
    penalised: failed ? null : score,
    replyValue,
    ...defined({ cluster, otherModel, refused: scored.refused }),
  };
}

function whyProbability({ record: { likelihood }, otherModel }: ScoredReply, value: number | null): string {
  if (otherModel !== undefined) return `another model answered: ${otherModel}`;
  if (likelihood?.kind === "failure") return likelihood.message;
  if (likelihood === undefined) return "the probability of the right answer was not measured";
  return value === null ? "there is no right answer" : `the right answer has a probability of ${value.toPrecision(3)}`;
}

/** A suite without its version; that of samples from a file ends with `-file`. */
export function bareSuite(suite = ""): string {
  return suite.replace(/-(\d+|file)$/, "");
}

/** The cluster of a record: its own, or what its benchmark reads from its id, as older records and imported ones have none. */
function clusterOf(record: RunRecord, benchmarks: readonly Benchmark[]): string | undefined {
  if (record.cluster !== undefined) return record.cluster;
  const suite = bareSuite(record.suite);
  const named = findFamily(record.task, benchmarks);
  for (const family of named && bareSuite(named.suite) === suite ? [named] : listFamilies(benchmarks)) {
    const cluster = bareSuite(family.suite) === suite ? family.clusterOf?.(record) : undefined;
    if (cluster !== undefined) return cluster;
  }
  return contextCluster(record);
}

const FILTERED = "the provider's content filter stopped the reply";

/** The models that answered a run, by the names that its server gives. */
export interface ServedModels {
  /** Returns the served model of a record if it is another one than the one that is scored. */
  other(record: Pick<RunRecord, "reply">): string | undefined;
  /** States what a reader should know: another name than the asked one, or several models. */
  readonly notes: readonly string[];
}

/** Providers put their own name before a model's, and Ollama adds `:latest` to it. */
const plainName = (name: string): string => name.toLowerCase().replace(/^.*\//, "").replace(/:latest$/, "");

function servedBy({ reply }: Pick<RunRecord, "reply">): string | undefined {
  return reply.kind === "answer" ? reply.servedModel : undefined;
}

/**
 * Finds the models that answered the records of one run. Their answers are not averaged: scored is the model that was asked if it is
 * among them, otherwise the one with the most answers.
 */
export function servedModels(records: readonly Pick<RunRecord, "reply" | "settings" | "model">[]): ServedModels {
  const { settings = {}, model = "" } = records[0] ?? {};
  const asked = plainName(String(settings["model"] ?? model));
  const names = records.map(servedBy).filter((name) => name !== undefined);
  const byName = [...Map.groupBy(names, plainName)].map(([plain, all]) => ({ plain, name: all[0]!, n: all.length }))
    .sort((left, right) => Number(right.plain === asked) - Number(left.plain === asked) || right.n - left.n);
  const [main, ...others] = byName;
  const isSimulated = main?.name.startsWith("sim:") === true;
  const notes = main === undefined || isSimulated ? [] : [
    ...(main.plain === asked ? [] : [`the server answered as ${main.name}, and not as ${settings["model"] ?? model}`]),
    ...others.map(({ name, n }) =>
      `${n} of ${names.length} answers are of another model, ${name}: they are in no score, as those of ${main.name} are`
    ),
  ];
  return {
    other(record): string | undefined {
      const name = servedBy(record);
      return name === undefined || plainName(name) === main?.plain ? undefined : name;
    },
    notes,
  };
}
