import { stat } from "node:fs/promises";
import { defined, quoteText, sum } from "@/lib/base/mod.ts";
import { contentText, filesBelow, readJsonLines, readText, readTexts, textOrNone } from "./_foreign.ts";
import { type Benchmark, BENCHMARKS, findFamily, findScorer, listFamilies } from "@/lib/benchmarks/mod.ts";
import {
  type ChatTemplate,
  type GivenKnobs,
  identify,
  type Knobs,
  PLAIN_TEMPLATE,
  promptLength,
  type Sample,
  type Task,
  unlessRefused,
} from "@/lib/generators/mod.ts";
import {
  CHAT_TEMPLATES,
  chatTemplate,
  decideReply,
  type Fields,
  fieldsOf,
  type FinishReason,
  isFields,
  listOf,
} from "@/lib/models/mod.ts";
import { type Answerable, checkReferences, type Scorer } from "@/lib/scorers/mod.ts";
import { type FailedOutcome, type FailureMode, openClassifier } from "@/lib/statistics/failures/mod.ts";
import { type BenchmarkOptions, type MaterialsOptions, type OpenMaterials, openMaterials } from "@/lib/studies/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";

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
const MAX_KEPT_CHARS = 200_000_000;

/** Limits of an item. */
const MAX_CHARS = { reply: 1_000_000, references: 100_000 } as const;

/**
 * The most work of an item: characters of the reply times those of the references and distractors, each at least {@linkcode LEAST_CHARS}.
 * The slowest scorer of given references takes about a second for it; samples have no references that are slow.
 */
const MAX_WORK = { given: 4e9, made: 2e10 } as const;
const LEAST_CHARS = 1000;

/**
 * Opens a {@linkcode Verifier}. Samples are made again from their ids and kept, so that later replies to them cost no more than
 * their scores.
 *
 * @throws {RangeError} If a material or the file of samples cannot be opened.
 * @throws {SyntaxError} If a line of the file is no sample with an id.
 */
export async function openVerifier(options: MaterialsOptions & BenchmarkOptions & {
  /** A file or folder of `fathom generate`, whose samples are looked up by their ids. */
  readonly samplesFile?: string | undefined;
} = {}): Promise<Verifier> {
  const { samplesFile, benchmarks = BENCHMARKS, ...materials } = options;
  const remember = rememberSamples(await openSampleIds({ ...materials, benchmarks }));
  const listed = samplesFile === undefined ? new Map<string, Scored>() : await readListed(samplesFile, benchmarks);
  const find = async (item: Fields, id: string | undefined): Promise<Scored> => {
    if (item["references"] !== undefined) return readReferences(item, benchmarks);
    if (id === undefined) throw refuse('"sample" must be the id of a sample, or "references" a list of texts', item);
    return listed.get(id) ?? await remember(id);
  };
  return {
    async verify(body): Promise<Verdict> {
      if (!isFields(body)) throw refuse("each item must be an object", body);
      const item: Fields = { ...fieldsOf(body["info"]), ...fieldsOf(body["verifier_metadata"]), ...body };
      const id = textOrNone(item["sample"]);
      const { text, finishReason } = readReply(item);
      const { scorer, answerable } = await find(item, id);
      checkWork(text, answerable, item["references"] === undefined ? MAX_WORK.made : MAX_WORK.given);
      const { score, penalised } = scorer.grade(text, answerable);
      const { value, answer, why } = score;
      // Only a sample has the facts that explain a failure; it may not be there to be made again.
      const kept = id === undefined || value === null || value === 1 ? undefined : await remember(id).catch((error) => {
        if (!(error instanceof RangeError)) throw error;
      });
      const reply = { kind: "answer", text, finishReason } as const;
      const failures = kept?.classify({ reply, value, rule: scorer }) ?? [];
      return {
        ...(isFields(body["response"]) ? body : {}),
        ...{ sample: id ?? null, scorer: scorer.name, score: value, reward: value ?? 0, penalised: penalised.value },
        ...{ answer, why, failure: failures[0]?.class ?? null },
        failures: failures.map(({ class: name, why }) => ({ class: name, why })),
      };
    },
  };
}

/** A way of scoring with the right answers. */
interface Scored {
  readonly scorer: Scorer;
  readonly answerable: Answerable;
}

/** A sample that is kept, with the classifier of wrong replies to it. */
interface KeptSample extends Scored {
  readonly classify: (outcome: FailedOutcome) => readonly FailureMode[];
}

/** Returns a function that makes samples once, and keeps those last used, up to some characters of prompts. */
export function rememberSamples(
  sampleOf: Awaited<ReturnType<typeof openSampleIds>>,
  maxChars = MAX_KEPT_CHARS,
): (id: string) => Promise<KeptSample> {
  const kept = new Map<string, Promise<KeptSample>>();
  const lengths = new Map<string, number>();
  const forget = (id: string): void => {
    kept.delete(id);
    lengths.delete(id);
  };
  const make = async (id: string): Promise<KeptSample> => {
    const { sample, task: { scorer } } = await sampleOf(id);
    lengths.set(id, promptLength(sample.prompt));
    let chars = sum(lengths.values());
    for (const oldest of kept.keys()) {
      if (chars <= maxChars || oldest === id) break;
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
async function readListed(path: string, benchmarks: readonly Benchmark[]): Promise<ReadonlyMap<string, Scored>> {
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
      const wrong = distractors === undefined ? undefined : readTexts(distractors, "distractors", place);
      const answerable = { references, ...defined({ distractors: wrong }) };
      listed.set(id, checked({ scorer: taskOf(id, benchmarks).scorer, answerable }, `sample ${id}`));
    }
  }
  return listed;
}

/** Reads the right answers of an item that brings its own, and the scorer that it names. */
function readReferences(item: Fields, benchmarks: readonly Benchmark[]): Scored {
  const named = textOrNone(item["scorer"]) ?? textOrNone(item["task"]);
  if (named === undefined) throw refuse('"scorer" or "task" must name how references are scored', item["scorer"]);
  const family = findFamily(named, benchmarks);
  const task = family?.tasks.includes(named) ? family.task(named) : family?.make();
  const scorer = task?.scorer ?? findScorer(named, benchmarks);
  const [references, distractors] = [textsOf(item, "references")!, textsOf(item, "distractors")];
  return checked({ scorer, answerable: { references, ...defined({ distractors }) } }, "the reply");
}

function checkWork(reply: string, { references, distractors = [] }: Answerable, most: number): void {
  const sizes = [...references, ...distractors].map(({ length }) => Math.max(LEAST_CHARS, length));
  const work = reply.length * sum(sizes);
  if (work <= most) return;
  throw refuse(
    `the characters of the reply times those of its references, each at least ${LEAST_CHARS}, must be at most ${most}`,
    work,
  );
}

function checked(scored: Scored, what: string): Scored {
  checkReferences(scored.scorer, scored.answerable, what);
  return scored;
}

function textsOf(item: Fields, name: string): readonly string[] | undefined {
  const value = item[name];
  if (value === undefined || value === null) return undefined;
  const texts = typeof value === "string" ? [value] : value;
  if (!Array.isArray(texts) || !texts.every((each) => typeof each === "string")) {
    throw refuse(`"${name}" must be a list of texts`, value);
  }
  const chars = sum(texts, ({ length }) => length);
  if (chars <= MAX_CHARS.references) return texts;
  throw refuse(`"${name}" must have at most ${MAX_CHARS.references} characters`, chars);
}

/** Reads a reply: `reply`, `completion` (a text or messages) or `response` (of the Responses API, as NeMo Gym sends it). */
function readReply(item: Fields): { readonly text: string; readonly finishReason: FinishReason } {
  const { reply, completion, response } = item;
  const { output } = fieldsOf(response);
  const last = listOf(completion).filter(({ role }) => role === "assistant").slice(-1);
  // A response also has reasoning and calls of tools.
  const messages = Array.isArray(completion) ? last : listOf(output).filter(({ type }) => type === "message");
  const isGiven = Array.isArray(completion) ? last.length > 0 : Array.isArray(output);
  const text = textOrNone(reply) ?? textOrNone(completion) ??
    (isGiven ? messages.map(({ content }) => contentText(content)).join("") : undefined);
  if (text === undefined) {
    throw refuse('"reply" must be a text, "completion" a text or messages, or "response" a response', reply);
  }
  if (text.length > MAX_CHARS.reply) {
    throw refuse(`the reply must have at most ${MAX_CHARS.reply} characters`, text.length);
  }
  const reason = textOrNone(item["finish_reason"]) ??
    textOrNone(fieldsOf(fieldsOf(response)["incomplete_details"])["reason"]);
  const outcome = decideReply({ text, reason }, { isRecorded: true });
  // A reward is for the text, also of a reply that was broken off.
  return outcome.kind === "answer" ? outcome.answer : { text, finishReason: "unknown" };
}

/**
 * Opens the benchmarks and materials that ids name. Encodings and the essays that come with Fathom are opened on demand; a model's own
 * tokenizer and the user's own texts are opened here.
 *
 * @returns A function that makes the sample of an id, such as
 *   `ruler-2/vt/variant=2026,chains=1,hops=4/cl100k_base/base/1024/42/0`; it throws a `RangeError` if the id is no recipe of these
 *   benchmarks and materials.
 */
export async function openSampleIds(
  { benchmarks, ...given }: MaterialsOptions & { readonly benchmarks: readonly Benchmark[] },
): Promise<(id: string) => Promise<{ readonly sample: Sample; readonly task: Task }>> {
  const own = await openMaterials(given);
  const tokenizers = [...new Set([own.tokenizer.name, ...ENCODING_NAMES])];
  const materialsOf = async (tokenizer: string, source: string): Promise<OpenMaterials> => {
    const isOwn = tokenizer === own.tokenizer.name;
    if (isOwn && given.essays !== undefined) return own;
    // The Chinese essays can be the essays of any task.
    const essays = source === "essays_zh" ? { essays: source } : {};
    return await openMaterials({ ...essays, ...given, tokenizer: isOwn ? given.tokenizer ?? tokenizer : tokenizer });
  };
  return async (id) => {
    // A seed can have slashes, so an id is split at the name of its tokenizer.
    const tokenizer = tokenizers.find((name) => id.includes(`/${name}/`)) ?? "";
    const at = id.indexOf(`/${tokenizer}/`);
    const tail = id.slice(at + tokenizer.length + 2);
    const [, template, length, seed, index] = /^([^/]+)\/(\d{1,9})\/(.*)\/(\d{1,9})$/s.exec(tail) ?? [];
    if (tokenizer === "" || template === undefined || seed === undefined) {
      throw refuseId(
        id,
        `it must be a sample's id, made with ${tokenizers.join(", ")} or the tokenizer of --tokenizer`,
      );
    }
    if (Number(length) > MAX_TOKENS) throw refuseId(id, `its length must be at most ${MAX_TOKENS} tokens`);
    const task = taskOf(id, benchmarks);
    const source = id.slice(id.lastIndexOf("/", at - 1) + 1, at);
    const [materials, place] = [await materialsOf(tokenizer, source), { length: Number(length), index: Number(index) }];
    const sample = task.sample({ ...place, seed, materials, template: templateOf(template, id) });
    if (sample.id === id) return { sample, task };
    throw refuseId(id, `it must be the id of the sample that is made, ${sample.id}`);
  };
}

/** The longest sample that is made, in tokens. */
const MAX_TOKENS = 2 ** 21;

function refuseId(id: string, wanted: string): RangeError {
  const shown = id.length > 200 ? `${id.slice(0, 200)}…` : id;
  return new RangeError(`Cannot make the sample again as ${wanted}: current value is ${JSON.stringify(shown)}`);
}

/** Makes the task whose suite, name and knobs begin an id. */
function taskOf(id: string, benchmarks: readonly Benchmark[]): Task {
  const [suite, name = "", knobs = ""] = id.split("/", 3);
  for (const family of listFamilies(benchmarks).filter(({ suites }) => suites.includes(suite!))) {
    const isNamed = family.tasks.includes(name);
    const version = suite === family.suite ? {} : family.earlier?.knobs;
    const make = (given: GivenKnobs<Knobs>): Task =>
      isNamed ? family.task(name, { ...version, ...given }) : family.make({ ...version, ...given, name });
    // Knobs of another family are refused.
    const task = unlessRefused(() => {
      const { options } = make({});
      const names = [...Object.keys(family.knobs), ...Object.keys(options)];
      // A comma that no knob's name follows belongs to a value.
      const listed = knobs === "" ? [] : knobs.split(new RegExp(`,(?=(?:${names.join("|")})=)`));
      const given = listed.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)] as const)
        // An id also lists values that follow from others and cannot be given.
        .filter(([knob, value]) => Object.hasOwn(family.knobs, knob) && String(options[knob]) !== value);
      return make(Object.fromEntries(given));
    });
    if (task !== undefined && id.startsWith(`${identify(task)}/`)) return task;
  }
  throw refuseId(id, "its suite, task and knobs must be those of a benchmark");
}

/** Templates that messages are sent to, which are no templates of completions. */
const SERVED: ReadonlyMap<string, ChatTemplate> = new Map([["chat", { ...PLAIN_TEMPLATE, messageTokens: 0 }]]);

/** Makes the template that a name in an id stands for. */
function templateOf(name: string, id: string): ChatTemplate {
  const [base = "", ...added] = name.split("+");
  const refused = refuseId(id, "its chat template must be base, chat or a named one");
  const opened = SERVED.get(base) ?? (CHAT_TEMPLATES.includes(base) ? chatTemplate(base) : undefined);
  if (opened === undefined) throw refused;
  let template = { ...opened, name };
  for (const part of added) {
    const [, kind, tokens] = /^(extra|message)-(\d{1,7}(?:\.5)?)$/.exec(part) ?? [];
    if (kind === "extra") template = { ...template, extraTokens: Number(tokens) };
    // A sample of several turns adds this part to the name.
    else if (kind === "message") {
      template = { ...template, messageTokens: Number(tokens), name: name.replace(`+${part}`, "") };
    } else if (part === "no-prefix") template = { ...template, answerPrefix: false };
    else throw refused;
  }
  return template;
}
