import { stat } from "node:fs/promises";
import {
  contentText,
  type Fields,
  fieldsOf,
  filesBelow,
  isFields,
  readJsonLines,
  readText,
  readTexts,
  textOrNone,
} from "./_foreign.ts";
import { openSampleIds, type SampleIds } from "./sample_ids.ts";
import { BENCHMARKS, findFamily, findScorer } from "@/lib/benchmarks/mod.ts";
import { promptLength } from "@/lib/generators/mod.ts";
import type { FinishReason } from "@/lib/models/mod.ts";
import type { Answerable, Scorer } from "@/lib/scorers/mod.ts";
import { type FailedOutcome, type FailureMode, openClassifier } from "@/lib/statistics/failures/mod.ts";
import type { BenchmarkOptions, MaterialsOptions } from "@/lib/studies/mod.ts";
import { defined, quoteText } from "@/lib/text/mod.ts";

/** Options for {@linkcode openVerifier}: the benchmarks and materials of the samples. */
export interface VerifierOptions extends MaterialsOptions, BenchmarkOptions {
  /** A file or folder of `fathom generate`, whose samples are looked up by their ids. */
  readonly samplesFile?: string | undefined;
}

/** The score of one reply. */
export interface Verdict {
  /** The sample's id; `null` if only references were given. */
  readonly sample: string | null;
  readonly scorer: string;
  /** The benchmark's own score, in [0, 1]; `null` if there was nothing to score. */
  readonly score: number | null;
  /** The score as a reward; 0 for `null`. */
  readonly reward: number;
  /** The score that also counts wrong answers in the reply, in [0, 1] or `null`. */
  readonly penalised: number | null;
  /** The text that was compared with the references. */
  readonly answer: string;
  readonly why: string;
  /** How the reply failed; `null` for a right one, or if the sample cannot be made again. */
  readonly failure: FailureMode["class"] | null;
  /** All ways in which it failed, the primary one first. */
  readonly failures: readonly Pick<FailureMode, "class" | "why">[];
}

/** Scores replies to samples that are given by their ids. */
export interface Verifier {
  /**
   * Scores a reply, given as an object with `sample` (an id) and `reply`; docs/rewards.md lists the other forms.
   *
   * @returns The verdict; for a body with `response`, as NeMo Gym sends it, also the fields of the body.
   * @throws {RangeError} If a field is missing or wrong, or the sample is unknown.
   */
  verify(item: unknown): Promise<Verdict>;
}

/** Characters of prompts that are kept; of samples beyond them the longest unused are made again. */
const MAX_KEPT_CHARS = 400_000_000;

/** Limits of an item, as the time of some scorers grows with the product of both. */
const MAX_CHARS = { reply: 1_000_000, references: 100_000 } as const;

/**
 * Opens a {@linkcode Verifier}. Samples are made again from their ids and kept, so that later replies to them cost no more than
 * their scores.
 *
 * @throws {RangeError} If a material or the file of samples cannot be opened.
 * @throws {SyntaxError} If a line of the file is no sample with an id.
 */
export async function openVerifier(options: VerifierOptions = {}): Promise<Verifier> {
  const { samplesFile, benchmarks = BENCHMARKS, ...materials } = options;
  const ids = await openSampleIds({ ...materials, benchmarks });
  const listed = samplesFile === undefined ? new Map<string, Scored>() : await readListed(samplesFile, ids);
  const remember = rememberSamples(ids);
  const find = async (item: Fields, id: string | undefined): Promise<Scored> => {
    if (item["references"] !== undefined) return readReferences(item, (name) => scorerNamed(name, benchmarks));
    if (id === undefined) throw refuse('"sample" must be the id of a sample, or "references" a list of texts', item);
    const known = listed.get(id);
    if (known !== undefined) return known;
    return await remember(id);
  };
  return {
    async verify(body): Promise<Verdict> {
      if (!isFields(body)) throw refuse("each item must be an object", body);
      const item: Fields = { ...fieldsOf(body["info"]), ...fieldsOf(body["verifier_metadata"]), ...body };
      const id = textOrNone(item["sample"]);
      const { text, finishReason } = readReply(item);
      const { scorer, answerable } = await find(item, id);
      const { score, penalised } = scorer.grade(text, answerable);
      const { value, answer, why } = score;
      // Only a sample has the facts that explain a failure.
      const kept = id === undefined || value === null || value === 1 ? undefined : await remember(id).catch(noSample);
      const reply = { kind: "answer", text, finishReason } as const;
      const failures = kept?.classify({ reply, value, rule: scorer }) ?? [];
      return {
        ...(isFields(body["response"]) ? body : {}),
        ...{ sample: id ?? null, scorer: scorer.name, score: value, reward: value ?? 0, penalised: penalised.value },
        ...{ answer, why, failure: failures[0]?.class ?? null },
        failures: failures.map((mode) => ({ class: mode.class, why: mode.why })),
      };
    },
  };
}

/** A way of scoring with the right answers. */
interface Scored {
  readonly scorer: Scorer;
  readonly answerable: Answerable;
}

/** Ignores that a sample cannot be made again; any other error is thrown. */
function noSample(error: unknown): undefined {
  if (!(error instanceof RangeError)) throw error;
}

/** A sample that is kept, with the classifier of wrong replies to it. */
interface KeptSample extends Scored {
  readonly classify: (outcome: FailedOutcome) => readonly FailureMode[];
}

/** Returns a function that makes samples once, and keeps those last used. */
function rememberSamples(ids: SampleIds): (id: string) => Promise<KeptSample> {
  const kept = new Map<string, Promise<KeptSample>>();
  const lengths = new Map<string, number>();
  const forget = (id: string): void => {
    kept.delete(id);
    lengths.delete(id);
  };
  const make = async (id: string): Promise<KeptSample> => {
    const { sample, task: { scorer } } = await ids.sampleOf(id);
    lengths.set(id, promptLength(sample.prompt));
    let chars = lengths.values().reduce((sum, length) => sum + length, 0);
    for (const oldest of kept.keys()) {
      if (chars <= MAX_KEPT_CHARS || oldest === id) break;
      chars -= lengths.get(oldest) ?? 0;
      forget(oldest);
    }
    return { scorer, answerable: sample, classify: openClassifier(sample, scorer) };
  };
  return (id) => {
    const sample = kept.get(id) ?? make(id);
    // The last in the order is the last used.
    kept.delete(id);
    kept.set(id, sample);
    sample.catch(() => forget(id));
    return sample;
  };
}

function refuse(wanted: string, value: unknown): RangeError {
  const shown = quoteText(JSON.stringify(value) ?? "none", 100);
  return new RangeError(`Cannot score the reply as ${wanted}: current value is ${shown}`);
}

/** Reads the samples of JSON lines by their ids. Prompts are not kept. */
async function readListed(path: string, ids: SampleIds): Promise<ReadonlyMap<string, Scored>> {
  const there = await stat(path).catch(() => undefined);
  if (there === undefined) throw refuse("--samples-file must be a file or folder of samples", path);
  const paths = there.isDirectory() ? (await filesBelow(path)).filter((each) => each.endsWith(".jsonl")) : [path];
  const listed = new Map<string, Scored>();
  for (const file of paths) {
    for await (const { row, place } of readJsonLines(file)) {
      const fields: Fields = { ...row, ...fieldsOf(row["verifier_metadata"]) };
      const id = readText(fields, "sample", place);
      const references = readTexts(fields["outputs"] ?? fields["references"], "outputs", place);
      const distractors = fields["distractors"];
      listed.set(id, {
        scorer: ids.taskOf(id).scorer,
        answerable: {
          references,
          ...(distractors === undefined ? {} : { distractors: readTexts(distractors, "distractors", place) }),
        },
      });
    }
  }
  return listed;
}

function scorerNamed(name: string, benchmarks: NonNullable<BenchmarkOptions["benchmarks"]>): Scorer {
  const family = findFamily(name, benchmarks);
  if (family === undefined) return findScorer(name, benchmarks);
  return (family.tasks.includes(name) ? family.task(name) : family.make()).scorer;
}

/** Reads the right answers of an item that brings its own, and the scorer that it names. */
function readReferences(item: Fields, scorerOf: (name: string) => Scorer): Scored {
  const named = textOrNone(item["scorer"]) ?? textOrNone(item["task"]);
  if (named === undefined) throw refuse('"scorer" or "task" must name how references are scored', item["scorer"]);
  const scorer = scorerOf(named);
  const [references, distractors] = [textsOf(item, "references")!, textsOf(item, "distractors")];
  if (scorer.needsDistractors && distractors === undefined) {
    throw refuse(`"distractors" must be the wrong answers in the text, as the scorer ${scorer.name} needs them`, null);
  }
  return { scorer, answerable: { references, ...defined({ distractors }) } };
}

function textsOf(item: Fields, name: string): readonly string[] | undefined {
  const value = item[name];
  if (value === undefined || value === null) return undefined;
  const texts = typeof value === "string" ? [value] : value;
  if (!Array.isArray(texts) || !texts.every((each) => typeof each === "string")) {
    throw refuse(`"${name}" must be a list of texts`, value);
  }
  const chars = texts.reduce((sum, { length }) => sum + length, 0);
  if (chars <= MAX_CHARS.references) return texts;
  throw refuse(`"${name}" must have at most ${MAX_CHARS.references} characters`, chars);
}

interface ReadReply {
  readonly text: string;
  readonly finishReason: FinishReason;
}

/** Reads a reply: `reply`, `completion` (a text or messages) or `response` (of the Responses API, as NeMo Gym sends it). */
function readReply(item: Fields): ReadReply {
  const { reply, completion, response } = item;
  const text = textOrNone(reply) ?? textOrNone(completion) ??
    (Array.isArray(completion) ? lastMessage(completion) : isFields(response) ? outputText(response) : undefined);
  if (text === undefined) {
    throw refuse('"reply" must be a text, "completion" a text or messages, or "response" a response', reply);
  }
  if (text.length > MAX_CHARS.reply) {
    throw refuse(`the reply must have at most ${MAX_CHARS.reply} characters`, text.length);
  }
  const stopped = textOrNone(item["finish_reason"]) ??
    textOrNone(fieldsOf(fieldsOf(response)["incomplete_details"])["reason"]);
  const isCut = stopped === "length" || stopped === "max_output_tokens";
  return { text, finishReason: isCut ? "length" : stopped === undefined ? "unknown" : "stop" };
}

/** Returns the text of the last message of the assistant. */
function lastMessage(messages: readonly unknown[]): string | undefined {
  const last = messages.map(fieldsOf).findLast(({ role }) => role === "assistant");
  return last === undefined ? undefined : contentText(last["content"]);
}

/** Returns the text of a response: that of its messages, without reasoning and calls of tools. */
function outputText({ output }: Fields): string | undefined {
  if (!Array.isArray(output)) return undefined;
  const messages = output.map(fieldsOf).filter(({ type }) => type === "message");
  return messages.map(({ content }) => contentText(content)).join("");
}
