import { textOrNone } from "./_fields.ts";
import { contentText } from "./_replies.ts";
import { openSampleIds } from "./sample_ids.ts";
import { defined, type Fields, isFields, quoteText, sum } from "@/lib/base/mod.ts";
import { type Benchmark, BENCHMARKS, findFamily, findScorer } from "@/lib/benchmarks/mod.ts";
import { decideReply, fieldsOf, listOf } from "@/lib/models/mod.ts";
import { type Answerable, checkReferences, type Scorer } from "@/lib/scorers/mod.ts";
import type { BenchmarkOptions, MaterialsOptions } from "@/lib/studies/mod.ts";

/** The score of one reply. */
export interface Verdict {
  /** Its id; `null` if only references were given. */
  readonly sample: string | null;
  readonly scorer: string;
  /** The benchmark's own score, in [0, 1]; `null` if there was nothing to score. */
  readonly score: number | null;
  readonly reward: number;
  /** The score that also counts wrong answers in the reply, in [0, 1] or `null`. */
  readonly penalised: number | null;
  readonly answer: string;
  readonly why: string;
}

/** Scores replies to samples that are given by their ids. */
export interface Verifier {
  /**
   * Scores a reply, given in a form of docs/rewards.md. The verdict of a `response` of NeMo Gym also has the fields of its body.
   *
   * @throws {RangeError} If a field is missing or wrong, or the sample is unknown.
   */
  verify(item: unknown): Promise<Verdict>;
}

interface Scored {
  readonly scorer: Scorer;
  readonly answerable: Answerable;
}

const MAX_KEPT = 100_000;
const MAX_CHARS = { reply: 1_000_000, references: 100_000 } as const;

/** The most work of an item, for which the slowest scorer of given references takes about a second; those of samples are fast. */
const MAX_WORK = { given: 4e9, made: 2e10 } as const;
const LEAST_CHARS = 1000;

/**
 * Opens a {@linkcode Verifier}. A sample is made again from its id, and its right answers are kept for later replies to it.
 *
 * @throws {RangeError} If a material cannot be opened.
 */
export async function openVerifier(options: MaterialsOptions & BenchmarkOptions = {}): Promise<Verifier> {
  const { benchmarks = BENCHMARKS, ...materials } = options;
  const sampleOf = await openSampleIds({ ...materials, benchmarks });
  const kept = new Map<string, Promise<Scored>>();
  const scoredOf = async (id: string): Promise<Scored> => {
    const { sample: { references, distractors, paths }, task: { scorer } } = await sampleOf(id);
    return { scorer, answerable: { references, ...defined({ distractors, paths }) } };
  };
  const find = (item: Fields, id: string | undefined): Scored | Promise<Scored> => {
    if (item["references"] !== undefined) return readReferences(item, benchmarks);
    if (id === undefined) throw refuse('"sample" must be the id of a sample, or "references" a list of texts', item);
    const found = kept.getOrInsertComputed(id, scoredOf);
    found.catch(() => kept.delete(id));
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    return found;
  };
  return {
    async verify(body): Promise<Verdict> {
      if (!isFields(body)) throw refuse("each item must be an object", body);
      const item: Fields = { ...fieldsOf(body["info"]), ...fieldsOf(body["verifier_metadata"]), ...body };
      const id = textOrNone(item["sample"]);
      const text = readReply(item);
      const { scorer, answerable } = await find(item, id);
      checkWork(text, answerable, item["references"] === undefined ? MAX_WORK.made : MAX_WORK.given);
      const { score: { value, answer, why }, penalised } = scorer.grade(text, answerable);
      return {
        ...(isFields(body["response"]) ? body : {}),
        sample: id ?? null,
        scorer: scorer.name,
        score: value,
        reward: value ?? 0,
        penalised: penalised.value,
        answer,
        why,
      };
    },
  };
}

function refuse(wanted: string, value: unknown): RangeError {
  const shown = quoteText(JSON.stringify(value) ?? "none", 100);
  return new RangeError(`Cannot score the reply as ${wanted}: current value is ${shown}`);
}

function readReferences(item: Fields, benchmarks: readonly Benchmark[]): Scored {
  const named = textOrNone(item["scorer"]) ?? textOrNone(item["task"]);
  if (named === undefined) throw refuse('"scorer" or "task" must name how references are scored', item["scorer"]);
  const family = findFamily(named, benchmarks);
  const task = family?.tasks.includes(named) ? family.task(named) : family?.make();
  const scorer = task?.scorer ?? findScorer(named, benchmarks);
  const distractors = (item["distractors"] ?? undefined) && textsOf(item, "distractors");
  const answerable = { references: textsOf(item, "references"), ...defined({ distractors }) };
  checkReferences(scorer, answerable, "the reply");
  return { scorer, answerable };
}

function textsOf(item: Fields, name: string): readonly string[] {
  const texts = [item[name]].flat();
  if (!texts.every((each) => typeof each === "string")) throw refuse(`"${name}" must be a list of texts`, item[name]);
  const chars = sum(texts.map(({ length }) => length));
  if (chars <= MAX_CHARS.references) return texts;
  throw refuse(`"${name}" must have at most ${MAX_CHARS.references} characters`, chars);
}

function checkWork(reply: string, { references, distractors = [] }: Answerable, most: number): void {
  const work = reply.length * sum([...references, ...distractors].map(({ length }) => Math.max(LEAST_CHARS, length)));
  if (work <= most) return;
  const wanted = `the characters of the reply times those of its references, each at least ${LEAST_CHARS},`;
  throw refuse(`${wanted} must be at most ${most}`, work);
}

/** Reads a reply, in one of the forms of docs/rewards.md. One that was broken off is scored for its text. */
function readReply({ reply, completion, response }: Fields): string {
  const said = listOf(completion).findLast(({ role }) => role === "assistant");
  const text = [reply, completion, said && contentText(said["content"]), responseText(response)]
    .find((each) => typeof each === "string");
  if (text === undefined) {
    throw refuse('"reply" must be a text, "completion" a text or messages, or "response" a response', reply);
  }
  if (text.length > MAX_CHARS.reply) {
    throw refuse(`the reply must have at most ${MAX_CHARS.reply} characters`, text.length);
  }
  const outcome = decideReply({ text }, { isRecorded: true });
  return outcome.kind === "answer" ? outcome.answer.text : text;
}

function responseText(response: unknown): string | undefined {
  const { output } = fieldsOf(response);
  if (!Array.isArray(output)) return undefined;
  return listOf(output).filter(({ type }) => type === "message").map(({ content }) => contentText(content)).join("");
}
